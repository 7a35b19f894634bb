import { createPrivateKey, sign } from 'node:crypto';
import { join } from 'node:path';
import { expandHome, variable } from '../../../files/locations.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { parseJson } from '../../../net/json.ts';
import { isTokenText, readClaims, signedJwt } from '../../../net/jwt.ts';
import { withoutSent } from '../../../net/secret.ts';
import { type Fields, fieldsOf, isObject, valueAt } from '../../../shape/object.ts';
import { brokenStep, readIfThere } from '../chain.ts';
import { objectIn } from '../requests.ts';
import { askForToken, tokenIn } from '../token-endpoint.ts';
import type { Access } from './managed-kafka.ts';
import { type GoogleParts, type GoogleToken, what } from './parts.ts';

/** A token for the file of the option, or of GOOGLE_APPLICATION_CREDENTIALS, or why there is none. */
export async function fromFile(parts: GoogleParts): Promise<GoogleToken | string> {
  const { credentialsFile, machine } = parts.options;
  const named = variable(machine, 'GOOGLE_APPLICATION_CREDENTIALS');
  const path = credentialsFile ?? (named && expandHome(machine.home, named));
  if (path === undefined) return 'oauth.assertion.key and GOOGLE_APPLICATION_CREDENTIALS are not set';
  const access = await inFile(parts, path);
  if (access === undefined) throw brokenStep(what, path, 'no such file');
  return access;
}

/** A token for the login of `gcloud auth application-default login`, or why there is none. */
export async function fromGcloudFile(parts: GoogleParts): Promise<GoogleToken | string> {
  const { machine } = parts.options;
  const windows = variable(machine, 'APPDATA');
  const usual = machine.home && join(machine.home, '.config', 'gcloud');
  const named = variable(machine, 'CLOUDSDK_CONFIG');
  const directory = named ?? (machine.platform === 'win32' ? windows && join(windows, 'gcloud') : usual);
  if (directory === undefined) return 'there is no home directory';
  const path = join(directory, 'application_default_credentials.json');
  return (await inFile(parts, path)) ?? `there is no file ${path}`;
}

async function inFile(parts: GoogleParts, path: string): Promise<GoogleToken | undefined> {
  const text = await readIfThere(what, path, parts.options.deadline.signal);
  if (text === undefined) return undefined;
  const fields = parseJson(Buffer.from(text));
  if (!isObject(fields)) throw brokenStep(what, path, 'it does not contain a JSON object');
  return { access: await accessFor({ parts, path }, fields), from: path };
}

/** Where credentials are from. */
interface Source {
  readonly path: string;
  readonly parts: GoogleParts;
}

const kinds: Readonly<Record<string, (source: Source, fields: Fields) => Promise<Access>>> = {
  service_account: forServiceAccount,
  authorized_user: forUser,
  external_account: forExternalAccount,
  impersonated_service_account: forImpersonated,
};

async function accessFor(source: Source, fields: Fields): Promise<Access> {
  const kind = kinds[String(fields.type)];
  if (kind !== undefined) return await kind(source, fields);
  throw brokenStep(what, source.path, `weir does not know credentials of the type ${excerpt(String(fields.type))}`);
}

/** A text of the file. @throws CliError (exit 4) naming the field that is missing */
function textOf({ path }: Source, fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw brokenStep(what, path, `it has no ${name}`);
}

