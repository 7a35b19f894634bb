import { type Arena, appendBytes } from '../../../bytes/arena.ts';
import { nextHeader, openHeaders } from '../batches/batch-reader.ts';
import { exactTimestamp, type RecordCursor, timestampIsSafe } from '../batches/cursor.ts';
import type { DecodedFields } from './decoding.ts';
import { compileGoTime } from './format-go-time.ts';
import { joinSteps, type Part } from './format-join.ts';
import {
  type Layout,
  layoutError,
  readBraced,
  readDelimited,
  readEscape,
  readNested,
  takeWord,
} from './format-layout.ts';
import { decimal, type NumberFormat, numberFormat } from './format-number.ts';
import { dateParts, strftime } from './format-strftime.ts';
import { textFormat, type WriteText, writeRaw } from './format-text.ts';
import { compileUnpack } from './format-unpack.ts';
import {
  attributeStep,
  attributes,
  counterStep,
  decodedSizeStep,
  markStep,
  markVerbs,
  numberStep,
  numberVerbs,
  type PrintStep,
  type Scope,
  textStep,
  textVerbs,
} from './format-verbs.ts';
import { numberLayouts } from './number-layouts.ts';

/** Appends the text of the record under the cursor to the arena. */
export type CompiledFormat = (cursor: RecordCursor, arena: Arena) => void;

/**
 * Compiles a record format (`%k %v\n`) into a function over raw record bytes. The function keeps the counter of `%i`,
 * so compile once per command. With `fields`, keys and values are those of the record that was decoded last.
 * @throws CliError (usage) with a caret under the error
 */
export function compileFormat(layout: string, fields?: DecodedFields): CompiledFormat {
  return compileScope({ text: layout, what: 'record format', at: 0 }, layout.length, { scope: 'record', fields });
}

/** Compiles `layout` from its position up to `end`. */
function compileScope(layout: Layout, end: number, { scope, fields }: VerbSource): PrintStep {
  const parts: Part[] = [];
  const counter = { count: 0 };
  while (layout.at < end) {
    const { text, at } = layout;
    const character = text[at];
    if (character === '\\') {
      parts.push({ literal: Buffer.of(readEscape(layout)) });
    } else if (character === '%') {
      parts.push(readPercent(layout, end, { scope, fields, counter }));
    } else {
      const next = nextSpecial(text, at, end);
      parts.push({ literal: Buffer.from(text.slice(at, next)) });
      layout.at = next;
    }
  }
  return joinSteps(parts);
}

function nextSpecial(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text[at] !== '%' && text[at] !== '\\') at++;
  return at;
}

/** What the verbs of a layout print. */
interface VerbSource {
  readonly scope: Scope;
  /** The decoded key and value; undefined for the record's own bytes. */
  readonly fields: DecodedFields | undefined;
}

interface Surroundings extends VerbSource {
  readonly counter: { count: number };
}

/** Reads the verb whose percent sign is at the layout's position. */
function readPercent(layout: Layout, end: number, { scope, fields, counter }: Surroundings): Part {
  const { at } = layout;
  const verb = at + 1 < end ? String.fromCodePoint(layout.text.codePointAt(at + 1) ?? 0) : undefined;
  if (verb === undefined) throw layoutError(layout, at, 'incomplete verb at the end (write %% for a percent sign)');
  layout.at = at + 1 + verb.length;
  if (verb === '%' || verb === '{' || verb === '}') return { literal: Buffer.from(verb) };
  // A brace as the very last character is literal text.
  const isBraced = layout.text[layout.at] === '{' && layout.at + 1 < end;
  if (isBraced) layout.at++;
  if (textVerbs.has(verb)) return readText(layout, verb, { scope, fields }, isBraced);
  const step = readStep(layout, verb, { scope, fields, counter }, isBraced);
  if (step === undefined) throw layoutError(layout, at, `unknown verb "%${verb}" (write %% for a percent sign)`);
  return { step };
}

function readText(layout: Layout, verb: string, { scope, fields }: VerbSource, isBraced: boolean): Part {
  const write = isBraced ? readTextModifier(layout, verb) : writeRaw;
  const isPlain = scope === 'record' && fields === undefined && write === writeRaw;
  if (isPlain && verb !== 't') return { raw: verb === 'k' ? 'key' : 'value' };
  return { step: textStep(verb, scope, write, fields) };
}

/** Reads the modifier of a verb that prints no text; undefined for unknown verbs. */
function readStep(layout: Layout, verb: string, surroundings: Surroundings, isBraced: boolean): PrintStep | undefined {
  const { scope, fields, counter } = surroundings;
  if (numberVerbs.has(verb)) {
    const format = readNumberModifier(layout, verb, isBraced);
    const decoded = scope === 'record' ? decodedBy(verb, fields) : undefined;
    return decoded === undefined ? numberStep(verb, scope, format) : decodedSizeStep(decoded, format);
  }
  if (markVerbs.has(verb)) return markStep(verb, readNumberModifier(layout, verb, isBraced));
  if (verb === 'i') return counterStep(counter, readNumberModifier(layout, verb, isBraced));
  if (verb === 'd') return isBraced ? readTimeModifier(layout, scope) : timestampStep(decimal, scope);
  if (verb === 'a') return readAttribute(layout, scope, isBraced);
  return verb === 'h' ? readHeaders(layout, surroundings, isBraced) : undefined;
}

