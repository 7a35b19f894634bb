import { inputError, needMore, type ReadStep, type Run } from './parse-run.ts';
import { type FieldName, storeRaw } from './parse-text.ts';

/** A regular expression for input, in which each byte is a character. */
export interface InputRegex {
  readonly regex: RegExp;
  /** Its source in the layout, for errors. */
  readonly body: string;
  /** Whether it can match the line end; only an expression that names it can. */
  readonly seesNewline: boolean;
}

/**
 * Compiles a regular expression in Go syntax, as far as common parts of it differ from JavaScript: `(?i)` and `(?s)` at
 * the beginning, `(?P<name>`, `\A`, `\z`, `[[:digit:]]`; a carriage return is a character like others.
 * @throws SyntaxError if it is invalid
 */
export function compileInputRegex(body: string): InputRegex {
  const [opening = '', letters = ''] = /^\(\?([ims]+)\)/.exec(body) ?? [];
  const source = translate(body.slice(opening.length), letters.includes('s') ? '[\\s\\S]' : '[^\\n]');
  const regex = new RegExp(`(?:${source})`, letters.includes('i') ? 'iy' : 'y');
  return { regex, body, seesNewline: /\\n|\n/.test(body) };
}

/** Matches a set in brackets, another construct of more than one character, or a single character. */
const pieces = /\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\(\?P<|\\[\s\S]|[\s\S]/gu;

function translate(body: string, dot: string): string {
  return body.replace(pieces, (piece) => {
    if (piece.length > 1 && piece.startsWith('[')) return translateSet(piece);
    return replacementOf(piece, dot) ?? piece;
  });
}

function replacementOf(piece: string, dot: string): string | undefined {
  switch (piece) {
    case '.':
      return dot;
    case '$':
      return '(?![^\\n])';
    case '\\A':
      return '^';
    case '\\z':
      return '(?![\\s\\S])';
    case '(?P<':
      return '(?<';
    default:
      // A character of several bytes.
      return piece > '\x7f' ? `(?:${Buffer.from(piece).toString('latin1')})` : undefined;
  }
}

const classes: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x00-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', '!-\\/:-@\\[-`{-~'],
  ['space', '\\t\\n\\v\\f\\r '],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
]);

/** Translates a set; a closing bracket that comes first is a member of it. */
function translateSet(set: string): string {
  return set.replace(/^(\[\^?)\]/, '$1\\]').replace(/\[:(\^?\w+):\]/g, (whole, name: string) => {
    const members = classes.get(name);
    if (members === undefined) throw new SyntaxError(`unknown class "${whole}"`);
    return members;
  });
}

const newline = 0x0a;

/**
 * Creates a step that reads the text matched by a regular expression at the current position, within a complete line.
 */
export function regexStep(name: FieldName, { regex, body, seesNewline }: InputRegex): ReadStep {
  return (run) => {
    const line = lineAt(run, seesNewline);
    if (line === undefined) return false;
    regex.lastIndex = 0;
    const match = regex.exec(line);
    if (match === null) throw inputError(run, `nothing matches /${body}/`);
    storeRaw(run, run.fields[name], match[0].length);
    run.at += match[0].length;
    return true;
  };
}

/** Returns the rest of the current line with one character per byte; undefined until the whole line has arrived. */
function lineAt(run: Run, withNewline: boolean): string | undefined {
  const position = run.consumed + run.at;
  const earlier = run.line;
  if (earlier === undefined || position > earlier.to) {
    const start = run.base + run.at;
    const lineEnd = run.bytes.indexOf(newline, run.base + Math.max(run.searched, run.at));
    const isThere = lineEnd >= 0 && lineEnd < run.end;
    if (!isThere && !run.isEnded) {
      run.searched = run.end - run.base;
      return void needMore(run);
    }
    run.searched = 0;
    const to = isThere ? lineEnd : run.end;
    const text = run.bytes.toString('latin1', start, isThere ? lineEnd + 1 : to);
    run.line = { from: position, to: position + to - start, text };
  }
  const line = run.line as NonNullable<Run['line']>;
  return line.text.slice(position - line.from, withNewline ? undefined : line.to - line.from);
}
