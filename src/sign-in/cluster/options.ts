import type { TlsOptions } from '../../net/tls.ts';
import type { SecretFrom, SignInOptions } from '../tokens/options.ts';

/** How to get a token. */
export type Grant =
  | 'client_credentials'
  | 'device_code'
  | 'authorization_code'
  | 'jwt_bearer'
  | 'aws'
  | 'azure'
  | 'google';

/** How a client proves its identity to the issuer (OpenID Connect Core §9, RFC 8705). */
export type ClientAuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt'
  | 'tls_client_auth'
  | 'none';

/** Whom tokens come from, whom they are for, and where they are sent: a stored token is not used for anything else. */
export interface TokenPlace {
  readonly grant: Grant;
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly scope: string;
  readonly audience: string;
  readonly resource: string;
  /** The configured addresses of the cluster, by option key. */
  readonly addresses: Readonly<Record<'brokers' | 'admin.hosts' | 'registry.hosts', string>>;
}

/** A cloud, and the command with which people log in to it. */
interface Cloud {
  readonly name: string;
  readonly login: string;
}

/** The clouds whose identities are looked up for each command. */
export const clouds: Readonly<Partial<Record<Grant, Cloud>>> = {
  aws: { name: 'AWS', login: 'aws sso login' },
  azure: { name: 'Azure', login: 'az login' },
  google: { name: 'Google', login: 'gcloud auth application-default login' },
};

/** The options without which no issuer can be asked for a token. */
export function missingKeys({ grant, issuer, tokenUrl, clientId }: TokenPlace): readonly string[] {
  if (grant in clouds) return [];
  const needsClient = grant !== 'jwt_bearer'; // Whoever exchanges an assertion need not be a client (RFC 7523 §3.1).
  return [
    ...(needsClient && clientId === '' ? ['oauth.client_id'] : []),
    ...(issuer === '' && tokenUrl === '' ? ['oauth.issuer'] : []),
  ];
}

/** An option that names a file with an assertion, or with the key that signs it. */
export type AssertionKey = 'oauth.assertion.key' | 'oauth.assertion.file';

/** The OAuth client. Files are read, and the secret is asked for, when a token is requested. */
export interface OAuthClient {
  /** Undefined: by what is configured. */
  readonly auth: ClientAuthMethod | undefined;
  readonly secret: (() => Promise<string>) | undefined;
  readonly secretFrom: SecretFrom;
  /** The PEM file with the key that signs the assertion. */
  readonly keyFile: string | undefined;
  readonly keyId: string | undefined;
  /** The file with a signed assertion. */
  readonly assertionFile: string | undefined;
}

/** A configured token. */
export interface GivenToken {
  /** The option that has it, or says where it is. */
  readonly option: string;
  /** Where it comes from, for people. */
  readonly origin: string;
  /** What to do when it has expired. */
  readonly whenExpired: string;
  /** Whether a program gives it, which may ask the person. */
  readonly isAsked: boolean;
  read(): Promise<string>;
  /** Reads it where it comes from, even if it is known: the last one was refused, or is about to expire. */
  renew(): Promise<string>;
  /** Whether every use reads it again, because that is cheap: a file that something else renews. */
  readonly isVolatile: boolean;
}

/** The options of the source of tokens, built from the configuration in `clients/oauth.ts`. */
export interface OAuthOptions extends SignInOptions {
  readonly place: TokenPlace;
  readonly client: OAuthClient;
  /** The addresses that get tokens, with where they come from, for a person who logs in. */
  readonly sentTo: string;
  /** Undefined: tokens come from the issuer. */
  readonly token: GivenToken | undefined;
  /** The port that the browser returns to; 0: any that is free. */
  readonly redirectPort: number;
  readonly tls: TlsOptions;
  /** Whether an issuer where nobody is is asked again, as with an explicit retry timeout. */
  readonly isPatient: boolean;
}
