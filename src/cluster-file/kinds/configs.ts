import { formOf, inUnitOf } from '../../format/config-units.ts';
import { compareText } from '../../format/order.ts';
import type { Facts } from '../../kafka/records/filter/rule.ts';
import {
  described,
  either,
  exact,
  leftOut,
  measure,
  nothing,
  type Shape,
  string,
  truth,
  Unfit,
} from '../../shape/shape.ts';
import { byName, Faults, items, parsed } from '../file/fields.ts';
import type { Difference } from '../plan/plan-rows.ts';
import { factsOf } from './kind.ts';

/** The value of a config in a file: text, a number, a list; null unsets it. */
const value: Shape<string | null> = parsed(either(string, exact, measure, truth, nothing, items(string)), (given) =>
  given === null ? null : Array.isArray(given) ? given.join(',') : String(given),
);

/** Configs by key; null for one that is unset. */
export type Configs = Readonly<Record<string, string | null>>;

/** The configs of something in a file: durations and sizes may have units. */
const configsShape: Shape<Configs> = {
  ...byName(value),
  take(given) {
    const taken = byName(value).take(given);
    if (taken instanceof Unfit) return taken;
    const configs = Object.entries(taken).map(
      ([key, text]) => [key, text === null ? null : inUnitOf(key, text)] as const,
    );
    const faults = configs.flatMap(([key, text]) => {
      const why = text === null ? undefined : formOf(key, text);
      return why === undefined ? [] : [{ way: [key], why }];
    });
    return faults.length > 0 ? new Faults(faults) : Object.fromEntries(configs);
  },
};

/** The field `configs`. */
export const configsField = leftOut(
  described(configsShape, 'configs by key; durations and sizes may have units (7d, 10MB), and null unsets one'),
);

/**
 * Compares the configs of the files with those that were set on the cluster: defaults are no difference.
 * @param isStrict whether what is set and not named is a difference
 */
export function compareConfigs(
  wanted: Configs,
  set: ReadonlyMap<string, string>,
  isStrict: boolean,
): readonly Difference[] {
  const named = Object.entries(wanted).flatMap(([key, to]): Difference[] => {
    const from = set.get(key) ?? null;
    return isSameValue(key, from, to) ? [] : [{ path: `configs.${key}`, from, to }];
  });
  const others = isStrict ? [...set].filter(([key]) => !Object.hasOwn(wanted, key)) : [];
  const unset = others.map(([key, from]) => ({ path: `configs.${key}`, from, to: null }));
  return [...named, ...unset].sort((a, b) => compareText(a.path, b.path));
}

/** Whether two values of a config mean the same: numbers by value, truths without regard to case, lists as sets. */
export function isSameValue(key: string, one: string | null, other: string | null): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  return normalized(key, one) === normalized(key, other);
}

/** Redpanda keeps times as nanoseconds of 64 bits, and what is longer (292 years) as the longest. */
const longestMs = 2n ** 63n / 1_000_000n;

function normalized(key: string, text: string): string {
  // What is in front of a list, such as `racks:` of redpanda.leaders.preference. One of these has an order.
  const [, before = '', list = text] = /^([a-z_]+:)(.*)$/s.exec(text.trim()) ?? [];
  const words = list.split(',').map((word) => word.trim());
  if (before === 'ordered_racks:') return `${before}${words.join(',')}`;
  if (before !== '' || words.length > 1) return `${before}${[...new Set(words)].sort().join(',')}`;
  return normalizedWord(key, words[0] ?? '');
}

function normalizedWord(key: string, word: string): string {
  if (/^[+-]?\d+$/.test(word)) {
    const value = BigInt(word.replace(/^\+/, ''));
    return String(key.endsWith('.ms') && value > longestMs ? longestMs : value);
  }
  if (/^[+-]?\d*\.?\d+(?:e[+-]?\d+)?$/i.test(word)) return String(Number(word));
  if (key === 'compression.type' && word === 'uncompressed') return 'none';
  return /^(?:true|false)$/i.test(word) ? word.toLowerCase() : word;
}

/** What rules see of configs: numbers, and true and false, as such. */
export function configFacts(configs: Configs = {}): Facts {
  const all = Object.entries(configs);
  return factsOf(Object.fromEntries(all.map(([key, text]) => [key, text === null ? undefined : configFact(text)])));
}

/** The text of a config as rules see it. */
export function configFact(text: string): Facts[string] {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  return /^-?\d+\.\d+$/.test(text) ? Number(text) : text;
}

const prefix = 'configs.';

/** The changes of configs among differences. */
export function configChangesIn(changes: readonly Difference[]) {
  return changes
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path, to }) => ({
      key: path.slice(prefix.length),
      operation: to === null ? ('delete' as const) : ('set' as const),
      value: to ?? undefined,
    }));
}
