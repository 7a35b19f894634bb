import { CliError, usageError, withHints } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import type { Http, HttpAnswer, HttpRequest } from './http.ts';
import { HttpError } from './http-error.ts';

/** A path with every part percent-encoded: names may contain `/`, `%`, spaces and `:`. */
export function pathOf(strings: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  return strings.reduce((path, text, at) => path + encodePart(String(parts[at - 1])) + text);
}

function encodePart(part: string): string {
  // URL parsers resolve "." and "..", even percent-encoded, so the request would be about something else.
  if (part !== '' && part !== '.' && part !== '..' && part.isWellFormed()) return encodeURIComponent(part);
  throw usageError(`invalid name "${excerpt(part)}": it cannot be part of a URL`, { target: part });
}

/** Parameters of a URL; those that are undefined or false are not sent. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns `?a=b&c=d`, or '' without parameters. */
export function queryText(query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== false) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given}`;
}

/** A user name and a password. */
export interface Credentials {
  readonly user: string;
  readonly pass: string;
}

/** The value of the header `Authorization` for basic authentication. */
export function basicAuth({ user, pass }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`;
}

/** Keeps a request that may have arrived from being sent again. */
export function onceSent(error: unknown, server: string): unknown {
  if (!(error instanceof HttpError) || !error.sent || !error.retryable) return error;
  const { message, code, hints, target, cause } = error;
  const details = { sent: true, code, hints: [...hints, doubtAbout(server)], retryable: false, cause };
  return new HttpError(message, target === undefined ? details : { ...details, target });
}

/** What a call that changes something is made with. */
export interface ChangeParts {
  /** For example `registry`. */
  readonly server: string;
  readonly http: Pick<Http, 'request'>;
  readonly signal: AbortSignal;
}

/**
 * Runs a call that changes something. If the end of the command cuts a request of it short, the error says that the change
 * may be made.
 * @param call given the client to send its requests with
 */
export async function sayIfCut<T>(
  { server, http, signal }: ChangeParts,
  call: (http: Pick<Http, 'request'>) => Promise<T>,
): Promise<T> {
  let isUnanswered = false;
  const onStart = (): void => {
    isUnanswered = true;
  };
  async function request(given: HttpRequest): Promise<HttpAnswer> {
    const answer = await http.request({ ...given, onStart });
    isUnanswered = false;
    return answer;
  }
  try {
    return await call({ request });
  } catch (error) {
    const isCut = isUnanswered && signal.aborted && error === signal.reason;
    throw isCut && error instanceof CliError ? withHints(error, [doubtAbout(server)]) : error;
  }
}

/** The hint for a change of which nobody knows whether it was made. */
export function doubtAbout(server: string): string {
  return `the ${server} may have made the change: check before you repeat the command`;
}
