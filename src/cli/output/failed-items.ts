import { CliError, type ExitCode, type ItemError, isItemError, notChangedCode } from '../../errors.ts';
import { shortList } from '../../format/name-lists.ts';
import { statusText } from '../../format/status.ts';

/** An item of a result, and why it failed. */
interface Item {
  /** What names it, from the outside in: a topic, and one of its configs. */
  readonly names: readonly string[];
  readonly error: ItemError | null;
}

/** How many items that failed are named. */
const mostNamed = 3;

/**
 * What to report of a result in which items failed, for those who do not see it: the first failure, how many there are,
 * and which. Undefined if no item failed: then the result is an answer, such as that of a check.
 */
export function failedItems(result: unknown, exitCode: ExitCode): CliError | undefined {
  const items = [...itemsIn(result, [])];
  const failed = items.flatMap(({ names, error }) => (error === null ? [] : [{ names, error }]));
  const causes = failed.filter(({ error }) => error.code !== notChangedCode);
  const [first = failed[0]] = causes;
  if (first === undefined) return undefined;
  const { names, error } = first;
  const text = [...names, statusText(error)].join(': ');
  const of = ` (${failed.length} of ${items.length} failed${nameList(causes.map((one) => one.names.join(': ')))})`;
  return new CliError(exitCode, items.length === 1 ? text : text + of, {
    code: error.code,
    passesLater: error.retryable,
    ...(names.length > 0 && { target: names.join(': ') }),
  });
}

/** The first of several names, and how many more there are; nothing for one. */
function nameList(all: readonly string[]): string {
  const names = [...new Set(all)].filter((name) => name !== '');
  if (names.length < 2) return '';
  return `: ${shortList(names, mostNamed)}`;
}

/** The items of a result: its rows, or the rows inside them that have errors of their own. */
function* itemsIn(value: unknown, outer: readonly string[]): Iterable<Item> {
  if (Array.isArray(value)) for (const row of value) yield* itemsIn(row, outer);
  else if (typeof value === 'object' && value !== null) yield* itemsOf(value, outer);
}

function* itemsOf(row: object, outer: readonly string[]): Iterable<Item> {
  const name = nameOf(row);
  const names = name === undefined || outer.includes(name) ? outer : [...outer, name];
  const errors = Object.values(row).filter(isItemError);
  for (const error of errors) yield { names, error };
  if (errors.length > 0) return;
  const inner = Object.values(row).flatMap((value) => [...itemsIn(value, names)]);
  // A row without a failure is one item, however many rows are inside.
  if ('error' in row && inner.every(({ error }) => error === null)) yield { names, error: null };
  else yield* inner;
}

/** What names a row: its topic and partition, its first field, or the id of its broker. */
function nameOf(row: object): string | undefined {
  const { topic, partition, broker } = row as Readonly<Record<string, unknown>>;
  const first = typeof topic === 'string' ? topic : Object.values(row)[0];
  if (typeof first === 'string') return typeof partition === 'number' ? `${first}/${partition}` : first;
  return typeof broker === 'number' ? `broker ${broker}` : undefined;
}
