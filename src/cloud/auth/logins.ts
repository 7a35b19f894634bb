import type { LoginRow } from './login-rows.ts';

/** How a token was obtained. */
export type LoginKind = LoginRow['kind'];

/** The page and the code to show for a login through a browser. */
export interface DevicePrompt {
  readonly verificationUrl: string;
  readonly userCode: string;
  readonly expiresInMs: number;
}

/** How to log in. */
export interface LoginRequest {
  /** Whether to store the client secret too, so that later commands need no configured credentials. */
  readonly save: boolean;
  /** The client secret that was typed or read from a file, instead of the configured one. */
  readonly clientSecret?: string | undefined;
  /** Called once if the user must open a page; not called for client credentials. */
  readonly onPrompt: (prompt: DevicePrompt) => void;
}

/** The logins stored on this machine, one file each in the state directory (mode 0600). */
export interface Logins {
  /** Requests a new token with the configured credentials or through a browser, and selects the login. */
  login(request: LoginRequest): Promise<LoginRow>;
  /** Removes the token of the current login or of `all`; with `clear`, the whole login. Returns the changed logins. */
  logout(request: { readonly all: boolean; readonly clear: boolean }): Promise<readonly LoginRow[]>;
  list(): Promise<readonly LoginRow[]>;
  /** @throws CliError (exit 3) if no login has this name */
  find(name: string): Promise<LoginRow>;
  /** Selects a login. @throws CliError (exit 3) if no login has this name */
  use(name: string): Promise<LoginRow>;
  /** Deletes a login. @throws CliError (exit 3) if no login has this name */
  delete(name: string): Promise<LoginRow>;
}
