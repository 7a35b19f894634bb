import { usageError } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import type { Http, HttpRequest } from '../net/http.ts';
import { HttpError } from '../net/http-error.ts';
import type { Retry } from '../net/retry.ts';
import { answerError, notRegistry } from './answer-error.ts';
import { parseJson } from './fields.ts';
import type { Hosts } from './hosts.ts';
import type { RegistryCredentials } from './registry.ts';

/** The media type of registries; without parameters, because some compare it as text. */
const mediaType = 'application/vnd.schemaregistry.v1+json';

/** The largest schema that is read, with room for its escapes in JSON. */
const maxBytes = 64 * 1024 * 1024;

/** One request to the registry. */
export interface Call<T> {
  /** The action for error messages, for example `read the schema 5`. */
  readonly doing: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base URL, made with `pathOf`. */
  readonly path: string;
  /** Parameters; those that are undefined or false are not sent. */
  readonly query?: Readonly<Record<string, string | boolean | undefined>>;
  readonly body?: unknown;
  /** Whether the request can be repeated although an earlier one may have arrived (default: whether it is a GET). */
  readonly repeats?: boolean;
  /**
   * Reads what the call is about from the answer.
   * @param what the request, for errors
   */
  read(body: unknown, what: string): T;
}

/** Requests to the registry, with its limits and retries. */
export interface Api {
  call<T>(call: Call<T>): Promise<T>;
}

/** The parts that requests need. */
export interface ApiParts {
  readonly http: Http;
  readonly hosts: Hosts;
  readonly retry: Retry;
  readonly credentials: RegistryCredentials | undefined;
}

/** A path with every part percent-encoded: subjects may contain `/`, `%`, spaces and `:`. */
export function pathOf(strings: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  return strings.reduce((path, text, at) => path + encodePart(String(parts[at - 1])) + text);
}

function encodePart(part: string): string {
  // URL parsers resolve "." and "..", even percent-encoded, so the request would be about something else.
  if (part !== '' && part !== '.' && part !== '..' && part.isWellFormed()) return encodeURIComponent(part);
  throw usageError(`invalid name "${excerpt(part)}": it cannot be part of a URL`, { target: part });
}

/** Opens the API without sending a request. */
export function openApi(parts: ApiParts): Api {
  return {
    call: (call) =>
      parts.retry(call.doing, () =>
        parts.hosts.attempt(async (baseUrl) => {
          try {
            return await send(parts, call, baseUrl + call.path + queryOf(call));
          } catch (error) {
            throw call.method === 'GET' || call.repeats === true ? error : onceSent(error);
          }
        }),
      ),
  };
}

/** Keeps a request that may have arrived from being sent again. */
function onceSent(error: unknown): unknown {
  if (!(error instanceof HttpError) || !error.sent || !error.retryable) return error;
  const { message, code, hints, target, cause } = error;
  const doubt = 'the registry may have made the change: check before you repeat the command';
  const details = { sent: true, code, hints: [...hints, doubt], retryable: false, cause };
  return new HttpError(message, target === undefined ? details : { ...details, target });
}

async function send<T>({ http, credentials }: ApiParts, call: Call<T>, url: string): Promise<T> {
  const { method, doing, body } = call;
  const request: HttpRequest = {
    method,
    url,
    maxBytes,
    headers: {
      accept: mediaType,
      ...(body === undefined ? {} : { 'content-type': mediaType }),
      ...(credentials === undefined ? {} : { authorization: basic(credentials) }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const answer = await http.request(request);
  const what = `${method} ${url}`;
  // Later statuses than 200 are also used for success: 201, and 204 for deletions by some registries.
  if (answer.status < 200 || answer.status > 299) throw answerError(doing, what, answer);
  if (answer.status === 204) return call.read(undefined, what);
  const parsed = parseJson(answer.body);
  if (parsed === undefined) throw notRegistry(doing, what, answer);
  return call.read(parsed, what);
}

function basic({ user, pass }: RegistryCredentials): string {
  return `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`;
}

function queryOf({ query = {} }: Pick<Call<unknown>, 'query'>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== false) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given}`;
}
