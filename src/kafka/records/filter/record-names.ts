/** What is known of a value before it is seen. */
export type Type = 'any' | 'bool' | 'int' | 'double' | 'text' | 'null' | 'list' | 'map';

interface Meaning {
  readonly type: Type;
  readonly meaning: string;
}

/** The names of a record: those of Kafka UI (kafbat), and the topic. */
export const recordNames = {
  key: { type: 'any', meaning: 'the key: fields if it is JSON or decoded, otherwise text; null if there is none' },
  value: { type: 'any', meaning: 'the value, likewise; null for a tombstone' },
  headers: { type: 'map', meaning: 'the headers by name, as text; of several with one name, the last' },
  partition: { type: 'int', meaning: 'the partition' },
  offset: { type: 'int', meaning: 'the offset' },
  timestampMs: { type: 'int', meaning: 'the timestamp in milliseconds since the epoch' },
  keyAsText: { type: 'text', meaning: 'the key as text, even if it is JSON' },
  valueAsText: { type: 'text', meaning: 'the value as text, even if it is JSON' },
  topic: { type: 'text', meaning: 'the topic' },
} as const satisfies Readonly<Record<string, Meaning>>;

/** A name of a record that expressions can use. */
export type RecordName = keyof typeof recordNames;

/** The functions and methods of expressions, with an example each, for help. */
export const functionForms: readonly (readonly [form: string, meaning: string])[] = [
  ['TEXT.contains("x")', 'whether a text contains another; also startsWith and endsWith'],
  ['TEXT.matches("^a+$")', 'whether a regular expression (RE2 syntax) matches anywhere in a text'],
  ['x in LIST', 'whether a list has an element, or a map has a name'],
  ['has(value.a.b)', 'whether a field exists'],
  ['size(x)', 'the length of a text, list or map; also x.size()'],
  ['LIST.exists(x, x.a > 1)', 'whether the condition holds for any element; also all, exists_one, filter and map'],
  ['TEXT.lowerAscii()', 'the text in lower case; also upperAscii and trim'],
  ['int(x), double(x), string(x)', 'conversions'],
];

/** Checks whether `name` is a name of a record. */
export function isRecordName(name: string): name is RecordName {
  return Object.hasOwn(recordNames, name);
}
