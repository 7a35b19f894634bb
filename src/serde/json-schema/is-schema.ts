import { isObject, type JsonValue } from '../json/json-value.ts';
import type { Draft } from './drafts.ts';
import { innerSchemas, Misshapen } from './keywords.ts';

/** Checks whether a value is a schema of a draft; this stands for the draft's own description of its schemas. */
export function isSchemaOf(draft: Draft, value: JsonValue): boolean {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    if (!isObject(next)) return false;
    try {
      open.push(...innerSchemas(next, draft).map(({ schema }) => schema));
    } catch (error) {
      if (error instanceof Misshapen) return false;
      throw error;
    }
  }
  return true;
}
