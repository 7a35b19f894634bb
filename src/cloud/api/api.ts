import type { Deadline } from '../../deadline.ts';
import { CliError, exitCodes, rephrased } from '../../errors.ts';
import type { Http, HttpRequest } from '../../net/http.ts';
import { HttpError } from '../../net/http-error.ts';
import type { Retry } from '../../net/retry.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Filters } from '../cloud.ts';
import type { Fields } from '../rows.ts';
import { answerError, CloudError, parseJson } from './api-error.ts';
import { fieldsOf } from './fields.ts';

/** What requests to the control plane are made of. */
export interface ApiParts {
  readonly http: Http;
  readonly tokens: Tokens;
  readonly retry: Retry;
  readonly deadline: Deadline;
  readonly apiUrl: string;
  readonly legacyUrl: string;
  readonly warn: (line: string) => void;
}

/** A read. */
export interface Read {
  /** What cannot be done when it fails, for example `read the network x`. */
  readonly doing: string;
  /** Below the base URL, for example `/v1/networks/x`. */
  readonly path: string;
}

/** A request that changes something. */
export interface Change<T> extends Read {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly body?: Fields;
  read(body: unknown): T;
  /**
   * Looks, after an answer was lost, whether the server accepted the request; undefined when it did not, and it
   * may be sent again.
   */
  look(): Promise<T | undefined>;
}

/** The control plane as requests with a token, limits and retries. */
export interface Api {
  /** Repeated by the retry rule. */
  get(read: Read): Promise<unknown>;
  /** All pages of a list; `key` is where the items stand in the answer. */
  list(read: Read, key: string, filters: Filters): Promise<readonly Fields[]>;
  /** Never sent again before it was looked up whether the first was accepted. */
  change<T>(change: Change<T>): Promise<T>;
  /** A read of the older API. */
  legacy(read: Read): Promise<unknown>;
}

const pageSize = 100;
const mostPages = 1000;

/** Opens the way to the control plane; nothing is sent yet. */
export function openApi(parts: ApiParts): Api {
  const { retry, apiUrl, legacyUrl } = parts;
  const get = (doing: string, url: string): Promise<unknown> =>
    retry(doing, () => call(parts, doing, { method: 'GET', url }));
  return {
    get: ({ doing, path }) => get(doing, apiUrl + path),
    legacy: ({ doing, path }) => get(doing, legacyUrl + path),
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
  return new CliError(exitCodes.failure, `unable to ${doing}: the pages do not end (${pages} were read)`, {
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
    if (found !== undefined) parts.warn(`the answer to ${method} ${path} was lost; the server had accepted it`);
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
      // Refused now, because the first one went through after all: it was on its way while we looked.
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

/** The same error, which leaves open whether the change was made. */
function doubtful(error: CliError, doing: string): CliError {
  if (error.code === 'ANSWER_LOST') return error;
  const hint = `the request to ${doing} may have been accepted all the same: look before you repeat it`;
  return rephrased(error, error.message, { hints: [...error.hints, hint], retryAfterMs: undefined });
}

function isRefusal(error: unknown): boolean {
  return error instanceof CloudError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** Whether the server may have done what was asked although it did not say so. */
function isLost(error: unknown): boolean {
  if (error instanceof HttpError) return error.sent;
  return error instanceof CloudError && error.status >= 500 && error.status !== 501;
}

/** One request with a token; refused for its token, once more with another. */
async function call({ http, tokens }: ApiParts, doing: string, request: HttpRequest): Promise<unknown> {
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
  if (body !== undefined) return body;
  throw new HttpError(`unable to ${doing}: the answer to ${what} is not JSON`, {
    sent: true,
    code: 'BAD_ANSWER',
    hints: ['is cloud.api_url the address of a control plane?'],
    // A read is worth another try: the answer may have been garbled on its way. A change is looked up first.
    retryable: true,
    target: what,
  });
}
