import { invalidError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { Misfit, read, type Shape } from '../../shape/shape.ts';
import type { HttpRequest } from '../http.ts';

/** One request to an API, with everything that its client must know about it. */
export interface ApiCall<T> extends CallOptions {
  /** The action for error messages, for example `read the brokers`. */
  readonly doing: string;
  readonly method: HttpRequest['method'];
  /** The path below the base URL. */
  readonly path: ApiPath;
  /** Asked if a repeated request is refused: whether that is because an earlier one has made the change. */
  isDone?(): Promise<boolean>;
  /**
   * Looks, before the request is repeated and when a repeated one is refused, for the effect of one whose answer was lost;
   * undefined if there is none.
   */
  look?(): Promise<T | undefined>;
  /**
   * Reads what the call is about from the answer; undefined for an empty one.
   * @param what the request, for errors
   * @throws Misfit for an answer of another form
   */
  read(body: unknown, what: string): T;
}

/** What a call may say besides its action, method, path and answer. */
export interface CallOptions {
  readonly query?: Query;
  /** A body, sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
  /** The secrets in the body: errors do not repeat them, even if the server does. */
  readonly secrets?: readonly string[];
  /** Whether the request changes something (default: whether it is not a GET). */
  readonly changes?: boolean;
  /**
   * Whether the request can be repeated although an earlier one may have arrived (default: whether it changes nothing). One
   * that cannot is repeated only if it was not sent, or if the answer says that nothing was done.
   */
  readonly repeats?: boolean;
  /**
   * Sends the request once, whatever happens: for one of several nodes, whose failure is reported and must not hold up the
   * others until the limit of the command.
   */
  readonly once?: true;
  /** Parses the answer (default: `parseJson`); undefined if it has another form. */
  parse?(body: Buffer): unknown;
  /** Reads every answer, whatever its status. */
  readonly takesAnyStatus?: true;
  /** What the whole answer should be, for errors, for example `list of brokers` (default: `object`). */
  readonly form?: string;
}

/** The shape of an answer, or a function that reads it; the function gets undefined for an empty one. */
export type Answer<T> = Shape<T> | ApiCall<T>['read'];

/** The functions that declare calls; `More` is what the calls of one API may say besides. */
export interface Calls<More> {
  /** Declares a read. */
  get<T>(doing: string, path: ApiPath, answer: Answer<T>, more?: CallOptions & More): ApiCall<T> & More;
  post: DeclareChange<More>;
  put: DeclareChange<More>;
  patch: DeclareChange<More>;
  delete: DeclareChange<More>;
}

/** Declares a change, whose answer is ignored unless its shape is given. */
type DeclareChange<More> = <T = void>(
  doing: string,
  path: ApiPath,
  more?: CallOptions & More & Pick<ApiCall<T>, 'isDone' | 'look'> & { readonly answer?: Answer<T> },
) => ApiCall<T> & More;

/** The functions that declare the calls of one API, as data that its client sends. */
export function callsOf<More = unknown>(): Calls<More> {
  const change =
    (method: ApiCall<unknown>['method']): DeclareChange<More> =>
    (doing, path, more) => ({ ...(more as CallOptions & More), doing, method, path, read: readerOf(more?.answer) });
  return {
    get: (doing, path, answer, more) => ({
      ...(more as CallOptions & More),
      doing,
      method: 'GET',
      path,
      read: readerOf(answer),
    }),
    post: change('POST'),
    put: change('PUT'),
    patch: change('PATCH'),
    delete: change('DELETE'),
  };
}

function readerOf<T>(answer: Answer<T> | undefined): ApiCall<T>['read'] {
  if (answer === undefined) return () => undefined as T;
  if (typeof answer === 'function') return answer;
  return (body) => {
    // A list that is left out is empty; an answer that is left out is none.
    if (body === undefined || body === null) throw new Misfit();
    return read(answer, body);
  };
}

declare const encoded: unique symbol;

/** A path that `pathOf` has made: no other text can be the path of a call. */
export type ApiPath = string & { readonly [encoded]: true };

/** A path with every part percent-encoded: names may contain `/`, `%`, spaces and `:`. */
export function pathOf(strings: TemplateStringsArray, ...parts: readonly (string | number)[]): ApiPath {
  return strings.reduce((path, text, at) => path + encodePart(String(parts[at - 1])) + text) as ApiPath;
}

function encodePart(part: string): string {
  // URL parsers resolve "." and "..", even percent-encoded, so the request would be about something else.
  if (part !== '' && part !== '.' && part !== '..' && part.isWellFormed()) return encodeURIComponent(part);
  throw invalidError(`invalid name "${excerpt(part)}": it cannot be part of a URL`, { target: part });
}

/** Parameters of a URL; those that are undefined or false are not sent, and a list is sent as several. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Returns `?a=b&c=d`, or '' without parameters. */
export function queryText(query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === false) continue;
    for (const one of Array.isArray(value) ? value : [value]) given.append(name, String(one));
  }
  return given.size === 0 ? '' : `?${given}`;
}
