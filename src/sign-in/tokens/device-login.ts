import type { Deadline } from '../../deadline.ts';
import { CliError, exitCodes, rephrased } from '../../errors.ts';
import { HttpError } from '../../net/http-error.ts';
import { isLoopback } from '../../net/plain-http.ts';
import type { RetryWorld } from '../../net/retry.ts';
import type { Fields } from '../../shape/object.ts';

/** Limits for a number of seconds from the server. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
}

// RFC 8628 §3.2: without an interval, five seconds.
const pollInterval: Bounds = { least: 1, most: 60, fallback: 5 };
const codeLifetime: Bounds = { least: 1, most: 86_400, fallback: 360 };

/** The page to open for a login, and the code to compare there. */
export interface LoginPrompt {
  readonly url: string;
  /** Undefined: the page asks for none. */
  readonly code: string | undefined;
  readonly expiresInMs: number;
}

/** A login that a server has begun, and what waits for it. */
export interface BegunLogin {
  /** The answer of the server (RFC 8628 §3.2). */
  readonly answer: Fields;
  /** The address of the server, and the option that has it. */
  readonly server: string;
  readonly setting: string;
  readonly deadline: Deadline;
  /** The clock for the pauses. */
  readonly world: Pick<RetryWorld, 'now' | 'sleep'>;
  /** The command that starts a login, for the hint. */
  readonly command: string;
}

/**
 * Shows the page and the code of a login, and polls until it is confirmed in the browser (RFC 8628 §3.4).
 * @param poll asks for the token; fails with the code of the server, in upper case
 * @throws CliError (exit 4) if the login is refused or the code expires
 */
export async function confirmLogin<T>(
  login: BegunLogin,
  onPrompt: (prompt: LoginPrompt) => void,
  poll: () => Promise<T>,
): Promise<T> {
  const { answer, server, setting, deadline } = login;
  const url = loginPage(answer.verification_uri_complete ?? answer.verification_uri, server, setting);
  const intervalMs = millisecondsOf(answer.interval, pollInterval);
  const expiresInMs = millisecondsOf(answer.expires_in, codeLifetime);
  onPrompt({ url, code: String(answer.user_code ?? ''), expiresInMs });
  return await deadline.openEnded(() => pollForLogin({ ...login, intervalMs, expiresInMs }, poll));
}

/** Reads seconds as milliseconds, between the limits. A server cannot make weir poll all the time, or never. */
function millisecondsOf(value: unknown, { least, most, fallback }: Bounds): number {
  const seconds = typeof value === 'number' && value > 0 ? value : fallback;
  return Math.min(Math.max(seconds, least), most) * 1000;
}

/** How long to wait, and between two polls, in milliseconds. */
interface Polling extends BegunLogin {
  readonly intervalMs: number;
  readonly expiresInMs: number;
}

async function pollForLogin<T>(polling: Polling, poll: () => Promise<T>): Promise<T> {
  const { world, deadline, expiresInMs, command } = polling;
  const giveUpAt = world.now() + expiresInMs;
  let { intervalMs } = polling;
  let lost: HttpError | undefined;
  while (world.now() < giveUpAt) {
    await world.sleep(intervalMs, deadline.signal);
    deadline.signal.throwIfAborted();
    try {
      return await poll();
    } catch (error) {
      deadline.signal.throwIfAborted();
      if (!(error instanceof CliError) || !isPassing(error)) throw error;
      lost = error instanceof HttpError ? error : undefined;
      if (lost !== undefined) deadline.failed(lost);
      intervalMs = nextInterval(intervalMs, error);
    }
  }
  if (lost !== undefined) throw rephrased(lost, `unable to log in before the code expired: ${lost.message}`);
  throw new CliError(
    exitCodes.auth,
    'unable to log in: the code expired before the login was confirmed in the browser',
    { code: 'EXPIRED_TOKEN', hints: [`start again with: ${command}`] },
  );
}

function isPassing({ code, retryable }: CliError): boolean {
  return retryable || code === 'AUTHORIZATION_PENDING' || code === 'SLOW_DOWN';
}

/** RFC 8628 §3.5: five more seconds between polls if the server asks for it, and fewer polls while there are no responses. */
function nextInterval(intervalMs: number, error: CliError): number {
  if (error instanceof HttpError) return Math.min(intervalMs * 2, Math.max(intervalMs, pollInterval.most * 1000));
  // Some servers send a slow_down with the status of too many requests.
  return error.code === 'SLOW_DOWN' || error.code === 'TOO_MANY_TOKENS' ? intervalMs + 5_000 : intervalMs;
}

/** Whether a page is encrypted, or no less protected than the server: what is unencrypted may stay on this machine. */
function isAsProtected({ protocol, href }: URL, server: string): boolean {
  if (protocol === 'https:') return true;
  if (protocol !== 'http:' || new URL(server).protocol !== 'http:') return false;
  return isLoopback(href) || !isLoopback(server);
}

/**
 * The page of a login as a normal URL, because a program is started with it: percent-encoded, without quotes, spaces and
 * line breaks. It is no less protected than the server that names it.
 * @param setting the option with the address of the server, for the hint
 */
export function loginPage(given: unknown, server: string, setting: string): string {
  const page = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (page !== undefined && isAsProtected(page, server) && page.username === '' && page.password === '')
    return page.href;
  throw new CliError(exitCodes.auth, 'unable to log in: the server returned no login page', {
    hints: [`check ${setting}`],
  });
}
