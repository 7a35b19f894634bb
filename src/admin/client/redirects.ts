import type { Deadline } from '../../deadline.ts';
import { CliError, exitCodes, rephrased } from '../../errors.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../net/http.ts';
import { HttpError, retryAfterMs } from '../../net/http-error.ts';
import type { RetryWorld } from '../../net/retry.ts';
import { isDowngrade } from './node-url.ts';

/** The most redirects of one request: leaders move, but not for ever. */
const mostHops = 5;
/** The longest pause in milliseconds that a redirect can ask for. */
const longestPauseMs = 5_000;

/** What following redirects needs. */
interface Following {
  readonly http: Pick<Http, 'request'>;
  readonly world: RetryWorld;
  readonly deadline: Deadline;
  /** The action for error messages. */
  readonly doing: string;
  /** The base URLs of the configured addresses. */
  readonly urls: readonly string[];
  /** Whether a redirect from a URL to another host may be followed. */
  mayFollow(target: URL, from: string): Promise<boolean> | boolean;
}

/** An answer and where it came from in the end. */
export interface Followed {
  readonly answer: HttpAnswer;
  readonly url: string;
}

/**
 * Sends a request and follows redirects to other nodes with method, body and credentials.
 * @throws CliError for a redirect to a machine that is not known to belong to the cluster, or from https to http; one that
 * can be repeated after too many redirects: nothing has been done then
 */
export async function sendFollowing(request: HttpRequest, following: Following): Promise<Followed> {
  let { url } = request;
  for (let hops = 0; ; hops++) {
    const answer = await sendTo(url, hops > 0, request, following);
    if (answer.status !== 307 && answer.status !== 308) return { answer, url };
    const next = await checked(answer, url, `unable to ${following.doing}: ${request.method} ${url}`, following);
    if (hops === mostHops) throw tooMany(`unable to ${following.doing}: ${request.method} ${url}`, next);
    const pauseMs = Math.min(retryAfterMs(answer.headers['retry-after'], Date.now()) ?? 0, longestPauseMs);
    if (pauseMs > 0) await following.world.sleep(pauseMs, following.deadline.signal);
    url = next;
  }
}

async function sendTo(url: string, isRedirected: boolean, request: HttpRequest, { http }: Following) {
  try {
    return await http.request({ ...request, url });
  } catch (error) {
    if (!isRedirected || !(error instanceof HttpError) || error.sent) throw error;
    // The first node did answer, so this says nothing about its address; the leader may be down until there is a new one.
    throw rephrased(error, `${error.message} (${request.method} ${request.url} redirects there)`);
  }
}

/** Returns where an answer redirects to, if the request may go there. */
async function checked(answer: HttpAnswer, url: string, failed: string, following: Following): Promise<string> {
  const location = locationOf(answer, url);
  if (location === undefined) throw refused(`${failed} redirects without a valid address`);
  const { protocol, origin, host, hostname } = location;
  const wasEncrypted = new URL(url).protocol === 'https:' || isDowngrade(location, following.urls);
  if (protocol !== 'https:' && wasEncrypted) {
    const hint = 'if a proxy ends TLS before the cluster, add the address of every broker to admin.hosts';
    throw refused(`${failed} redirects to ${origin}, which is not encrypted`, hint);
  }
  if (!(await following.mayFollow(location, url))) {
    const hint = `if ${hostname} is a broker of this cluster, add ${host} to admin.hosts`;
    throw refused(`${failed} redirects to ${origin}, which is not known to belong to the cluster`, hint);
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

function tooMany(failed: string, next: string): CliError {
  return new CliError(exitCodes.unreachable, `${failed} redirects a ${mostHops + 1}th time, to ${next}`, {
    code: 'TOO_MANY_REDIRECTS',
    hints: ['the leader of the cluster may be moving: see its health with weir cluster health'],
    retryable: true,
  });
}
