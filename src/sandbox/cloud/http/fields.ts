import { invalid, type Violation } from './api-error.ts';

/** An object of a request whose fields are read one by one; what is wrong is collected. */
export interface Fields {
  /** The object as it was sent; empty when something else was sent. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** A required text. */
  text(name: string, rule?: TextRule): string;
  /** A text that may be left out. */
  optionalText(name: string, rule?: TextRule): string | undefined;
  /** A required word out of some. */
  choice(name: string, words: readonly string[]): string;
  optionalChoice(name: string, words: readonly string[]): string | undefined;
  /** A required list of different texts, not empty. */
  texts(name: string): readonly string[];
  /** An object that may be left out. */
  optionalObject(name: string): Readonly<Record<string, unknown>> | undefined;
  reject(name: string, description: string): void;
  /** Rejects every field that is not among these. */
  only(names: readonly string[]): void;
  /** @throws ApiError with everything that was wrong */
  check(): void;
}

/** What a text must look like. */
export interface TextRule {
  readonly pattern: RegExp;
  readonly description: string;
}

/** Reads the fields of `body`; `at` is what the field names begin with in violations, for example `cluster.`. */
export function readFields(body: unknown, at: string): Fields {
  const violations: Violation[] = [];
  const reject = (name: string, description: string) => void violations.push({ field: `${at}${name}`, description });
  if (!isObject(body))
    violations.push({ field: at.replace(/\.$/, '') || 'body', description: 'an object is expected' });
  const sent = isObject(body) ? body : {};

  function optionalText(name: string, rule?: TextRule): string | undefined {
    const value = sent[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') reject(name, 'a text is expected');
    else if (rule !== undefined && !rule.pattern.test(value)) reject(name, rule.description);
    else return value;
    return '';
  }
  function optionalChoice(name: string, words: readonly string[]): string | undefined {
    const value = optionalText(name);
    if (value !== undefined && !words.includes(value)) reject(name, `unknown value "${value}"`);
    return value;
  }
  const required = (name: string, value: string | undefined) => {
    if (value === undefined) reject(name, 'is required');
    return value ?? '';
  };
  return {
    sent,
    optionalText,
    optionalChoice,
    text: (name, rule) => required(name, optionalText(name, rule)),
    choice: (name, words) => required(name, optionalChoice(name, words)),
    texts(name) {
      const list = readTexts(sent[name]);
      if (typeof list !== 'string') return list;
      reject(name, list);
      return [];
    },
    optionalObject(name) {
      const value = sent[name];
      if (value === undefined || value === null) return undefined;
      if (!isObject(value)) reject(name, 'an object is expected');
      return isObject(value) ? value : {};
    },
    reject,
    only(names) {
      for (const name of Object.keys(sent)) if (!names.includes(name)) reject(name, 'unknown field');
    },
    check() {
      if (violations.length > 0) throw invalid(violations);
    },
  };
}

/** Whether the value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readTexts(value: unknown): readonly string[] | string {
  if (!Array.isArray(value) || value.length === 0) return 'a list with at least one item is expected';
  const texts = value.filter((item): item is string => typeof item === 'string' && item !== '');
  if (texts.length < value.length) return 'every item is a text';
  return new Set(texts).size < texts.length ? 'an item occurs twice' : texts;
}