function decodedBy(verb: string, fields: DecodedFields | undefined): DecodedFields['key'] | undefined {
  return verb === 'K' ? fields?.key : verb === 'V' ? fields?.value : undefined;
}

function readNumberModifier(layout: Layout, verb: string, isBraced: boolean): NumberFormat {
  if (!isBraced) return decimal;
  const at = layout.at;
  return numberFormatAt(layout, at, readBraced(layout, verb));
}

function numberFormatAt(layout: Layout, at: number, word: string): NumberFormat {
  const format = numberFormat(word);
  if (format === undefined)
    throw layoutError(layout, at, `unknown number format "${word}" (use ${[...numberLayouts.keys()].join(', ')})`);
  return format;
}

function readTextModifier(layout: Layout, verb: string): WriteText {
  const at = layout.at;
  if (takeWord(layout, 'unpack')) {
    const { body, at: bodyAt } = readDelimited(layout, 'unpack');
    const compiled = compileUnpack(body);
    if (typeof compiled === 'function') return compiled;
    throw layoutError(layout, bodyAt + compiled.index, compiled.reason);
  }
  const word = readBraced(layout, verb);
  const write = textFormat(word);
  if (write === undefined) {
    const hints = /^[a-z_]\w*$/i.test(word) ? [`for a field of JSON, use jq: -f '%${verb}\\n' | jq .${word}`] : [];
    throw layoutError(layout, at, `unknown text format "${word}" (use base64, base64raw, hex or unpack[…])`, hints);
  }
  return write;
}

function timestampStep(format: NumberFormat, scope: Scope): PrintStep {
  if (scope === 'header') return (_cursor, arena) => format.write(arena, 0);
  return (cursor, arena) => {
    if (timestampIsSafe(cursor)) format.write(arena, cursor.timestamp);
    else format.writeExact(arena, exactTimestamp(cursor));
  };
}

function readTimeModifier(layout: Layout, scope: Scope): PrintStep {
  const { at } = layout;
  if (takeWord(layout, 'strftime')) {
    const { body } = readDelimited(layout, 'strftime');
    return textOfTime((time) => strftime(dateParts(time), body), scope, 1000);
  }
  if (takeWord(layout, 'go')) {
    const { body } = readDelimited(layout, 'go');
    const print = compileGoTime(body);
    const stepMs = /[.,][09]/.test(body) ? 1 : 1000;
    return textOfTime((time) => print(dateParts(time)), scope, stepMs);
  }
  const word = readBraced(layout, 'd');
  const format = numberFormat(word);
  if (format !== undefined) return timestampStep(format, scope);
  throw layoutError(layout, at, `unknown time format "${word}" (use strftime[…], go[…] or a number format)`);
}

/**
 * Caches the last text: consecutive records often share their second or millisecond, and the text changes only every
 * `stepMs` milliseconds.
 */
function textOfTime(print: (time: number | bigint) => string, scope: Scope, stepMs: 1 | 1000): PrintStep {
  let lastTime = Number.NaN;
  let lastText = Buffer.alloc(0);
  return (cursor, arena) => {
    if (scope === 'record' && !timestampIsSafe(cursor)) {
      appendBytes(arena, Buffer.from(print(exactTimestamp(cursor))));
      return;
    }
    const timestamp = scope === 'record' ? cursor.timestamp : 0;
    const time = stepMs === 1 ? timestamp : Math.floor(timestamp / stepMs);
    if (time !== lastTime) {
      lastTime = time;
      lastText = Buffer.from(print(timestamp));
    }
    appendBytes(arena, lastText);
  };
}

function readAttribute(layout: Layout, scope: Scope, isBraced: boolean): PrintStep {
  const { at } = layout;
  const names = [...attributes.keys()].join(', ');
  if (!isBraced) throw layoutError(layout, at, `%a needs a name in braces: %a{…} (${names})`);
  const [name = '', modifier] = readBraced(layout, 'a').split(';', 2);
  const attribute = attributes.get(name);
  if (attribute === undefined) throw layoutError(layout, at, `unknown attribute "${name}" (use ${names})`);
  const format = modifier === undefined ? undefined : numberFormatAt(layout, at + name.length + 1, modifier);
  return attributeStep(attribute, scope, format, decimal);
}

function readHeaders(layout: Layout, { scope, fields }: VerbSource, isBraced: boolean): PrintStep {
  if (!isBraced) throw layoutError(layout, layout.at, '%h needs a layout in braces: %h{%k=%v }');
  const { at: bodyAt, body } = readNested(layout);
  const after = layout.at;
  layout.at = bodyAt;
  const each = compileScope(layout, bodyAt + body.length, { scope: 'header', fields });
  layout.at = after;
  // A header has no headers.
  if (scope === 'header') return () => undefined;
  return (cursor, arena) => {
    openHeaders(cursor);
    while (nextHeader(cursor)) each(cursor, arena);
  };
}
