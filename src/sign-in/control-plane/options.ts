import type { FirstContact } from '../../net/hosts.ts';
import type { Secret } from '../../net/secret.ts';
import type { SecretFrom, SignInOptions } from '../tokens/options.ts';

/** The addresses of one control plane. A login is bound to them: its token and its secret are never sent elsewhere. */
export interface CloudAddresses {
  /** Base URL of the API, without a trailing slash. */
  readonly apiUrl: string;
  /** Base URL of the authorization server. */
  readonly authUrl: string;
  /** The audience of tokens. */
  readonly audience: string;
  /** Base URL of the older API, which provides the organization and the plugins. */
  readonly legacyUrl: string;
}

/** The configured credentials. A token takes precedence over a client, and both over the login on this machine. */
export interface CloudCredentials {
  /** A token that is used as is. */
  readonly token: Secret | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: Secret | undefined;
  /** Where the secret is (default: the secret itself). */
  readonly secretFrom?: SecretFrom;
}

/** The options of the control plane client, built from the configuration in `clients/cloud.ts`. */
export interface CloudOptions extends SignInOptions {
  readonly addresses: CloudAddresses;
  readonly credentials: CloudCredentials;
  /** The public client for logging in through a browser; undefined if none is configured. */
  readonly deviceClientId: string | undefined;
  /** Default: stop. */
  readonly firstContact?: FirstContact;
  /** Called when a request begins to be sent that changes something, and before a login is changed. */
  readonly onChange?: () => void;
}
