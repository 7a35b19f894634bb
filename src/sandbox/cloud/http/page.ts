import type { Violation } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import type { World } from '../world.ts';
import { ApiError, invalid } from './api-error.ts';
import type { CloudRequest } from './request.ts';
import { ok } from './request.ts';

/** One `filter.…` query parameter of a list. */
export interface Filter<T> {
  /** The name of the parameter without `filter.`. */
  readonly name: string;
  /** The allowed values; undefined for any text. */
  readonly words?: readonly string[];
  /** Checks whether an item matches the values of the parameter, which may be repeated. */
  matches(item: T, values: readonly string[]): boolean;
}

/** The items of a list, their filters and their form in the response. */
interface List<T> {
  /** The key of the response that holds the items. */
  readonly key: string;
  readonly items: Iterable<T>;
  readonly filters: readonly Filter<T>[];
  show(item: T): unknown;
}

/** A filter that matches any of the given values. */
export function isAnyOf<T>(name: string, of: (item: T) => string, words?: readonly string[]): Filter<T> {
  const matches = (item: T, values: readonly string[]) => values.includes(of(item));
  return words === undefined ? { name, matches } : { name, words, matches };
}

/** A filter that matches when the text contains every value, ignoring case. */
export function contains<T>(name: string, of: (item: T) => string): Filter<T> {
  return {
    name,
    matches: (item, values) => values.every((value) => of(item).toLowerCase().includes(value.toLowerCase())),
  };
}

/**
 * Returns one page of a list, in order of creation.
 * @throws ApiError for unknown parameters, values and page tokens
 */
export function page<T extends { readonly sequence: number }>(
  world: World,
  request: CloudRequest,
  list: List<T>,
): Reply {
  const { settings } = world.state;
  checkQuery(request.query, list.filters);
  const size = pageSize(request.query, settings.pageSize);
  const asked = [...request.query].filter(([name]) => name.startsWith('filter.')).sort();
  const filter = JSON.stringify([list.key, asked]);
  const after = readToken(request.query.get('page_token') ?? '', filter);
  const items = [...list.items]
    .filter((item) => meets(item, request.query, list.filters))
    .sort((a, b) => a.sequence - b.sequence)
    .filter((item) => item.sequence > after);
  const shown = items.slice(0, size);
  const last = shown.at(-1);
  const more = last !== undefined && items.length > shown.length;
  return ok({ [list.key]: shown.map(list.show), next_page_token: more ? writeToken(last.sequence, filter) : '' });
}

function meets<T>(item: T, query: URLSearchParams, filters: readonly Filter<T>[]): boolean {
  return filters.every((filter) => {
    const values = query.getAll(`filter.${filter.name}`).filter((value) => value !== '');
    return values.length === 0 || filter.matches(item, values);
  });
}

function checkQuery(query: URLSearchParams, filters: readonly Filter<never>[]): void {
  const violations: Violation[] = [];
  for (const [name, value] of query) {
    if (['page_size', 'page_token', 'read_mask'].includes(name)) continue;
    const filter = filters.find((candidate) => `filter.${candidate.name}` === name);
    if (filter === undefined) violations.push({ field: name, description: 'unknown query parameter' });
    if (value !== '' && filter?.words !== undefined && !filter.words.includes(value))
      violations.push({ field: name, description: `unknown value "${value}"` });
  }
  if (violations.length > 0) throw invalid(violations);
}

function pageSize(query: URLSearchParams, largest: number): number {
  const text = query.get('page_size') ?? '';
  if (text === '' || text === '0') return largest;
  if (!/^\d{1,9}$/.test(text)) throw invalid([{ field: 'page_size', description: 'must be a whole number' }]);
  return Math.min(Number(text), largest);
}

interface Token {
  readonly after: number;
  readonly filter: string;
}

function writeToken(after: number, filter: string): string {
  return Buffer.from(JSON.stringify({ after, filter } satisfies Token)).toString('base64url');
}

function readToken(text: string, filter: string): number {
  if (text === '') return 0;
  const token = decodeToken(text);
  if (token === undefined)
    throw new ApiError('INVALID_ARGUMENT', 'invalid page token', { reason: 'REASON_INVALID_PAGE_TOKEN' });
  if (token.filter !== filter)
    throw new ApiError('INVALID_ARGUMENT', 'the page token belongs to a list with other filters', {
      reason: 'REASON_PAGE_TOKEN_FILTER_MISMATCH',
    });
  return token.after;
}

function decodeToken(text: string): Token | undefined {
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Partial<Token>;
    const { after, filter } = token;
    return typeof after === 'number' && typeof filter === 'string' ? { after, filter } : undefined;
  } catch {
    return undefined;
  }
}
