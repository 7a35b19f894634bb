import { isObject } from '../../http/reply.ts';
import { invalid, type Violation } from './api-error.ts';

/** A reader of an object in a request, which collects the problems of its fields. */
export interface Fields {
  /** The object as sent; empty when the value was not an object. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Reads a required text. */
  text(name: string, rule?: TextRule): string;
  /** Reads an optional text. */
  optionalText(name: string, rule?: TextRule): string | undefined;
  /** Reads a required text that must be one of `words`. */
  choice(name: string, words: readonly string[]): string;
  optionalChoice(name: string, words: readonly string[]): string | undefined;
  /** Reads a required, non-empty list of distinct texts. */
  texts(name: string): readonly string[];
  /** Reads an optional object. */
  optionalObject(name: string): Readonly<Record<string, unknown>> | undefined;
  reject(name: string, description: string): void;
  /** Rejects every field that is not among these. */
  only(names: readonly string[]): void;
  /** Ends the reading. @throws ApiError with all problems found */
  check(): void;
}

/** The pattern that a text must match. */
interface TextRule {
  readonly pattern: RegExp;
  readonly description: string;
}

/** Reads the fields of `body`; `at` is the prefix of field names in violations, for example `cluster.`. */
export function readFields(body: unknown, at: string): Fields {
  const violations: Violation[] = [];
  const reject = (name: string, description: string) => void violations.push({ field: `${at}${name}`, description });
  if (!isObject(body)) violations.push({ field: at.replace(/\.$/, '') || 'body', description: 'must be an object' });
  const sent = isObject(body) ? body : {};

  function optionalText(name: string, rule?: TextRule): string | undefined {
    const value = sent[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') reject(name, 'must be a text');
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
      if (!isObject(value)) reject(name, 'must be an object');
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

function readTexts(value: unknown): readonly string[] | string {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list with at least one item';
  const texts = value.filter((item): item is string => typeof item === 'string' && item !== '');
  if (texts.length < value.length) return 'every item must be a text';
  return new Set(texts).size < texts.length ? 'must not contain an item twice' : texts;
}
