import { CliError, exitCodes, rephrased } from '../../errors.ts';
import type { HttpAnswer, HttpRequest } from '../http.ts';
import { HttpError, retryAfterMs } from '../http-error.ts';

/** The most redirects of one request: leaders move, but not for ever. */
const mostHops = 5;
/** The longest pause in milliseconds that a redirect can ask for. */
const longestPauseMs = 5_000;

/** Which redirects of an API are followed. */
export interface RedirectPolicy {
  /** Whether a redirect from a URL to another host may be followed. */
  mayFollow(target: URL, from: string): Promise<boolean> | boolean;
  /** Whether a URL leads without encryption to a place that is known to have it. */
  isDowngrade(target: URL): boolean;
  /** Waits as long as a redirect asks. */
  pause(milliseconds: number): Promise<void>;
  /** What to do about one without a valid address, from https to http, to a foreign host, and about one too many. */
  readonly advice: {
    invalid(from: URL): readonly string[];
    readonly unencrypted: string;
    foreign(target: URL): string;
    readonly tooMany: string;
  };
}

/** A request at a URL that it has come to. */
interface Hop {
  readonly request: Pick<HttpRequest, 'method'>;
  readonly url: string;
  /** How many redirects led there. */
  readonly hops: number;
  /** The action for error messages. */
  readonly doing: string;
}

/**
 * Returns where an answer redirects to, after the pause that it asks for; undefined if it is none of the redirects that
 * keep method, body and credentials.
 * @param policy undefined: no redirect is followed
 * @throws CliError for a redirect to a machine that the policy does not allow, or from https to http; one that can be
 * repeated after too many redirects: nothing has been done then
 */
export async function redirectOf(
  answer: HttpAnswer,
  { request, url, hops, doing }: Hop,
  policy: RedirectPolicy | undefined,
): Promise<string | undefined> {
  if (policy === undefined || (answer.status !== 307 && answer.status !== 308)) return undefined;
  const failed = `unable to ${doing}: ${request.method} ${url}`;
  const next = await checked(answer, url, failed, policy);
  if (hops === mostHops) throw tooMany(failed, next, policy);
  const pauseMs = Math.min(retryAfterMs(answer.headers['retry-after'], Date.now()) ?? 0, longestPauseMs);
  if (pauseMs > 0) await policy.pause(pauseMs);
  return next;
}

/**
 * The error of a request that was redirected, if it was not sent: the first node did answer, so this says nothing about
 * its address; the leader may be down until there is a new one.
 */
export function atRedirect(error: unknown, { method, url }: Pick<HttpRequest, 'method' | 'url'>): unknown {
  if (!(error instanceof HttpError) || error.sent) return error;
  return rephrased(error, `${error.message} (${method} ${url} redirects there)`);
}

/** Returns where an answer redirects to, if the request may go there. */
async function checked(answer: HttpAnswer, url: string, failed: string, policy: RedirectPolicy): Promise<string> {
  const location = locationOf(answer, url);
  if (location === undefined)
    throw refused(`${failed} redirects without a valid address`, ...policy.advice.invalid(new URL(url)));
  const wasEncrypted = new URL(url).protocol === 'https:' || policy.isDowngrade(location);
  if (location.protocol !== 'https:' && wasEncrypted)
    throw refused(`${failed} redirects to ${location.origin}, which is not encrypted`, policy.advice.unencrypted);
  if (!(await policy.mayFollow(location, url))) {
    const why = `${failed} redirects to ${location.origin}, which is not known to belong to the cluster`;
    throw refused(why, policy.advice.foreign(location));
  }
  return location.href;
}

function locationOf({ headers: { location } }: HttpAnswer, from: string): URL | undefined {
  if (location === undefined || location === '' || !URL.canParse(location, from)) return undefined;
  const url = new URL(location, from);
  url.username = '';
  url.password = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

function refused(message: string, ...hints: readonly string[]): CliError {
  return new CliError(exitCodes.failure, message, { code: 'REDIRECT_REFUSED', hints });
}

function tooMany(failed: string, next: string, { advice }: RedirectPolicy): CliError {
  return new CliError(exitCodes.unreachable, `${failed} redirects a ${mostHops + 1}th time, to ${next}`, {
    code: 'TOO_MANY_REDIRECTS',
    hints: [advice.tooMany],
    retryable: true,
  });
}
