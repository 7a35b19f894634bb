import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { faultOf } from '../../../files/fault.ts';
import { lockIfWritable } from '../../../files/lock.ts';
import { replaceFile } from '../../../files/replace.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { commandText } from '../../../format/shell-word.ts';
import { parseJson } from '../../../net/json.ts';
import { isTime, isTokenText } from '../../../net/jwt.ts';
import { withoutSent } from '../../../net/secret.ts';
import { type Fields, fieldsOf } from '../../../shape/object.ts';
import { brokenStep, readIfThere } from '../chain.ts';
import { objectIn } from '../requests.ts';
import { type AwsCredentials, type AwsParts, timeIn, what } from './keys.ts';
import type { Section, SharedFiles } from './profiles.ts';
import { serviceUrl } from './sts.ts';

/** A login to IAM Identity Center, which `aws sso login` keeps. */
interface Login {
  readonly place: string;
  readonly region: string;
  /** The name of its file is made of this. */
  readonly key: string;
  readonly hint: string;
}

/** The credentials of a profile with an SSO login (`sso_session`, or the older form), or undefined for another profile. */
export async function ssoCredentials(
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
