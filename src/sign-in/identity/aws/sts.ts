import { variable } from '../../../files/locations.ts';
import { excerpt } from '../../../format/excerpt.ts';
import type { HttpAnswer } from '../../../net/http.ts';
import { withoutSent } from '../../../net/secret.ts';
import { brokenStep, readIfThere } from '../chain.ts';
import type { Machine } from '../options.ts';
import { type AwsCredentials, type AwsParts, timeIn, what } from './keys.ts';
import { isRegion } from './region.ts';
import { signedHeaders } from './sigv4.ts';

/** A role, and the region of the service that gives its credentials. */
interface Role {
  readonly roleArn: string;
  readonly region: string;
  readonly sessionName?: string | undefined;
}

const version = '2011-06-15';
const contentType = 'application/x-www-form-urlencoded; charset=utf-8';

/** The credentials of a role, for someone who may assume it (STS AssumeRole). */
export async function assumeRole(
  parts: AwsParts,
  by: AwsCredentials,
  role: Role & { readonly externalId?: string | undefined; readonly durationS?: string | undefined },
): Promise<AwsCredentials> {
  const { roleArn, externalId, durationS } = role;
  const form = {
    Action: 'AssumeRole',
    RoleArn: roleArn,
    RoleSessionName: sessionNameOf(role),
    ...(externalId === undefined ? {} : { ExternalId: externalId }),
    ...(durationS === undefined ? {} : { DurationSeconds: durationS }),
  };
  const from = `the role ${excerpt(roleArn)}, assumed with ${by.from}`;
  return credentialsIn(await ask(parts, form, { region: role.region, by }), from);
}

/** The credentials of a role, for a token that something else has issued (STS AssumeRoleWithWebIdentity). */
export async function assumeRoleWithWebIdentity(
  parts: AwsParts,
  role: Role & { readonly tokenFile: string },
): Promise<AwsCredentials> {
  const { roleArn, tokenFile, region } = role;
  const token = (await readIfThere(what, tokenFile, parts.options.deadline.signal))?.trim();
  const from = `the role ${excerpt(roleArn)}, for the web identity of ${tokenFile}`;
  if (token === undefined) throw brokenStep(what, from, 'no such file');
  if (!/^[\x21-\x7e]+$/.test(token)) throw brokenStep(what, from, 'the file does not contain one token');
  const form = {
    Action: 'AssumeRoleWithWebIdentity',
    RoleArn: roleArn,
    RoleSessionName: sessionNameOf(role),
    WebIdentityToken: token,
  };
  return credentialsIn(await ask(parts, form, { region }), from);
}

/** The ARN of whoever has these keys (STS GetCallerIdentity, which everybody may call). */
export async function callerArn(parts: AwsParts, by: AwsCredentials): Promise<string> {
  const { body } = await ask(parts, { Action: 'GetCallerIdentity' }, { region: parts.region, by });
  return excerpt(textIn(body, 'Arn') ?? 'an identity without an ARN');
}

function sessionNameOf({ sessionName }: Role): string {
  return sessionName ?? 'weir';
}

/** The answer of STS, in XML. @throws CliError (exit 4) with its reason if it refuses */
async function ask(
  { options, requests }: AwsParts,
  form: Readonly<Record<string, string>>,
  { region, by }: { readonly region: string; readonly by?: AwsCredentials },
): Promise<{ readonly body: string; readonly source: string }> {
  const base = serviceUrl(options.machine, 'sts', region);
  const url = `${base}/`;
  const body = new URLSearchParams({ Version: version, ...form }).toString();
  const scope = { region, service: 'sts', now: options.deadline.clock.wallTime() };
  const headers =
    by === undefined ? { 'content-type': contentType } : signedHeaders({ url, body, contentType }, by, scope);
  const source = `${form.Action} of ${base}`;
  const answer = await requests.service({ method: 'POST', url, headers: withoutHost(headers), body });
  const text = answer.body.toString('utf8');
  if (answer.status === 200 && text.includes(`<${form.Action}Response`)) return { body: text, source };
  const [, signature = ''] = /Signature=(\S+)/.exec(headers.authorization ?? '') ?? [];
  const sent = [form.WebIdentityToken ?? '', signature, by?.sessionToken ?? ''];
  throw brokenStep(what, source, reasonOf(answer, withoutSent(text, sent)), [hintFor(text)]);
}

/** The client sets it from the URL. */
function withoutHost({ host: _, ...headers }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return headers;
}

function reasonOf({ status, headers }: HttpAnswer, text: string): string {
  const [code, message] = [textIn(text, 'Code'), textIn(text, 'Message')];
  if (code !== undefined) return `${excerpt(code)}: ${excerpt(message ?? 'no reason')} (${status})`;
  return `the response is not one of STS (${status}, ${excerpt(headers['content-type'] ?? 'no content type')})`;
}

function hintFor(text: string): string {
  if (/SignatureDoesNotMatch|RequestExpired|InvalidSignature/.test(text))
    return 'compare the clock of this machine, and check the keys';
  if (/ExpiredToken/.test(text)) return 'get new credentials, for example with: aws sso login';
  return 'check the keys, the role and its trust policy';
}

function credentialsIn(
  { body, source }: { readonly body: string; readonly source: string },
  from: string,
): AwsCredentials {
  const [accessKeyId, secretAccessKey] = [textIn(body, 'AccessKeyId'), textIn(body, 'SecretAccessKey')];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw brokenStep(what, source, 'the response has no keys');
  const expiresAt = timeIn(textIn(body, 'Expiration'));
  return { accessKeyId, secretAccessKey, sessionToken: textIn(body, 'SessionToken'), expiresAt, from };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element with a name, which has no attributes in the answers of STS. */
function textIn(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.trim().replace(/&(\w+);/g, (whole, entity: string) => entities[entity] ?? whole);
}

/** The hosts of the services, before the region. */
const hosts = { sts: 'sts', sso: 'portal.sso', 'sso-oidc': 'oidc' } as const;

/**
 * The address of a service, which a variable can replace (AWS_ENDPOINT_URL_STS). Nothing else can: a file may be of someone
 * else, so what it calls a region must be the name of one.
 * @throws CliError (exit 4) otherwise
 */
export function serviceUrl(machine: Machine, service: keyof typeof hosts, region: string): string {
  if (!isRegion(region)) throw brokenStep(what, 'the profile', `"${excerpt(region)}" is not the name of a region`);
  const name = `AWS_ENDPOINT_URL_${service.toUpperCase().replace('-', '_')}`;
  const endpoint = variable(machine, name) ?? variable(machine, 'AWS_ENDPOINT_URL');
  if (endpoint === undefined) return `https://${hosts[service]}.${region}.${domainOf(region)}`;
  if (/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)) return endpoint.replace(/\/+$/, '');
  throw brokenStep(what, name, 'it is not a URL');
}

/** The domain of the services of a region. */
function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}
