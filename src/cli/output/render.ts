import { CliError, type ExitCode, exitCodeOfResult, exitCodes } from '../../errors.ts';
import { exactJson } from '../../format/exact-json.ts';
import { gathered, type Text } from '../../format/pieces.ts';
import { printableText } from '../../format/printable.ts';
import type { View } from '../../format/view.ts';
import { width } from '../../format/width.ts';
import type { Command, GivenValues, RawOutput } from '../command.ts';
import type { Printer } from './output.ts';

/** How a result is rendered. */
export interface Rendering {
  readonly format: 'text' | 'wide' | 'json' | 'yaml';
  readonly view: View;
  /** Whether standard output is a terminal, where JSON is indented. */
  readonly isTerminal: boolean;
  /** Whether text that was printed can be replaced: on a terminal that moves its cursor. */
  readonly redraws: boolean;
  /** The values of the command line. */
  readonly values: GivenValues;
}

/** The exit code of a result, and what determines it: the result, or the first item of a stream that failed. */
interface Printed {
  readonly exitCode: ExitCode;
  readonly failed?: unknown;
  /** How many lines were printed. */
  readonly lines?: number;
}

/** Prints the result of a command, whole or item by item. */
export async function printResult(
  result: unknown,
  command: Command,
  printer: Printer,
  rendering: Rendering,
): Promise<Printed> {
  if (isRaw(result)) return { exitCode: await result.pump(printer) };
  if (!isStream(result)) {
    const lines = await printItem(result, { command, printer, rendering });
    return { exitCode: exitCodeOf(result, command, rendering), failed: result, lines };
  }
  let printed: Printed = { exitCode: exitCodes.ok };
  const isText = rendering.format === 'text' || rendering.format === 'wide';
  const print = command.show.redraws && isText && rendering.redraws ? redrawing() : printItem;
  for await (const item of result) {
    if (rendering.format === 'yaml') await printer.write('---\n');
    await print(item, { command, printer, rendering });
    if (printed.exitCode === exitCodes.ok) printed = { exitCode: exitCodeOf(item, command, rendering), failed: item };
  }
  return printed;
}

function exitCodeOf(item: unknown, { show }: Command, { values }: Rendering): ExitCode {
  return show.exitCode === undefined ? exitCodeOfResult(item) : show.exitCode(item, values);
}

interface Printing {
  readonly command: Command;
  readonly printer: Printer;
  readonly rendering: Rendering;
}

/** How many characters are written at once; the pieces of a long text are made one after the other. */
const charactersAtOnce = 64 * 1024;

/** Prints an item; returns how many lines it has. */
async function printItem(item: unknown, { command, printer, rendering }: Printing): Promise<number> {
  const text = await renderItem(item, command, rendering);
  let lines = 0;
  for (const piece of typeof text === 'string' ? [text] : gathered(text, charactersAtOnce)) {
    await printer.write(piece);
    lines += piece.split('\n').length - 1;
  }
  return lines;
}

/** Prints each item in the place of the one before. */
function redrawing(): typeof printItem {
  let drawn = 0;
  return async (item, { command, printer, rendering }) => {
    const text = await renderItem(item, command, rendering);
    // Without the empty line that separates it from the one before elsewhere.
    const whole = (typeof text === 'string' ? text : [...text].join('')).replace(/^\n/, '');
    // Moves up to the first line and clears the screen from there.
    await printer.write(drawn === 0 ? whole : `\u001b[${drawn}A\u001b[J${whole}`);
    drawn = linesOn(whole, rendering.view.columns);
    return drawn;
  };
}

/** How many lines of the terminal a text takes, whose longest lines go on in the next one. */
function linesOn(text: string, columns = Number.POSITIVE_INFINITY): number {
  const lines = text.split('\n').slice(0, -1);
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / columns)), 0);
}

async function renderItem(item: unknown, { show }: Command, rendering: Rendering): Promise<Text> {
  const { format, view, isTerminal, values } = rendering;
  if (format === 'text' || format === 'wide') {
    const text =
      format === 'wide' && show.wide !== undefined ? show.wide(item, view, values) : show.text(item, view, values);
    return show.literal ? text : printableOf(text, view.color);
  }
  const shown = show.json === undefined ? item : show.json(item);
  if (format === 'yaml') return await toYaml(shown);
  return Array.isArray(shown) && shown.length > 0 ? jsonPieces(shown, isTerminal) : `${toJson(shown, isTerminal)}\n`;
}

function printableOf(text: Text, isColored: boolean): Text {
  if (typeof text === 'string') return printableText(text, isColored);
  return Iterator.from(text).map((piece) => printableText(piece, isColored));
}

/** The JSON of a list, one item after the other, with the same bytes as `toJson`. */
function* jsonPieces(items: readonly unknown[], isTerminal: boolean): Iterable<string> {
  const [between, indent] = isTerminal ? ['\n', '  '] : ['', ''];
  for (const [at, item] of items.entries()) {
    // A line break within JSON belongs to the layout: those in texts are escaped.
    const json = toJson(item, isTerminal).replaceAll('\n', `\n${indent}`);
    yield `${at === 0 ? '[' : ','}${between}${indent}${json}`;
  }
  yield `${between}]\n`;
}

/**
 * JSON on one line, or indented for a terminal. Control characters are escaped, without loss; integers beyond 2^53
 * keep all their digits.
 */
export function toJson(value: unknown, isTerminal = false): string {
  return printableText(exactJson(value, isTerminal ? 2 : undefined));
}

/** Plain data as a YAML document without line folding and anchors; texts that YAML 1.1 reads as booleans are quoted. */
export async function toYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  const options = { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const;
  try {
    const text = stringify(value, options);
    if (printableText(text) === text) return text;
    // YAML interprets escapes only in double-quoted strings.
    return printableText(stringify(value, { ...options, defaultStringType: 'QUOTE_DOUBLE' }));
  } catch (error) {
    // The package is recursive.
    if (!(error instanceof RangeError)) throw error;
    throw new CliError(exitCodes.failure, 'unable to print the result as YAML: it is nested too deeply', {
      hints: ['print it with --format json'],
      cause: error,
    });
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isRaw(value: unknown): value is RawOutput {
  return typeof value === 'object' && value !== null && 'pump' in value && 'type' in value && value.type === 'raw';
}
