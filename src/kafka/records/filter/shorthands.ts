import { isArray, type JsonValue } from '../../../serde/json/json-value.ts';
import type { Compiled, Evaluate } from './compiled.ts';
import { eachHeader, keyIn, keyTextOf, type RecordView, valueIn, valueTextOf } from './record-view.ts';
import type { Shorthand } from './syntax.ts';

/** Compiles a condition that a flag of its own stands for; it is never unknown. */
export function compileShorthand(shorthand: Shorthand): Compiled {
  switch (shorthand.kind) {
    case 'keys':
      return { type: 'bool', shown: '--key', run: hasKey(shorthand.texts) };
    case 'header':
      return { type: 'bool', shown: '--header', run: hasHeader(shorthand.name, shorthand.value) };
    default:
      return { type: 'bool', shown: '--contains', run: contains(shorthand.text) };
  }
}

/** A decoded key that is text is JSON with quotes as text, but without them as a value. */
function hasKey(texts: readonly string[]): Evaluate {
  const wanted: ReadonlySet<JsonValue> = new Set(texts);
  return (view) => wanted.has(keyTextOf(view)) || (view.fields.key?.schema !== undefined && wanted.has(keyIn(view)));
}

/** Any of several headers with this name counts. */
function hasHeader(name: string, value: string | undefined): Evaluate {
  return (view) => {
    let isFound = false;
    eachHeader(view, (headerName, its) => {
      isFound ||= headerName === name && (value === undefined || its === value);
    });
    return isFound;
  };
}

/** In JSON, characters may be escaped, so the texts in it count as well. */
function contains(text: string): Evaluate {
  return (view) =>
    fieldContains(valueTextOf(view), text, () => valueIn(view)) ||
    fieldContains(keyTextOf(view), text, () => keyIn(view)) ||
    headerContains(view, text);
}

function fieldContains(field: string | null, text: string, parsed: () => JsonValue): boolean {
  if (field === null) return false;
  if (field.includes(text)) return true;
  return field.includes('\\') && someText(parsed(), text);
}

function someText(value: JsonValue, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (typeof value !== 'object' || value === null) return false;
  if (isArray(value)) return value.some((item) => someText(item, text));
  return Object.entries(value).some(([name, item]) => name.includes(text) || someText(item, text));
}

function headerContains(view: RecordView, text: string): boolean {
  if (view.cursor.headerCount === 0) return false;
  let isFound = false;
  eachHeader(view, (name, value) => {
    isFound ||= name.includes(text) || (value?.includes(text) ?? false);
  });
  return isFound;
}
