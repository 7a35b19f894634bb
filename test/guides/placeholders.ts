/** What differs from run to run: in a guide, any value of the same shape may stand for it. */
const placeholders: readonly RegExp[] = [
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/, // UUIDs of resource groups
  /\b[0-9a-v]{20}\b/, // ids of the control plane
  /(?<="topic_id":")[\w-]{22}/,
  /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/, // times
  /\b1[6-9]\d{11}\b/, // timestamps of records
  /\b127\.0\.0\.1:\d{4,5}\b/, // addresses of a sandbox
  /\b\d+(?:\.\d+)?m?s(?=, globals)/, // how long something was retried
  /\b\d+(?= attempts in)/, // how often
  /(?<=running +)\d+$/, // ids of processes
];
const anyPlaceholder = new RegExp(placeholders.map(({ source }) => source).join('|'), 'gm');

/** The values that stand in a guide for those of this run. */
export interface Values {
  /** A text of the guide with this run's values. */
  actual(text: string): string;
  /**
   * Whether the guide's text is the actual one but for values of the same shape. Their widths do not matter, and each
   * stands for the same actual value wherever it occurs.
   */
  matches(shown: string, actual: string): boolean;
  /** An actual text with the guide's values, as far as they are known. */
  shown(text: string): string;
}

/** Starts with no value known. */
export function createValues(): Values {
  const known = new Map<string, string>();
  const replaceAll = (text: string, pairs: Iterable<readonly [string, string]>) =>
    [...pairs].reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  return {
    actual: (text) => replaceAll(text, known),
    shown: (text) =>
      replaceAll(
        text,
        [...known].map(([shown, actual]) => [actual, shown]),
      ),
    matches(shown, actual) {
      if (masked(shown) !== masked(actual)) return false;
      const values = valuesOf(actual);
      const pairs = valuesOf(shown).map((value, index) => [value, values[index] ?? ''] as const);
      // A time or an address of the page may stand for several.
      const isId = (value: string) => /^[0-9a-v-]{20,}$/.test(value);
      if (pairs.some(([value, now]) => isId(value) && (known.get(value) ?? now) !== now)) return false;
      for (const [value, now] of pairs) if (!known.has(value)) known.set(value, now);
      return true;
    },
  };
}

function masked(text: string): string {
  return text.replace(anyPlaceholder, '<value>').replace(/ {2,}/g, '  ').replace(/-{3,}/g, '---');
}

function valuesOf(text: string): readonly string[] {
  return [...text.matchAll(anyPlaceholder)].map(([value]) => value);
}
