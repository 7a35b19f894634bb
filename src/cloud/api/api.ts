import { CliError, exitCodes } from '../../errors.ts';
import { createHosts, type FirstContact } from '../../net/hosts.ts';
import { HttpError, isPassing } from '../../net/http-error.ts';
import { parseJson } from '../../net/json.ts';
import { type ApiCall, callsOf } from '../../net/json-api/call.ts';
import { createJsonApi, type JsonApi, type JsonApiParts } from '../../net/json-api/client.ts';
import type { Dialect } from '../../net/json-api/dialect.ts';
import { type Fields, isObject } from '../../shape/object.ts';
import { at, listOf, orElse, row, string } from '../../shape/shape.ts';
import type { Tokens } from '../../sign-in/control-plane/token-source.ts';
import { pathOfAll, pathOfOne, type Resource } from '../cloud-rows.ts';
import { answerError } from './api-error.ts';

/** What a call to the control plane may say besides. */
interface CloudCallOptions {
  /** Whether the call is one of the older API, some of whose answers are lists or texts. */
  readonly isLegacy?: true;
}

/** One request to the control plane. */
export type CloudCall<T> = ApiCall<T> & CloudCallOptions;

/** The functions that declare calls to the control plane. A change says how its effect is looked for. */
export const calls = callsOf<CloudCallOptions>();

/** The parts that requests to the control plane need. */
export interface ApiParts extends JsonApiParts {
  readonly tokens: Pick<Tokens, 'get' | 'renew'>;
  readonly apiUrl: string;
  readonly legacyUrl: string;
  readonly firstContact: FirstContact;
  readonly warn: (line: string) => void;
}

/** Requests to the control plane. A change is repeated only after checking that the previous request was not accepted. */
export type Api = Pick<JsonApi<CloudCallOptions>, 'call'>;

/** Creates the control plane API without sending a request. */
export function createApi({ tokens, apiUrl, legacyUrl, firstContact, warn, ...parts }: ApiParts): Api {
  const hosts = createHosts([apiUrl], firstContact);
  const legacyHosts = createHosts([legacyUrl], firstContact);
  const dialect: Dialect<CloudCallOptions> = {
    doubts: {
      mayBeMade: ({ status }) => status !== 429 && isPassing(status),
      hint: (doing) => `check whether the request to ${doing} was accepted before you repeat it`,
    },
    made: ({ method, path }) =>
      warn(`the response to ${method} ${path} was lost, but the server had accepted the request`),
    credentials: { token: tokens.get, renew: tokens.renew, option: 'WEIR_CLOUD_TOKEN' },
    hosts: ({ isLegacy = false }) => (isLegacy ? legacyHosts : hosts),
    maxBytes: 16 * 1024 * 1024,
    isEmpty: () => false,
    parse({ isLegacy = false }, body) {
      if (body.length === 0) return {};
      const json = parseJson(body);
      return isLegacy || isObject(json) ? json : undefined;
    },
    refusal: ({ doing }, what, answer) => answerError(doing, what, answer),
    foreign: ({ doing }, what) => notJson(doing, what),
    addressHint: checkAddress,
  };
  return createJsonApi(dialect, parts);
}

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

/** Reads one resource. */
export async function getOne<T extends Fields>(api: Api, resource: Resource<T>, id: string): Promise<T> {
  return await api.call(calls.get(`read the ${resource.noun} ${id}`, pathOfOne(resource, id), resource.answer));
}

const pageSize = 100;
const mostPages = 1000;

/** Where a list is and what it is called, if that is not where all resources of its type are. */
type ListCall = Pick<CloudCall<unknown>, 'doing' | 'path'>;

/** The lists without a size of their pages: the API's document has this one, and no pages in it. */
const unsized = ['role binding'];

/** List filters by the API's names after `filter.`, for example `name_contains` or `scope.resource_type`. */
export type Filters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads all pages of a list. */
export async function listAll<T extends Fields>(
  api: Api,
  { noun, answer }: Resource<T>,
  filters: Filters,
  { doing, path }: ListCall = { doing: `list the ${noun}s`, path: pathOfAll({ noun }) },
): Promise<readonly T[]> {
  const page = row({
    items: at(`${noun.replaceAll(' ', '_')}s`, orElse(listOf(answer), [])),
    next: at('next_page_token', orElse(string, '')),
  });
  const given = Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filter.${name}`, value]));
  const items: T[] = [];
  const seen = new Set<string>();
  for (let token = ''; ; ) {
    const size = unsized.includes(noun) ? undefined : pageSize;
    const query = { ...given, page_size: size, page_token: token === '' ? undefined : token };
    const { items: more, next } = await api.call(calls.get(doing, path, page, { query }));
    for (const item of more) items.push(item);
    if (next === '') return items;
    if (seen.has(next) || seen.size >= mostPages) throw endless(doing, seen.size + 1);
    token = next;
    seen.add(token);
  }
}

function endless(doing: string, pages: number): CliError {
  return new CliError(exitCodes.failure, `unable to ${doing}: the list did not end after ${pages} pages`, {
    code: 'ENDLESS_PAGES',
  });
}
