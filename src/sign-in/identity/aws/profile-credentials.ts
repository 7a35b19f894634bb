import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { CliError, exitCodes } from '../../../errors.ts';
import { codeOf, faultOf } from '../../../files/fault.ts';
import { expandHome } from '../../../files/locations.ts';
import { lockIfWritable } from '../../../files/lock.ts';
import { replaceFile } from '../../../files/replace.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { commandText, splitWords } from '../../../format/shell-word.ts';
import { parseJson } from '../../../net/json.ts';
import { isTime, isTokenText } from '../../../net/jwt.ts';
import { withoutSent } from '../../../net/secret.ts';
import { type Fields, fieldsOf, isObject } from '../../../shape/object.ts';
import { brokenStep, readIfThere } from '../chain.ts';
import type { ProgramResult } from '../options.ts';
import { objectIn } from '../requests.ts';
import { type AwsCredentials, type AwsParts, environmentCredentials, keysIn, timeIn, what } from './keys.ts';
import { containerCredentials, instanceCredentials } from './metadata.ts';
import { readSharedFiles, type Section, type SharedFiles } from './profiles.ts';
import { assumeRole, assumeRoleWithWebIdentity, serviceUrl } from './sts.ts';

/** The credentials of a profile of the shared files, or why there are none. */
export async function profileCredentials(parts: AwsParts, name: string): Promise<AwsCredentials | string> {
  const files = await readSharedFiles(parts.options.machine, parts.options.deadline.signal);
  return await ofProfile({ parts, files, seen: [] }, name);
}

/** A walk through profiles that refer to each other. */
interface Walk {
  readonly parts: AwsParts;
  readonly files: SharedFiles;
  readonly seen: readonly string[];
}

async function ofProfile(walk: Walk, name: string): Promise<AwsCredentials | string> {
  const { parts, files, seen } = walk;
  const section = files.profile(name);
  if (section === undefined) return `there is no profile "${excerpt(name)}" in ${files.shown}`;
  const place = `the profile "${excerpt(name)}"`;
  const keys = staticKeys(section, place);
  // A profile may assume a role with the keys in itself.
  if (seen.includes(name)) {
    if (keys !== undefined && seen.at(-1) === name) return keys;
    throw brokenStep(what, place, `its source_profile leads back to it (${[...seen, name].map(excerpt).join(' → ')})`);
  }
  const next: Walk = { ...walk, seen: [...seen, name] };
  const credentials =
    (await ofRole(next, name, section)) ??
    (await ssoCredentials(parts, name, { section, files })) ??
    keys ??
    (await ofProcess(parts, section, place)) ??
    (await ofLogin(parts, section, name));
  return credentials ?? `${place} in ${files.shown} has no credentials`;
}

function staticKeys(section: Section, place: string): AwsCredentials | undefined {
  const [id, secret] = [section.get('aws_access_key_id'), section.get('aws_secret_access_key')];
  if (!id && !secret) return undefined;
  if (!id || !secret) throw brokenStep(what, place, `it has no ${id ? 'aws_secret_access_key' : 'aws_access_key_id'}`);
  const sessionToken = section.get('aws_session_token') || undefined;
  return { accessKeyId: id, secretAccessKey: secret, sessionToken, expiresAt: undefined, from: place };
}

async function ofRole(walk: Walk, name: string, section: Section): Promise<AwsCredentials | undefined> {
  const { parts } = walk;
  const roleArn = section.get('role_arn');
  if (roleArn === undefined) return undefined;
  const place = `the profile "${excerpt(name)}"`;
  const region = section.get('region') ?? parts.region;
  const sessionName = section.get('role_session_name');
  const tokenFile = section.get('web_identity_token_file');
  if (tokenFile !== undefined) {
    const path = expandHome(parts.options.machine.home, tokenFile);
    return await assumeRoleWithWebIdentity(parts, { roleArn, sessionName, tokenFile: path, region });
  }
  if (section.has('mfa_serial')) {
    throw brokenStep(what, place, 'it requires the code of an MFA device, which weir does not ask for', [
      'let the AWS CLI ask: a profile with credential_process = aws configure export-credentials --profile PROFILE',
    ]);
  }
  const by = await sourceOf(walk, section, place);
  const [externalId, durationS] = [section.get('external_id'), section.get('duration_seconds')];
  return await assumeRole(parts, by, { roleArn, region, sessionName, externalId, durationS });
}

