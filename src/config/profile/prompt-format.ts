import { excerpt } from '../../format/excerpt.ts';
import { configError } from '../layer.ts';

/** How a prompt is printed. */
export interface PromptStyle {
  /** Whether to write escape sequences. */
  readonly color: boolean;
  /** The shell whose zero-width markers go around escape sequences. */
  readonly shell?: 'bash' | 'zsh' | 'fish' | undefined;
}

interface Section {
  /** The codes of the SGR (select graphic rendition) sequence. */
  readonly codes: readonly number[];
  /** The parsed text; undefined means the profile's name. */
  readonly text: readonly Piece[] | undefined;
}

/** A literal text, or a placeholder for the profile's name. */
type Piece = string | { readonly name: true };

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const modifiers: ReadonlyMap<string, number> = new Map([
  ...colors.flatMap((color, i): [string, number][] => [
    [color, 30 + i],
    [`bg-${color}`, 40 + i],
    [`hi-${color}`, 90 + i],
    [`bg-hi-${color}`, 100 + i],
  ]),
  ['bold', 1],
  ['faint', 2],
  ['underline', 4],
  ['invert', 7],
]);

/**
 * Renders a prompt format for a profile's name, without a final newline.
 * @throws CliError with the reason and the position of an error in the format
 */
export function renderPrompt(format: string, profile: string, style: PromptStyle): string {
  const sections = parsePrompt(format);
  return sections.map((section) => renderSection(section, stripControls(profile), style)).join('');
}

function renderSection({ codes, text }: Section, profile: string, style: PromptStyle): string {
  const plain = (text ?? [{ name: true as const }])
    .map((piece) => (typeof piece === 'string' ? piece : profile))
    .join('');
  const shown = style.shell === 'zsh' ? plain.replaceAll('%', '%%') : plain;
  if (!style.color || codes.length === 0 || plain === '') return shown;
  return wrapped(`\u001b[${codes.join(';')}m`, style) + shown + wrapped('\u001b[0m', style);
}

/**
 * bash and readline accept the bytes 1 and 2 as zero-width markers even in the output of a command substitution, where
 * backslash markers are no longer interpreted. fish measures escape sequences itself.
 */
function wrapped(sequence: string, { shell }: PromptStyle): string {
  if (shell === 'bash') return `\u0001${sequence}\u0002`;
  return shell === 'zsh' ? `%{${sequence}%}` : sequence;
}

function stripControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
}

/** A format and the current position in it. */
interface Reader {
  readonly format: string;
  at: number;
}

const separators = ' \t,';

function parsePrompt(format: string): readonly Section[] {
  const reader: Reader = { format, at: 0 };
  skipSeparators(reader);
  if (format[reader.at] !== '(') {
    const section = parseSection(reader, '');
    return [section];
  }
  const sections: Section[] = [];
  while (reader.at < format.length) {
    if (format[reader.at] !== '(') throw fault(reader, reader.at, 'expected "(" between groups');
    reader.at += 1;
    skipSeparators(reader);
    if (format[reader.at] !== ')') sections.push(parseSection(reader, ')'));
    if (format[reader.at] !== ')') throw fault(reader, reader.at, 'missing ")" at the end of a group');
    reader.at += 1;
    skipSeparators(reader);
  }
  return sections;
}

/** Parses modifiers and at most one quoted text, up to `end` or the end of the format. */
function parseSection(reader: Reader, end: '' | ')'): Section {
  const codes: number[] = [];
  let text: readonly Piece[] | undefined;
  for (skipSeparators(reader); reader.at < reader.format.length; skipSeparators(reader)) {
    const char = reader.format[reader.at];
    if (char === end) break;
    if (char !== '"') {
      codes.push(parseModifier(reader));
      continue;
    }
    if (text !== undefined) throw fault(reader, reader.at, 'only one quoted text is allowed in a group');
    text = parseQuoted(reader);
  }
  return { codes, text: text === undefined || text.length === 0 ? undefined : text };
}

function parseModifier(reader: Reader): number {
  const start = reader.at;
  const word = /^[^ \t,()"]*/.exec(reader.format.slice(start))?.[0] ?? '';
  const code = modifiers.get(word.toLowerCase());
  if (code === undefined)
    throw fault(reader, start, `unknown modifier "${excerpt(word || (reader.format[start] ?? ''))}"`);
  reader.at += word.length;
  if (reader.format[reader.at] === '"') throw fault(reader, reader.at, 'missing space or comma before the quote');
  return code;
}

function parseQuoted(reader: Reader): readonly Piece[] {
  const { format } = reader;
  const start = reader.at;
  const pieces: Piece[] = [];
  for (let at = start + 1; at < format.length; at += 1) {
    const char = format[at] ?? '';
    const next = format[at + 1];
    if (char === '"') {
      reader.at = at + 1;
      return pieces;
    }
    if (char === '\\' || char === '%') {
      if (next === undefined) break;
      pieces.push(char === '\\' ? next : parsePercent(reader, at, next));
      at += 1;
    } else pieces.push(char);
  }
  throw fault(reader, start, 'missing closing quote');
}

function parsePercent(reader: Reader, at: number, verb: string): Piece {
  if (verb === '%') return '%';
  if (verb === 'n' || verb === 'p') return { name: true };
  throw fault(reader, at, verb === '"' ? 'a single % (write %%)' : `unknown "%${excerpt(verb)}" (use %n, %p or %%)`);
}

function skipSeparators(reader: Reader): void {
  while (reader.at < reader.format.length && separators.includes(reader.format[reader.at] ?? '')) reader.at += 1;
}

function fault({ format }: Reader, at: number, message: string): Error {
  // As for record formats: shows the format below the message, with a caret under the position.
  const place = excerpt(format) === format ? `\n  ${format}\n  ${' '.repeat(at)}^` : '';
  return configError(`invalid prompt format at character ${at + 1}: ${message}${place}`, {
    target: 'globals.prompt',
    hints: ['write it like this: bg-red "%n"'],
  });
}
