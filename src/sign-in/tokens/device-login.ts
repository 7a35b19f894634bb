import type { Deadline } from '../../deadline.ts';
import { CliError, exitCodes, rephrased } from '../../errors.ts';
import { HttpError } from '../../net/http-error.ts';
import { isLoopback } from '../../net/plain-http.ts';
import type { RetryWorld } from '../../net/retry.ts';

/** Limits for a number of seconds from the server. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
}

// RFC 8628 §3.2: without an interval, five seconds.
const pollInterval: Bounds = { least: 1, most: 60, fallback: 5 };
const codeLifetime: Bounds = { least: 1, most: 86_400, fallback: 360 };

/** How long to wait for a login in a browser, and between two polls (RFC 8628 §3.2), in milliseconds. */
export interface DeviceTimes {
  readonly intervalMs: number;
  readonly expiresInMs: number;
}

/** Reads the times in a device authorization response. */
export function deviceTimes(interval: unknown, expiresIn: unknown): DeviceTimes {
  return {
    intervalMs: millisecondsOf(interval, pollInterval),
    expiresInMs: millisecondsOf(expiresIn, codeLifetime),
  };
}

/** Reads seconds as milliseconds, between the limits. A server cannot make weir poll all the time, or never. */
function millisecondsOf(value: unknown, { least, most, fallback }: Bounds): number {
  const seconds = typeof value === 'number' && value > 0 ? value : fallback;
  return Math.min(Math.max(seconds, least), most) * 1000;
}

/** What polls need. */
export interface PollParts extends DeviceTimes {
  readonly deadline: Deadline;
  /** The clock for the pauses. */
  readonly world: Pick<RetryWorld, 'now' | 'sleep'>;
  /** The command that starts a login, for the hint. */
  readonly command: string;
}

/**
 * Polls until a login is confirmed in the browser (RFC 8628 §3.4).
 * @param poll fails with the code of the server, in upper case
 * @throws CliError (exit 4) if the login is refused or the code expires
 */
export async function pollForLogin<T>(parts: PollParts, poll: () => Promise<T>): Promise<T> {
  const { world, deadline, expiresInMs, command } = parts;
  const giveUpAt = world.now() + expiresInMs;
  let { intervalMs } = parts;
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