/** The credentials that may assume the role of a profile. */
async function sourceOf(walk: Walk, section: Section, place: string): Promise<AwsCredentials> {
  const { parts } = walk;
  const [profile, source] = [section.get('source_profile'), section.get('credential_source')];
  const credentials =
    profile !== undefined
      ? await ofProfile(walk, profile)
      : source === 'Environment'
        ? environmentCredentials(parts)
        : source === 'EcsContainer'
          ? await containerCredentials(parts)
          : source === 'Ec2InstanceMetadata'
            ? await instanceCredentials(parts)
            : 'it has role_arn, but neither source_profile nor a known credential_source';
  if (typeof credentials === 'string') throw brokenStep(what, place, credentials);
  return credentials;
}

/** The credentials that a program prints (`credential_process`). */
async function ofProcess(parts: AwsParts, section: Section, place: string): Promise<AwsCredentials | undefined> {
  const line = section.get('credential_process');
  return line === undefined
    ? undefined
    : await fromProgram(parts, wordsOf(line, place), `the credential_process of ${place}`);
}

function wordsOf(line: string, place: string): readonly string[] {
  try {
    return splitWords(line);
  } catch (error) {
    throw brokenStep(what, place, `its credential_process cannot be split into words: ${faultOf(error)}`);
  }
}

/** The credentials of `aws login`, whose tokens only the AWS CLI can renew. */
async function ofLogin(parts: AwsParts, section: Section, name: string): Promise<AwsCredentials | undefined> {
  if (!section.has('login_session')) return undefined;
  const words = ['aws', 'configure', 'export-credentials', '--profile', name, '--format', 'process'];
  return await fromProgram(parts, words, `"aws login" of the profile "${excerpt(name)}"`);
}

async function fromProgram(parts: AwsParts, words: readonly string[], from: string): Promise<AwsCredentials> {
  const [first = '', ...args] = words;
  const { machine } = parts.options;
  const file = expandHome(machine.home, first);
  // It would be another program in every directory.
  if (/[/\\]/.test(file) && !isAbsolute(file)) {
    throw brokenStep(what, from, 'the path of the program is relative', [
      'use an absolute path, ~/…, or the name of a program in PATH',
    ]);
  }
  const overdue = () =>
    new CliError(exitCodes.unreachable, `unable to get ${what.name} from ${from}: it did not end in time`);
  const yourself = 'run the command yourself to see its messages: they are not shown, because they may contain keys';
  let result: ProgramResult;
  try {
    result = await machine.run(file, args, overdue);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    const why = codeOf(error) === 'ENOENT' ? `there is no program "${excerpt(first)}"` : faultOf(error);
    throw brokenStep(what, from, why);
  }
  if (result.isTooLong) throw brokenStep(what, from, 'it printed too much');
  if (result.exitCode !== 0) throw brokenStep(what, from, `it failed with exit code ${result.exitCode}`, [yourself]);
  const fields = parseJson(Buffer.from(result.stdout));
  if (!isObject(fields)) throw brokenStep(what, from, 'it did not print a JSON object', [yourself]);
  if (fields.Version !== 1) throw brokenStep(what, from, 'it printed an object without "Version": 1', [yourself]);
  return keysIn(fields, from);
}

/** A login to IAM Identity Center, which `aws sso login` keeps. */
interface Login {
  readonly place: string;
  readonly region: string;
  /** The name of its file is made of this. */
  readonly key: string;
  readonly hint: string;
}

/** The credentials of a profile with an SSO login (`sso_session`, or the older form), or undefined for another profile. */
async function ssoCredentials(
  parts: AwsParts,
  name: string,
  { section, files }: { readonly section: Section; readonly files: SharedFiles },
): Promise<AwsCredentials | undefined> {
  const [account, role, session] = ['sso_account_id', 'sso_role_name', 'sso_session'].map((key) => section.get(key));
  if (account === undefined || role === undefined) return undefined;
  const place = `the SSO login of the profile "${name}"`;
  const settings = session === undefined ? section : files.ssoSession(session);
  const [region, startUrl] = [settings?.get('sso_region'), settings?.get('sso_start_url')];
  if (region === undefined || startUrl === undefined) {
    throw brokenStep(
      what,
      place,
      `${session === undefined ? 'the profile' : `sso-session ${session}`} has no sso_region or sso_start_url`,
    );
  }
  const login = {
    place,
    region,
    key: session ?? startUrl,
    hint: commandText`log in with: aws sso login --profile ${name}`,
  };
  const token = await tokenOf(parts, login);
  const portal = serviceUrl(parts.options.machine, 'sso', region);
  const query = new URLSearchParams({ role_name: role, account_id: account });
  const answer = await parts.requests.service({
    method: 'GET',
    url: `${portal}/federation/credentials?${query}`,
    headers: { 'x-amz-sso_bearer_token': token, accept: 'application/json' },
  });
  const fields = objectIn(answer, what, `${portal}/federation/credentials`);
  const from = `${place} (account ${excerpt(account)}, role ${excerpt(role)})`;
  if (answer.status !== 200) {
    const why = excerpt(withoutSent(String(fields.message ?? 'no reason'), [token]));
    throw brokenStep(what, from, `${why} (${answer.status})`, [login.hint]);
  }
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = fieldsOf(fields.roleCredentials);
  if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string' || typeof sessionToken !== 'string') {
    throw brokenStep(what, from, 'the response has no keys');
  }
  const expiresAt = typeof expiration === 'number' && isTime(expiration) ? expiration : undefined;
  return { accessKeyId, secretAccessKey, sessionToken, expiresAt, from };
}

