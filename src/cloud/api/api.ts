import { CliError, exitCodes } from '../../errors.ts';
import type { Http } from '../../net/http.ts';
import { HttpError } from '../../net/http-error.ts';
import { fieldsOf, isFields, parseJson } from '../../net/json.ts';
import { type Call, callsOf } from '../../net/json-api/call.ts';
import { type JsonApi, openJsonApi } from '../../net/json-api/client.ts';
import type { Retry } from '../../net/retry.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Filters } from '../cloud.ts';
import type { Fields } from '../cloud-rows.ts';
import { answerError, isPassing } from './api-error.ts';

/** What a call to the control plane may say besides. */
interface CloudCall {
  /** Whether the call is one of the older API, some of whose answers are lists or texts. */
  readonly isLegacy?: true;
}

/** The functions that declare calls to the control plane. */
export const calls = callsOf<CloudCall>();

/** The parts that requests to the control plane need. */
export interface ApiParts {
  readonly http: Pick<Http, 'request'>;
  readonly tokens: Pick<Tokens, 'get' | 'renew'>;
  readonly retry: Retry;
  /** Aborted when the command ends. */
  readonly signal: AbortSignal;
  readonly apiUrl: string;
  readonly legacyUrl: string;
  readonly warn: (line: string) => void;
}

/** A read request. */
export type Read = Pick<Call<unknown>, 'doing' | 'path'>;

/** A request that changes something. It is repeated only after looking for the effect of the previous one. */
export interface Change<T> extends Read, Required<Pick<Call<T>, 'look' | 'read'>> {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly body?: Fields;
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

/** Opens the control plane API without sending a request. */
export function openApi(parts: ApiParts): Api {
  const json = openControlPlane(parts);
  const whole = { method: 'GET', read: (body: unknown) => (body === undefined ? {} : body) } as const;
  return {
    get: (read) => json.call({ ...read, ...whole }),
    legacy: (read) => json.call({ ...read, ...whole, isLegacy: true }),
    change: (change) =>
      json.call({
        ...change,
        async look() {
          const found = await change.look();
          if (found !== undefined) {
            const { method, path } = change;
            parts.warn(`the response to ${method} ${path} was lost, but the server had accepted the request`);
          }
          return found;
        },
      }),
    async list(read, key, filters) {
      const items: Fields[] = [];
      const seen = new Set<string>();
      for (let token = ''; ; ) {
        const body = fieldsOf(await json.call({ ...read, ...whole, query: queryOf(filters, token) }));
        const page = body[key];
        if (Array.isArray(page)) items.push(...page.map(fieldsOf));
        token = typeof body.next_page_token === 'string' ? body.next_page_token : '';
        if (token === '') return items;
        if (seen.has(token) || seen.size >= mostPages) throw endless(read.doing, seen.size + 1);
        seen.add(token);
      }
    },
  };
}

function queryOf(filters: Filters, token: string) {
  const given = Object.entries(filters).map(([name, value]) => [`filter.${name}`, value] as const);
  return { ...Object.fromEntries(given), page_size: pageSize, page_token: token === '' ? undefined : token };
}

function endless(doing: string, pages: number): CliError {
  return new CliError(exitCodes.failure, `unable to ${doing}: the list did not end after ${pages} pages`, {
    code: 'ENDLESS_PAGES',
  });
}

function openControlPlane({ http, tokens, retry, signal, apiUrl, legacyUrl }: ApiParts): JsonApi<CloudCall> {
  return openJsonApi<CloudCall>(
    {
      doubts: {
        mayBeMade: (status) => status !== 429 && isPassing(status),
        hint: (doing) => `check whether the request to ${doing} was accepted before you repeat it`,
      },
      maxBytes: 16 * 1024 * 1024,
      addressHint: checkAddress,
      at: ({ isLegacy = false }, send) => send(isLegacy ? legacyUrl : apiUrl),
      authorization: async () => bearer + (await tokens.get()),
      async renewed(refused) {
        const token = await tokens.renew(refused.slice(bearer.length));
        return token === undefined ? undefined : bearer + token;
      },
      parse({ isLegacy = false }, body) {
        const json = parseJson(body);
        return isLegacy || isFields(json) ? json : undefined;
      },
      isEmpty: ({ body }) => body.length === 0,
      refusal: ({ doing }, what, answer) => answerError(doing, what, answer),
      foreign: ({ doing }, what) => notJson(doing, what),
    },
    { http, retry, signal },
  );
}

const bearer = 'Bearer ';
const checkAddress = 'check that cloud.api_url is the address of a control plane';

function notJson(doing: string, what: string): HttpError {
  return new HttpError(`unable to ${doing}: the response to ${what} is not a JSON object`, {
    sent: true,
    code: 'BAD_ANSWER',
    hints: [checkAddress],
    // The response may have been damaged in transit. A change is checked before it is repeated.
    retryable: true,
    target: what,
  });
}
