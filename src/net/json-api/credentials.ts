import { invalidError } from '../../errors.ts';
import { type Secret, secretText } from '../secret.ts';

/** What a client signs in with: a user name and a password, or a token. */
export type Credentials = UserCredentials | TokenCredentials;

interface Refusable {
  /** What to check if a server refuses them: whose they are and where they come from. */
  readonly whenRefused?: string;
}

interface UserCredentials extends Refusable {
  readonly user: string;
  readonly pass: Secret;
  /** The option of the password, if it is not `pass`. */
  readonly option?: string;
}

interface TokenCredentials extends Refusable {
  readonly token: Secret;
  /** The option of the token, for errors. */
  readonly option: string;
  /** Gives a replacement for a token that a server has refused; undefined: there is none. */
  renew?(refused: string): Promise<string | undefined>;
}

/** The secret that credentials send, for warnings; undefined stands for the option `pass`. */
export function sentSecret(credentials: Credentials): string | undefined {
  if (credentials.option === undefined) return undefined;
  return `the ${'token' in credentials ? 'token' : 'password'} (option ${credentials.option})`;
}

/**
 * The hint for an API of Redpanda that does not take this kind of credentials, which it answers with 400 even if it does
 * not require any; undefined for other answers.
 */
export function schemeHint(answer: string, sent: Credentials | 'none' | undefined, api: string): string | undefined {
  if (!/authorization method/i.test(answer)) return undefined;
  return sent !== undefined && sent !== 'none' && 'token' in sent
    ? `add OIDC to the cluster property http_authentication, or sign in there with ${api}.user and ${api}.pass`
    : 'weir uses basic authentication: add BASIC to the cluster property http_authentication';
}

/**
 * The value of the header `Authorization`: basic authentication, or a bearer token.
 * @throws CliError (exit 2) for a token that a header cannot have
 */
export async function authorizationOf(credentials: Credentials): Promise<string> {
  if ('token' in credentials) return `Bearer ${checkedToken(await secretText(credentials.token), credentials)}`;
  const { user, pass } = credentials;
  return `Basic ${Buffer.from(`${user}:${await secretText(pass)}`).toString('base64')}`;
}

/** The value of the header `Authorization` after a server has refused one; undefined if there is no other. */
export async function renewedAuthorization(
  credentials: Credentials | undefined,
  refused: string,
): Promise<string | undefined> {
  if (credentials === undefined || !('token' in credentials)) return undefined;
  const token = await credentials.renew?.(refused.replace(/^Bearer /, ''));
  return token === undefined ? undefined : `Bearer ${checkedToken(token, credentials)}`;
}

function checkedToken(token: string, { option }: TokenCredentials): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw invalidError(`invalid ${option}: a token consists of printable ASCII characters without spaces`, {
    code: 'CONFIG_INVALID',
    target: option,
  });
}
