import type { Hosts } from '../net/hosts.ts';
import type { Http, HttpRequest } from '../net/http.ts';
import { basicAuth, type Credentials, onceSent, type Query, queryText, sayIfCut } from '../net/http-call.ts';
import { HttpError } from '../net/http-error.ts';
import { parseJson } from '../net/json.ts';
import type { Retry } from '../net/retry.ts';
import { briefUrl } from '../net/shown-url.ts';
import { type Advice, answerError, notRegistry } from './answer-error.ts';

/** The media type of registries; without parameters, because some compare it as text. */
const mediaType = 'application/vnd.schemaregistry.v1+json';

/** The largest schema that is read, with room for its escapes in JSON. */
const maxBytes = 64 * 1024 * 1024;

/** The path of the API of other registries in Apicurio Registry. */
export const apicurioPath = /\/apis\/ccompat\/v\d+\/?$/;

/** One request to the registry. */
export interface Call<T> {
  /** The action for error messages, for example `read the schema 5`. */
  readonly doing: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base URL, made with `pathOf`. */
  readonly path: string;
  /** Parameters; those that are undefined or false are not sent. */
  readonly query?: Query;
  readonly body?: unknown;
  /** Hints for error answers, by status or `error_code`. */
  readonly advice?: Advice;
  /** Whether the request can be repeated although an earlier one may have arrived (default: whether it is a GET). */
  readonly repeats?: boolean;
  /** Whether the request is one of Apicurio's own API, below whose base URL the path then is; any answer is read. */
  readonly isNative?: boolean;
  /** Whether the request changes something (default: whether it is not a GET). */
  readonly changes?: boolean;
  /**
   * Reads what the call is about from the answer.
   * @param what the request, for errors
   */
  read(body: unknown, what: string): T;
}

/** Requests to the registry, with its limits and retries. */
export interface Api {
  /** Whether the addresses are those that Apicurio Registry has for the API of other registries. */
  readonly isApicurio: boolean;
  call<T>(call: Call<T>): Promise<T>;
}

/** The parts that requests need. */
export interface ApiParts {
  readonly http: Pick<Http, 'request'>;
  readonly isApicurio: boolean;
  readonly hosts: Hosts;
  readonly retry: Retry;
  readonly credentials: Credentials | undefined;
  /** Aborted when the command ends. */
  readonly signal: AbortSignal;
}

/** Opens the API without sending a request. */
export function openApi(parts: ApiParts): Api {
  async function run<T>(call: Call<T>, http: ApiParts['http']): Promise<T> {
    return await parts.retry(call.doing, () =>
      parts.hosts.attempt(async (baseUrl) => {
        try {
          const base = call.isNative === true ? baseUrl.replace(apicurioPath, '/apis/registry/v3') : baseUrl;
          return await send({ ...parts, http }, call, base + call.path + queryText(call.query));
        } catch (error) {
          throw call.method === 'GET' || call.repeats === true ? error : onceSent(error, 'registry');
        }
      }),
    );
  }
  return {
    isApicurio: parts.isApicurio,
    async call(call) {
      const { http, signal } = parts;
      if (call.changes ?? call.method !== 'GET')
        return await sayIfCut({ server: 'registry', http, signal }, (tracked) => run(call, tracked));
      return await run(call, http);
    },
  };
}

/** Other services, such as Kafka brokers, close the connection when they receive a request. */
function withAddressHint(error: unknown): unknown {
  if (!(error instanceof HttpError) || error.code !== 'CONNECTION_LOST') return error;
  const { message, sent, target, cause, retryable } = error;
  const hints = ['check that registry.hosts is the address of a schema registry, not of a broker'];
  return new HttpError(message, { sent, retryable, hints, cause, ...(target !== undefined && { target }) });
}

async function send<T>({ http, credentials }: ApiParts, call: Call<T>, url: string): Promise<T> {
  const { method, doing, body, isNative = false } = call;
  const type = isNative ? 'application/json' : mediaType;
  const request: HttpRequest = {
    method,
    url,
    maxBytes,
    headers: {
      accept: type,
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(credentials === undefined ? {} : { authorization: basicAuth(credentials) }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const answer = await http.request(request).catch((error: unknown) => {
    throw withAddressHint(error);
  });
  const what = `${method} ${briefUrl(url)}`;
  // Later statuses than 200 are also used for success: 201, and 204 for deletions by some registries.
  if (isNative) return call.read(parseJson(answer.body), what);
  if (answer.status < 200 || answer.status > 299) throw answerError(doing, what, answer, call.advice);
  if (answer.status === 204) return call.read(undefined, what);
  const parsed = parseJson(answer.body);
  if (parsed === undefined) throw notRegistry(doing, what, answer);
  return call.read(parsed, what);
}
