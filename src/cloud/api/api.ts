import type { Deadline } from '../../deadline.ts';
import { CliError, exitCodes, rephrased } from '../../errors.ts';
import type { Http, HttpRequest } from '../../net/http.ts';
import { HttpError } from '../../net/http-error.ts';
import { fieldsOf, isFields, parseJson } from '../../net/json.ts';
import type { Retry } from '../../net/retry.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Filters } from '../cloud.ts';
import type { Fields } from '../rows.ts';
import { answerError, CloudError } from './api-error.ts';

/** The parts that requests to the control plane need. */
export interface ApiParts {
  readonly http: Http;
  readonly tokens: Tokens;
  readonly retry: Retry;
  readonly deadline: Deadline;
  readonly apiUrl: string;
  readonly legacyUrl: string;
  readonly warn: (line: string) => void;
}

/** A read request. */
export interface Read {
  /** The action for error messages, for example `read the network x`. */
  readonly doing: string;
  /** The path below the base URL, for example `/v1/networks/x`. */
  readonly path: string;
}

/** A request that changes something. */
export interface Change<T> extends Read {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly body?: Fields;
  read(body: unknown): T;
  /**
   * Checks, after a lost response, whether the server accepted the request. Undefined if it did not, so that the
   * request can be sent again.
   */
  look(): Promise<T | undefined>;
}

/** Requests to the control plane, with a token, limits and retries. */
export interface Api {
  /** Sends a read, retried by the retry rule. */
  get(read: Read): Promise<unknown>;
  /** Reads all pages of a list; `key` is the field that contains the items. */
  list(read: Read, key: string, filters: Filters): Promise<readonly Fields[]>;
  /** Sends a change. It is repeated only after checking that the previous request was not accepted. */
  change<T>(change: Change<T>): Promise<T>;
  /** Sends a read to the older API. */
  legacy(read: Read): Promise<unknown>;
}

const pageSize = 100;
const mostPages = 1000;

/** Whether a body is what an API may answer with. */
type IsAnswer = (body: unknown) => boolean;

/** Opens the control plane API without sending a request. */
export function openApi(parts: ApiParts): Api {
  const { retry, apiUrl, legacyUrl } = parts;
  const get = (doing: string, url: string, isAnswer: IsAnswer = isFields): Promise<unknown> =>
    retry(doing, () => call(parts, doing, { method: 'GET', url }, isAnswer));
  return {
    get: ({ doing, path }) => get(doing, apiUrl + path),
    // Some of its answers are lists or texts.
    legacy: ({ doing, path }) => get(doing, legacyUrl + path, (body) => body !== undefined),
    change: (change) => changeOnce(parts, change),
    async list({ doing, path }, key, filters) {
      const items: Fields[] = [];
      const seen = new Set<string>();
      for (let token = ''; ; ) {
        const body = fieldsOf(await get(doing, `${apiUrl}${path}?${queryOf(filters, token)}`));
        const page = body[key];
        if (Array.isArray(page)) items.push(...page.map(fieldsOf));
        token = typeof body.next_page_token === 'string' ? body.next_page_token : '';
        if (token === '') return items;
        if (seen.has(token) || seen.size >= mostPages) throw endless(doing, seen.size + 1);
        seen.add(token);
      }
    },
  };
}

function queryOf(filters: Filters, token: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) query.append(`filter.${name}`, one);
  query.set('page_size', String(pageSize));
  if (token !== '') query.set('page_token', token);
  return query.toString();
}

function endless(doing: string, pages: number): CliError {
  return new CliError(exitCodes.failure, `unable to ${doing}: the list did not end after ${pages} pages`, {
    code: 'ENDLESS_PAGES',
  });
}

async function changeOnce<T>(parts: ApiParts, change: Change<T>): Promise<T> {
  const { doing, path, method, body } = change;
  const request: HttpRequest = {
    method,
    url: parts.apiUrl + path,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  let lost = false;
  const adopt = async (): Promise<T | undefined> => {
    const found = await change.look();
    if (found !== undefined)
      parts.warn(`the response to ${method} ${path} was lost, but the server had accepted the request`);
    return found;
  };
  let begun = false;
  const attempt = async (): Promise<T> => {
    const before = lost ? await adopt() : undefined;
    if (before !== undefined) return before;
    try {
      begun = true;
      return change.read(await call(parts, doing, request));
    } catch (error) {
      // An earlier request may have arrived after the check, which would explain this refusal.
      const late = lost && isRefusal(error) ? await adopt() : undefined;
      if (late !== undefined) return late;
      lost ||= isLost(error);
      throw error;
    }
  };
  try {
    return await parts.retry(doing, attempt);
  } catch (error) {
    const isOpen = lost || (begun && parts.deadline.signal.aborted);
    throw isOpen && error instanceof CliError && !isRefusal(error) ? doubtful(error, doing) : error;
  }
}

/** Adds a hint that the change may have been made in spite of the error. */
function doubtful(error: CliError, doing: string): CliError {
  if (error.code === 'ANSWER_LOST') return error;
  const hint = `check whether the request to ${doing} was accepted before you repeat it`;
  return rephrased(error, error.message, { hints: [...error.hints, hint], retryAfterMs: undefined });
}

function isRefusal(error: unknown): boolean {
  return error instanceof CloudError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** Whether the server may have made the change without confirming it. */
function isLost(error: unknown): boolean {
  if (error instanceof HttpError) return error.sent;
  return error instanceof CloudError && error.status >= 500 && error.status !== 501;
}

/** Sends one request with a token. If the token is refused, repeats the request once with another token. */
async function call(
  { http, tokens }: ApiParts,
  doing: string,
  request: HttpRequest,
  isAnswer: IsAnswer = isFields,
): Promise<unknown> {
  const send = (token: string) =>
    http.request({
      ...request,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    });
  const token = await tokens.get();
  let answer = await send(token);
  if (answer.status === 401) {
    const other = await tokens.renew(token);
    if (other !== undefined) answer = await send(other);
  }
  const what = `${request.method} ${request.url}`;
  if (answer.status < 200 || answer.status > 299) throw answerError(doing, what, answer);
  if (answer.body.length === 0) return {};
  const body = parseJson(answer.body);
  if (isAnswer(body)) return body;
  throw new HttpError(`unable to ${doing}: the response to ${what} is not a JSON object`, {
    sent: true,
    code: 'BAD_ANSWER',
    hints: ['check that cloud.api_url is the address of a control plane'],
    // The response may have been damaged in transit. A change is checked before it is repeated.
    retryable: true,
    target: what,
  });
}