/** The SDKs renew a token when less is left. */
const leastLeftMs = 5 * 60_000;

async function tokenOf(parts: AwsParts, login: Login): Promise<string> {
  const { machine, deadline, mayRenew } = parts.options;
  const { place, key, hint } = login;
  if (machine.home === undefined) throw brokenStep(what, place, 'there is no home directory');
  const path = join(machine.home, '.aws', 'sso', 'cache', `${createHash('sha1').update(key).digest('hex')}.json`);
  const kept = await readKept(parts, path);
  if (kept === undefined) throw brokenStep(what, place, 'nobody is logged in', [hint]);
  const now = deadline.clock.wallTime();
  const token = tokenIn(kept, now + leastLeftMs) ?? (mayRenew ? await renewed(parts, login, path) : undefined);
  const last = token ?? tokenIn(kept, now);
  if (last !== undefined) return last;
  const expiresAt = new Date(expiryOf(kept)).toISOString().replace(/\.\d+/, '');
  throw brokenStep(what, place, `the login expired at ${expiresAt}`, [hint]);
}

async function readKept({ options }: AwsParts, path: string): Promise<Fields | undefined> {
  const text = await readIfThere(what, path, options.deadline.signal);
  return text === undefined ? undefined : fieldsOf(parseJson(Buffer.from(text)));
}

function expiryOf({ expiresAt }: Fields): number {
  return timeIn(String(expiresAt)) ?? 0;
}

/** The token of a login, if it can be sent and does not expire until then. */
function tokenIn(kept: Fields, until: number): string | undefined {
  const { accessToken } = kept;
  return typeof accessToken === 'string' && isTokenText(accessToken) && expiryOf(kept) > until
    ? accessToken
    : undefined;
}

/**
 * The token of a renewed login, or undefined if it cannot be renewed. A refresh token is good for once, so that only one
 * command may use it.
 */
async function renewed(parts: AwsParts, login: Login, path: string): Promise<string | undefined> {
  const { signal, clock } = parts.options.deadline;
  await using _lock = await lockIfWritable(path, signal);
  const read = async (): Promise<Fields> => (await readKept(parts, path)) ?? {};
  const fresh = (kept: Fields): string | undefined => tokenIn(kept, clock.wallTime() + leastLeftMs);
  const kept = await read();
  // The AWS CLI does not know the lock.
  return fresh(kept) ?? (await renew(parts, login, { kept, path })) ?? fresh(await read());
}

/** Renews a token as the AWS CLI does, which finds the new one in its file; undefined if that is not possible. */
async function renew(
  { options, requests }: AwsParts,
  { region }: Login,
  { kept, path }: { readonly kept: Fields; readonly path: string },
): Promise<string | undefined> {
  const { clientId, clientSecret, refreshToken } = kept;
  const now = options.deadline.clock.wallTime();
  if ([clientId, clientSecret, refreshToken].some((one) => typeof one !== 'string')) return undefined;
  if ((timeIn(String(kept.registrationExpiresAt)) ?? 0) <= now) return undefined;
  const base = serviceUrl(options.machine, 'sso-oidc', region);
  const answer = await requests.service({
    method: 'POST',
    url: `${base}/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, refreshToken, grantType: 'refresh_token' }),
  });
  const fields = fieldsOf(parseJson(answer.body));
  const { accessToken, expiresIn } = fields;
  if (answer.status !== 200 || typeof accessToken !== 'string' || !isTokenText(accessToken)) return undefined;
  if (typeof expiresIn !== 'number') return undefined;
  // The old refresh token may be void, so a lifetime that is none must not lose the new one: it is renewed again.
  const until = now + expiresIn * 1000;
  const expiresAt = new Date(isTime(until) ? until : now).toISOString().replace(/\.\d+/, '');
  const next = { ...kept, accessToken, expiresAt, refreshToken: fields.refreshToken ?? refreshToken };
  await replaceFile(path, `${JSON.stringify(next)}\n`).catch((error: unknown) => {
    options.warn(`unable to keep the renewed SSO login in ${path}: ${faultOf(error)}`);
  });
  return accessToken;
}