/** An address in the file. */
function urlOf(source: Source, fields: Fields, name: string): string {
  const url = textOf(source, fields, name);
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw brokenStep(what, source.path, `its ${name} is not a URL`);
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const anHourS = 3600;

/** The key of a service account signs an assertion ("Using OAuth 2.0 for server to server applications"). */
async function forServiceAccount(source: Source, fields: Fields): Promise<Access> {
  const { options, requests, scope } = source.parts;
  const now = options.deadline.clock.wallTime();
  const email = textOf(source, fields, 'client_email');
  const url = urlOf(source, fields, 'token_uri');
  const iat = Math.floor(now / 1000);
  const { private_key_id: kid } = fields;
  const header = { alg: 'RS256', typ: 'JWT', ...(typeof kid === 'string' && { kid }) };
  const claims = { iss: email, aud: url, scope, iat, exp: iat + anHourS };
  const key = textOf(source, fields, 'private_key');
  const assertion = signedJwt(header, claims, (text) => signature(source, text, key));
  const form = { grant_type: jwtBearer, assertion };
  const granted = tokenIn(await askForToken(requests, { what, url, form, secrets: [assertion] }), url, now);
  return { ...granted, email };
}

function signature({ path }: Source, text: Buffer, pem: string): Buffer {
  try {
    return sign('sha256', text, createPrivateKey(pem));
  } catch {
    // The reason may repeat a part of the key.
    throw brokenStep(what, path, 'its private_key cannot be used for signing');
  }
}

const userTokenUrl = 'https://oauth2.googleapis.com/token';

/** The login of a person, as `gcloud auth application-default login` keeps it. */
async function forUser(source: Source, fields: Fields): Promise<Access> {
  const { options, requests } = source.parts;
  const now = options.deadline.clock.wallTime();
  const form = {
    grant_type: 'refresh_token',
    client_id: textOf(source, fields, 'client_id'),
    client_secret: textOf(source, fields, 'client_secret'),
    refresh_token: textOf(source, fields, 'refresh_token'),
  };
  const url = 'token_uri' in fields ? urlOf(source, fields, 'token_uri') : userTokenUrl;
  const secrets = [form.client_secret, form.refresh_token];
  const answer = await askForToken(requests, { what, url, form, secrets });
  const email = emailIn(answer.id_token);
  const { account } = fields;
  const who = email ?? (typeof account === 'string' && account !== '' ? account : undefined);
  if (who === undefined) {
    throw brokenStep(what, source.path, 'the response does not say whose login it is, which brokers want to know', [
      'log in again with: gcloud auth application-default login',
    ]);
  }
  return { ...tokenIn(answer, url, now), email: who };
}

/** The address of whom an id token is about. */
function emailIn(token: unknown): string | undefined {
  if (typeof token !== 'string' || readClaims(token) === undefined) return undefined;
  const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url'));
  const { email } = fieldsOf(claims);
  return typeof email === 'string' && email !== '' ? email : undefined;
}

/** What a token must be for that only gets the token of a service account. */
const iamScope = 'https://www.googleapis.com/auth/iam';

/** A service account whose tokens another identity may get. */
async function forImpersonated(source: Source, fields: Fields): Promise<Access> {
  const parts = { ...source.parts, scope: iamScope };
  const acting = actingOf(source, fields);
  const by = await accessFor({ ...source, parts }, fieldsOf(fields.source_credentials));
  return await impersonated(source, fields, { ...acting, token: by.text });
}

/** A service account that another identity acts as, and the address of its tokens. */
interface Acting {
  readonly url: string;
  readonly email: string;
}

function actingOf(source: Source, fields: Fields): Acting {
  const url = urlOf(source, fields, 'service_account_impersonation_url');
  const [, email] = /\/serviceAccounts\/([^/:]+):generateAccessToken$/.exec(url) ?? [];
  if (email !== undefined) return { url, email };
  throw brokenStep(what, source.path, 'its service_account_impersonation_url names no service account');
}

async function impersonated(
  source: Source,
  fields: Fields,
  { url, email, token }: Acting & { readonly token: string },
): Promise<Access> {
  const { requests, scope } = source.parts;
  const lifetime = valueAt(fields, ['service_account_impersonation', 'token_lifetime_seconds']);
  const body = {
    scope: scope.split(' '),
    ...(Array.isArray(fields.delegates) && { delegates: fields.delegates }),
    ...(typeof lifetime === 'number' && { lifetime: `${lifetime}s` }),
  };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await requests.service({ method: 'POST', url, headers, body: JSON.stringify(body) });
  const { accessToken, expireTime, error } = objectIn(answer, what, url);
  const text = String(accessToken);
  const expiresAt = Date.parse(String(expireTime));
  if (answer.status !== 200 || !isTokenText(text) || Number.isNaN(expiresAt)) {
    const why = withoutSent(String(fieldsOf(error).message ?? 'the response has no token'), [token]);
    throw brokenStep(what, `${source.path} as ${email}`, `${excerpt(why)} (${answer.status})`);
  }
  return { text, expiresAt, email };
}

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** An identity of elsewhere that may act as a service account (workload identity federation, RFC 8693). */
async function forExternalAccount(source: Source, fields: Fields): Promise<Access> {
  const { options, requests } = source.parts;
  const now = options.deadline.clock.wallTime();
  if (fields.service_account_impersonation_url === undefined) {
    throw brokenStep(
      what,
      source.path,
      'it has no service_account_impersonation_url, and brokers want to know the service account',
    );
  }
  const url = urlOf(source, fields, 'token_url');
  const acting = actingOf(source, fields);
  const subject = await subjectToken(source, fieldsOf(fields.credential_source));
  const form = {
    grant_type: tokenExchange,
    audience: textOf(source, fields, 'audience'),
    scope: iamScope,
    requested_token_type: accessTokenType,
    subject_token: subject,
    subject_token_type: textOf(source, fields, 'subject_token_type'),
  };
  const answer = await askForToken(requests, { what, url, form, secrets: [subject] });
  return await impersonated(source, fields, { ...acting, token: tokenIn(answer, url, now).text });
}

/** The token of the identity elsewhere: in a file, or of an address, as it is or in a field of an object. */
async function subjectToken(source: Source, from: Fields): Promise<string> {
  const place = `the credential_source of ${source.path}`;
  const text =
    typeof from.file === 'string' ? await subjectFile(source, from.file) : await subjectAnswer(source, from, place);
  if (text === undefined) throw brokenStep(what, place, 'no such file');
  const { type, subject_token_field_name: field } = fieldsOf(from.format);
  const value = type === 'json' ? fieldsOf(parseJson(Buffer.from(text)))[String(field)] : text.trim();
  if (typeof value === 'string' && isTokenText(value)) return value;
  throw brokenStep(what, place, 'it does not give one token');
}

function subjectFile({ parts: { options } }: Source, file: string): Promise<string | undefined> {
  return readIfThere(what, expandHome(options.machine.home, file), options.deadline.signal);
}

async function subjectAnswer(source: Source, from: Fields, place: string): Promise<string> {
  const { requests } = source.parts;
  if (typeof from.url !== 'string') {
    throw brokenStep(what, place, 'weir knows only those with file or url', [
      'use the token that your tool prints: -X oauth.token.command=COMMAND',
    ]);
  }
  const url = urlOf(source, from, 'url');
  const headers = Object.entries(fieldsOf(from.headers)).map(([name, value]) => [name, String(value)]);
  const request = { method: 'GET', url, headers: Object.fromEntries(headers) } as const;
  const answer = url.startsWith('http:') ? await requests.metadata(request) : await requests.service(request);
  if (typeof answer === 'string') throw brokenStep(what, place, answer);
  if (answer.status !== 200) throw brokenStep(what, place, `it answers ${answer.status}`);
  return answer.body.toString('utf8');
}
