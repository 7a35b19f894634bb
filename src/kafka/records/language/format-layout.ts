import { invalidError } from '../../../errors.ts';
import { pointedAt } from '../../../format/caret.ts';

/**
 * A layout being read. The functions here are shared by the output and the input language: they read escapes, braces
 * and delimited bodies character by character, and report errors with their position.
 */
export interface Layout {
  readonly text: string;
  /** The name of the layout in errors: `record format` or `input layout`. */
  readonly what: string;
  /** The current position in `text`. */
  at: number;
}

/** Creates a usage error that shows the layout with a caret under `at`. */
export function layoutError(layout: Layout, at: number, reason: string, hints: readonly string[] = []): Error {
  return invalidError(`invalid ${layout.what}: ${reason}${pointedAt(layout.text, at)}`, {
    code: 'INVALID_FORMAT',
    target: layout.what,
    hints,
  });
}

/** Whether the layout continues with `word` at its position; if so, skips it. */
export function takeWord(layout: Layout, word: string): boolean {
  if (!layout.text.startsWith(word, layout.at)) return false;
  layout.at += word.length;
  return true;
}

const simpleEscapes: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['r', 0x0d],
  ['\\', 0x5c],
]);

/** Reads the escape whose backslash is at the layout's position, and returns its byte. */
export function readEscape(layout: Layout): number {
  const { text, at } = layout;
  const letter = text[at + 1];
  if (letter === undefined) throw layoutError(layout, at, 'incomplete escape at the end (write \\\\ for a backslash)');
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) {
    layout.at += 2;
    return simple;
  }
  if (letter !== 'x') throw layoutError(layout, at, `unknown escape "\\${letter}" (use \\t, \\n, \\r, \\\\ or \\xNN)`);
  const digits = text.slice(at + 2, at + 4);
  if (!/^[0-9a-fA-F]{2}$/.test(digits)) throw layoutError(layout, at, 'expected two hex digits after "\\x"');
  layout.at += 4;
  return Number.parseInt(digits, 16);
}

/** Reads up to the next `}` and skips it; the position must be after the `{`. */
export function readBraced(layout: Layout, verb: string): string {
  const end = layout.text.indexOf('}', layout.at);
  if (end < 0) throw layoutError(layout, layout.at - 1, `the brace after %${verb} is not closed`);
  const body = layout.text.slice(layout.at, end);
  layout.at = end + 1;
  return body;
}

const closers: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
]);

/** A delimited body and its position in the layout. */
export interface Delimited {
  readonly body: string;
  readonly at: number;
}

/**
 * Reads `<D>body<D>}`: the first character, repeated any number of times, opens the body; as many of its counterpart
 * close it; then comes the closing brace of the modifier.
 */
export function readDelimited(layout: Layout, word: string): Delimited {
  const { text, at: start } = layout;
  const opener = text[start];
  if (opener === undefined || opener === '}') {
    throw layoutError(layout, start, `expected a delimiter after "${word}", for example ${word}[…]`);
  }
  let bodyAt = start;
  while (text[bodyAt] === opener) bodyAt++;
  const closer = (closers.get(opener) ?? opener).repeat(bodyAt - start);
  const end = text.indexOf(closer, bodyAt);
  if (end < 0) throw layoutError(layout, start, `missing closing "${closer}" of "${word}"`);
  layout.at = end + closer.length;
  if (!takeWord(layout, '}')) throw layoutError(layout, layout.at, `expected "}" after ${word}`);
  return { body: text.slice(bodyAt, end), at: bodyAt };
}

/** Reads the layout nested in `%h{…}` up to its own closing brace; the position must be after the opening one. */
export function readNested(layout: Layout): Delimited {
  const { text, at: start } = layout;
  let depth = 1;
  // The first character is never the closing brace: `%h{}` contains no layout.
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if ((character !== '{' && character !== '}') || text[at - 1] === '%') continue;
    depth += character === '{' ? 1 : -1;
    if (depth > 0) continue;
    layout.at = at + 1;
    return { body: text.slice(start, at), at: start };
  }
  throw layoutError(layout, start - 1, 'the brace after %h is not closed or contains no layout');
}
