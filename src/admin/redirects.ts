import type { Deadline } from '../deadline.ts';
import { CliError, exitCodes } from '../errors.ts';
import type { Http, HttpAnswer, HttpRequest } from '../net/http.ts';
import { retryAfterMs } from '../net/http-error.ts';
import type { RetryWorld } from '../net/retry.ts';
import type { Nodes } from './nodes.ts';

/** The most redirects of one request: leaders move, but not for ever. */
const mostHops = 5;
/** The longest pause in milliseconds that a redirect can ask for. */
const longestPauseMs = 5_000;

/** What following redirects needs. */
interface Following {
  readonly http: Http;
  readonly world: RetryWorld;
  readonly deadline: Deadline;
  readonly nodes: Nodes;
  /** The action for error messages. */
  readonly doing: string;
}

/** An answer and where it came from in the end. */
export interface Followed {
  readonly answer: HttpAnswer;
  readonly url: string;
}

/**
 * Sends a request and follows redirects to other nodes with method, body and credentials.
 * @throws CliError for a redirect to a machine that is not known to belong to the cluster, from https to http, or after
 * too many of them
 */
export async function sendFollowing(request: HttpRequest, following: Following): Promise<Followed> {
  let { url } = request;
  for (let hops = 0; ; hops++) {
    const answer = await following.http.request({ ...request, url });
    if (answer.status !== 307 && answer.status !== 308) return { answer, url };
    const refuse = (why: string, ...hints: readonly string[]): CliError =>
      refused(`unable to ${following.doing}: ${request.method} ${url} ${why}`, hints);
    const location = locationOf(answer, url);
    if (location === undefined) throw refuse('redirects without an address');
    if (hops === mostHops) throw refuse(`redirects a ${mostHops + 1}th time, to ${location.href}`, moving);
    if (location.protocol !== 'https:' && new URL(url).protocol === 'https:') {
      throw refuse(`redirects to ${location.origin}, which is not encrypted`);
    }
    if (!(await following.nodes.isOfCluster(location, url))) {
      const { host, hostname } = location;
      const hint = `if ${hostname} is a broker of this cluster, add ${host} to admin.hosts`;
      throw refuse(`redirects to ${location.origin}, which is not known to belong to the cluster`, hint);
    }
    const pauseMs = Math.min(retryAfterMs(answer.headers['retry-after'], Date.now()) ?? 0, longestPauseMs);
    if (pauseMs > 0) await following.world.sleep(pauseMs, following.deadline.signal);
    url = location.href;
  }
}

const moving = 'the leader may be moving: repeat the command in a moment';

function locationOf({ headers: { location } }: HttpAnswer, from: string): URL | undefined {
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  const url = new URL(location, from);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

function refused(message: string, hints: readonly string[]): CliError {
  return new CliError(exitCodes.failure, message, { code: 'REDIRECT_REFUSED', hints });
}
