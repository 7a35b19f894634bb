import type { CliError } from '../../errors.ts';
import { Misfit } from '../../shape/shape.ts';
import type { Http, HttpAnswer, HttpRequest } from '../http.ts';
import { parseJson } from '../json.ts';
import type { Retry } from '../retry.ts';
import { secretsOfHeader } from '../secret.ts';
import { briefUrl } from '../shown-url.ts';
import { type Call, queryText } from './call.ts';
import { type Doubts, isChange, withDoubt } from './doubt.ts';
import { answerWithout, badAnswer } from './error.ts';
import { type RedirectPolicy, sendFollowing } from './redirects.ts';

/** What tells one API from others; `More` is what its calls may say besides. */
export interface Dialect<More> {
  readonly doubts: Doubts;
  /** The largest answer that is read, in bytes. */
  readonly maxBytes: number;
  /** What to do when a server does not behave like one of the API. */
  readonly addressHint: string;
  /** Runs an attempt at the base URL that the call goes to. */
  at<T>(call: Call<T> & More, send: (baseUrl: string) => Promise<T>): Promise<T>;
  /** The value of the header `Authorization`; undefined: none. */
  authorization(): Promise<string | undefined> | string | undefined;
  /** Returns another value after a server has answered 401; undefined: there is none. */
  renewed?(refused: string): Promise<string | undefined>;
  /** The media type of a call and its answer (default: `application/json`). */
  mediaType?(call: Call<unknown> & More): string;
  /** Called with the URL before a request is sent, also to where it is redirected. */
  sending?(call: Call<unknown> & More, url: string): void;
  /** Parses an answer (default: as the call says, or `parseJson`); undefined if it has another form. */
  parse?(call: Call<unknown> & More, body: Buffer): unknown;
  /** Whether an answer with a success status has no body to read. */
  isEmpty(answer: HttpAnswer): boolean;
  /** Creates the error for an answer with an error status; `what` is the request. */
  refusal(call: Call<unknown> & More, what: string, answer: HttpAnswer): CliError;
  /** Creates the error for an answer that no server of the API gives. */
  foreign(call: Call<unknown> & More, what: string, answer: HttpAnswer): CliError;
  /**
   * How errors name the place of a value that does not fit, such as `results.0.p99` (default: as it is).
   * @param form what the whole answer should be
   */
  placeName?(place: string, form: string): string;
  /** Which redirects are followed (default: none). */
  readonly redirects?: RedirectPolicy;
}

/** The parts that requests need. */
export interface JsonApiParts {
  readonly http: Pick<Http, 'request'>;
  readonly retry: Retry;
  /** Aborted when the command ends. */
  readonly signal: AbortSignal;
}

/** Where a redirect may lead: the target, and the URL that redirects to it. */
export type MayFollow = (target: URL, from: string) => Promise<boolean> | boolean;

/** A client for JSON over HTTP, with limits, retries and doubts about lost answers. */
export interface JsonApi<More> {
  call<T>(call: Call<T> & More): Promise<T>;
  /** Sends a call once to one base URL; `mayFollow` replaces that of the dialect. */
  send<T>(call: Call<T> & More, baseUrl: string, mayFollow?: MayFollow): Promise<T>;
}

/** Creates the client of an API without sending a request. */
export function createJsonApi<More>(dialect: Dialect<More>, parts: JsonApiParts): JsonApi<More> {
  const { doubts } = dialect;
  const { retry, signal } = parts;
  return {
    async call<T>(call: Call<T> & More) {
      const attempts = (http: JsonApiParts['http'], once = (attempt: () => Promise<T>) => attempt()): Promise<T> => {
        const attempt = () => once(() => dialect.at(call, (url) => sendOnce(dialect, http, call, url)));
        return call.once ? attempt() : retry(call.doing, attempt);
      };
      if (!isChange(call)) return await attempts(parts.http);
      return await withDoubt(call, { doubts, http: parts.http, signal }, (once, http) => attempts(http, once));
    },
    send(call, baseUrl, mayFollow) {
      const { redirects } = dialect;
      const given = redirects && mayFollow ? { ...dialect, redirects: { ...redirects, mayFollow } } : dialect;
      return sendOnce(given, parts.http, call, baseUrl);
    },
  };
}

async function sendOnce<T, More>(
  dialect: Dialect<More>,
  http: JsonApiParts['http'],
  call: Call<T> & More,
  baseUrl: string,
): Promise<T> {
  const { answer, url, authorization } = await sendAuthorized(dialect, http, call, baseUrl);
  const { method, takesAnyStatus, secrets = [] } = call;
  const what = `${method} ${briefUrl(url)}`;
  const told = (): HttpAnswer => answerWithout(answer, [...secretsOfHeader(authorization), ...secrets]);
  if (!takesAnyStatus) {
    if (answer.status < 200 || answer.status > 299) throw dialect.refusal(call, what, told());
    if (dialect.isEmpty(answer)) return read(dialect, call, undefined, what);
  }
  const body = dialect.parse === undefined ? (call.parse ?? parseJson)(answer.body) : dialect.parse(call, answer.body);
  if (body === undefined && !takesAnyStatus) throw dialect.foreign(call, what, told());
  return read(dialect, call, body, what);
}

function read<T, More>(dialect: Dialect<More>, call: Call<T>, body: unknown, what: string): T {
  try {
    return call.read(body, what);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const { form = 'object' } = call;
    const place = error.place === '' ? form : (dialect.placeName?.(error.place, form) ?? error.place);
    throw badAnswer(what, place, dialect.addressHint);
  }
}

/** An answer, where it came from, and what was sent there. */
interface Sent {
  readonly answer: HttpAnswer;
  readonly url: string;
  readonly authorization: string | undefined;
}

/** Sends a request, with another authorization if the first one is refused, and follows its redirects. */
async function sendAuthorized<More>(
  dialect: Dialect<More>,
  http: JsonApiParts['http'],
  call: Call<unknown> & More,
  baseUrl: string,
): Promise<Sent> {
  const { redirects } = dialect;
  const watched: JsonApiParts['http'] = {
    request(request) {
      dialect.sending?.(call, request.url);
      return http.request(request);
    },
  };
  const send = async (authorization: string | undefined): Promise<Sent> => {
    const request = requestOf(dialect, call, baseUrl + call.path + queryText(call.query), authorization);
    if (redirects === undefined) return { answer: await watched.request(request), url: request.url, authorization };
    return { ...(await sendFollowing(request, watched, call.doing, redirects)), authorization };
  };
  const authorization = await dialect.authorization();
  const first = await send(authorization);
  if (first.answer.status !== 401 || authorization === undefined) return first;
  const other = await dialect.renewed?.(authorization);
  return other === undefined ? first : await send(other);
}

function requestOf<More>(
  { mediaType, maxBytes }: Dialect<More>,
  call: Call<unknown> & More,
  url: string,
  authorization: string | undefined,
): HttpRequest {
  const { method, body } = call;
  const type = mediaType?.(call) ?? 'application/json';
  return {
    method,
    url,
    changes: isChange(call),
    maxBytes,
    headers: {
      accept: type,
      ...(body === undefined ? {} : { 'content-type': typeOf(body, type) }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: isWritten(body) ? body : JSON.stringify(body) }),
  };
}

function isWritten(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function typeOf(body: unknown, json: string): string {
  if (typeof body === 'string') return 'text/plain';
  return isWritten(body) ? 'application/octet-stream' : json;
}
