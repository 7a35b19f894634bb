import type { Deadline } from '../deadline.ts';
import type { HttpTrace } from '../net/http.ts';
import type { ProxySettings } from '../net/proxies.ts';
import type { Secret } from '../net/secret.ts';

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
  readonly token: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: Secret | undefined;
}

/** The options of the control plane client, built from the configuration in `client-options/cloud.ts`. */
export interface CloudOptions {
  readonly place: CloudPlace;
  /** The vendor's control plane; login files without addresses are bound to it. */
  readonly production: CloudPlace;
  /** Whether `http:` to other machines is allowed. */
  readonly insecureHttp: boolean;
  readonly credentials: CloudCredentials;
  /** The public client for logging in through a browser; undefined if none is configured. */
  readonly deviceClientId: string | undefined;
  /** Where tokens are stored; undefined without a home directory, and then they are not stored. */
  readonly stateDirectory: string | undefined;
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  readonly deadline: Deadline;
  /** Prints a warning, for example about a lost response. */
  readonly warn: (line: string) => void;
  /** Called once per request, for `--trace`. */
  readonly trace?: (event: HttpTrace) => void;
  /** Called when a request begins to be sent that changes something, and before a login is changed. */
  readonly onChange?: () => void;
}
