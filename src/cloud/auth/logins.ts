/** How a token was come by. */
export type LoginKind = 'client-credentials' | 'sso';

/** A login kept on this machine, without its secrets. */
export interface LoginRow {
  readonly name: string;
  readonly kind: LoginKind;
  /** Empty until a login has asked for it. */
  readonly organization: string;
  readonly organization_id: string;
  readonly client_id: string;
  readonly api_url: string;
  /** Whether the client secret is kept on this machine, so that a new token can be had without asking for it. */
  readonly secret_kept: boolean;
  /** RFC 3339; null when there is no token (logged out). */
  readonly expires_at: string | null;
  /** Whether commands use it where no credentials are configured. */
  readonly current: boolean;
}

/** What is shown to a person who logs in with a browser. */
export interface DevicePrompt {
  readonly verificationUrl: string;
  readonly userCode: string;
  readonly expiresInMs: number;
}

/** How to log in. */
export interface LoginRequest {
  /** Keep the client secret too, so that later commands need no configured credentials. */
  readonly save: boolean;
  /** In place of the configured one: typed, or read from elsewhere. */
  readonly clientSecret?: string | undefined;
  /** Called once where a person must open a page; not called with credentials. */
  readonly onPrompt: (prompt: DevicePrompt) => void;
}

/** The logins kept on this machine, one file each below the state directory (0600). */
export interface Logins {
  /** Asks for a new token, with the configured credentials or through a browser, and makes the login the current one. */
  login(request: LoginRequest): Promise<LoginRow>;
  /** Forgets the token of the current login, or of all; with `clear` the login with its secret. Answers with those it touched. */
  logout(request: { readonly all: boolean; readonly clear: boolean }): Promise<readonly LoginRow[]>;
  list(): Promise<readonly LoginRow[]>;
  /** @throws CliError (exit 3) when there is none of that name */
  use(name: string): Promise<LoginRow>;
  /** @throws CliError (exit 3) when there is none of that name */
  delete(name: string): Promise<LoginRow>;
}
