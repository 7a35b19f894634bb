import { excerpt } from '../../format/excerpt.ts';
import { diffLines } from '../../format/line-diff.ts';
import type { NewSchema } from '../../registry/rows.ts';
import { isObject } from '../../shape/object.ts';
import type { Difference } from '../plan/plan-rows.ts';

/** The most differences of one schema that a plan shows. */
const mostShown = 12;

const path = 'schema';

/** What differs between the latest version of a subject and the schema of the files: fields by their names, or lines. */
export function schemaDifferences(
  latest: Pick<NewSchema, 'type' | 'text'>,
  wanted: Pick<NewSchema, 'type' | 'text'>,
): readonly Difference[] {
  if (latest.type !== wanted.type) return [{ path: 'type', from: latest.type, to: wanted.type }];
  const all = wanted.type === 'PROTOBUF' ? lineDifferences(latest.text, wanted.text) : dataDifferences(latest, wanted);
  if (all.length <= mostShown) return all;
  return [...all.slice(0, mostShown), { path, from: null, to: `and ${all.length - mostShown} more` }];
}

function dataDifferences(latest: Pick<NewSchema, 'text'>, wanted: Pick<NewSchema, 'text'>): readonly Difference[] {
  const [from, to] = [dataOf(latest.text), dataOf(wanted.text)];
  return from === undefined || to === undefined ? lineDifferences(latest.text, wanted.text) : compared(path, from, to);
}

function dataOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The differences of two values: of the fields of objects, and of lists of what has names, by the names. */
function compared(at: string, from: unknown, to: unknown): readonly Difference[] {
  const [old, fresh] = [fieldsByName(from), fieldsByName(to)];
  if (old !== undefined && fresh !== undefined && Array.isArray(from) === Array.isArray(to)) {
    const names = [...new Set([...old.keys(), ...fresh.keys()])];
    return names.flatMap((name) => compared(`${at}.${name}`, old.get(name), fresh.get(name)));
  }
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  return [{ path: at, from: shown(from), to: shown(to) }];
}

/** The fields of an object, or the items of a list that all have names; undefined for another value. */
function fieldsByName(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isObject(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const names = value.flatMap((item: unknown) => (isObject(item) && typeof item.name === 'string' ? [item.name] : []));
  if (new Set(names).size < value.length) return undefined;
  return new Map(names.map((name, index) => [name, value[index] as unknown]));
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  return excerpt(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The changed lines: one that was replaced has both texts. */
function lineDifferences(before: string, after: string): readonly Difference[] {
  const differences: Difference[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      differences.push({ path, from: removed[at] ?? null, to: added[at] ?? null });
    [removed, added] = [[], []];
  };
  for (const { sign, text } of diffLines(before.trimEnd(), after.trimEnd())) {
    if (sign === ' ') flush();
    else if (text.trim() !== '') (sign === '-' ? removed : added).push(excerpt(text.trim()));
  }
  flush();
  return differences;
}
