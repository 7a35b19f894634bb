import type { Secret } from '../net/secret.ts';
import type { SecretFrom, SignInOptions } from '../oauth/options.ts';

/** The addresses of one control plane. */
export interface CloudPlace {
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

/** The options of the control plane client, built from the configuration in `client-options/cloud.ts`. */
export interface CloudOptions extends SignInOptions {
  readonly place: CloudPlace;
  /** The vendor's control plane; login files without addresses are bound to it. */
  readonly production: CloudPlace;
  readonly credentials: CloudCredentials;
  /**
   * Ensures that what is kept on this machine for these addresses may be sent to them.
   * @throws CliError (exit 2) if a file that may be of someone else decides who could read it on the way
   */
  mayUseKept(): Promise<void>;
  /** Whether a kept token may be used, and one be kept, with a secret that the configuration has. */
  sharesKept(): Promise<boolean>;
  /**
   * Ensures that a person may log in in a browser.
   * @throws CliError (exit 2) if a file that may be of someone else decides where the token goes
   */
  mayLogIn(): Promise<void>;
  /** The public client for logging in through a browser; undefined if none is configured. */
  readonly deviceClientId: string | undefined;
  /** Called when a request begins to be sent that changes something, and before a login is changed. */
  readonly onChange?: () => void;
}
