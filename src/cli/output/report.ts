import type { GlobalFlags } from '../../context.ts';
import { CliError, CliErrors, type ExitCode, exitCodes } from '../../errors.ts';
import { printableMessage, printableText } from '../../format/printable.ts';
import { paint, type Style } from '../../format/style.ts';
import { width } from '../../format/width.ts';
import { wrapLine } from '../../format/wrap.ts';
import type { Host } from '../../host/host.ts';
import { wantsColor } from './color.ts';
import { toJson, toYaml } from './render.ts';

/** The flags that determine how an error is written. */
export type ReportFlags = Pick<GlobalFlags, 'format' | 'verbosity' | 'color'>;

/** Writes an error to stderr in the output format and returns its exit code. */
export async function reportError(error: unknown, host: Host, flags: ReportFlags): Promise<ExitCode> {
  const failure = error instanceof CliError ? error : defect(error);
  // The user knows why the command ended: after Ctrl-C at a prompt, or when the reader of the output has gone away.
  const isKnown = failure.exitCode === exitCodes.brokenPipe || failure.code === 'INTERRUPTED';
  if (isKnown && failure.hints.length === 0) return failure.exitCode;
  const text = isMachine(flags.format)
    ? await machineText(failure, flags.format, host)
    : personText(failure, host, flags);
  writeError(host, text + (flags.verbosity >= 2 ? stackText(error) : ''));
  return failure.exitCode;
}

/** Writes to stderr; failures, such as a closed pipe, are ignored. */
export function writeError(host: Host, text: string): void {
  const { stream } = host.stderr;
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  stream.write(text);
}

/** Whether the format is for programs, which get no warnings about deprecated flags. */
export function isMachine(format: GlobalFlags['format']): format is 'json' | 'yaml' {
  return format === 'json' || format === 'yaml';
}

function defect(error: unknown): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(exitCodes.failure, `unexpected error: ${reason}`, {
    code: 'INTERNAL',
    hints: ['report this defect of weir, with the output of the same command with -vv'],
    cause: error,
  });
}

const labels = { 'weir:': 'red', 'hint:': 'cyan', 'warning:': 'yellow' } as const satisfies Record<string, Style>;

/** A label and a message for people, in lines that fit the terminal. */
export function labeled(label: keyof typeof labels, text: string, host: Host, color: GlobalFlags['color']): string {
  const shown = fitted(`${label} ${printableMessage(text)}`, host.stderr.columns);
  if (!wantsColor(color, host.env, host.stderr)) return shown;
  return paint(labels[label], label) + shown.slice(label.length);
}

/**
 * Breaks text at spaces. A command of weir and what follows it stay on one line, so that it can be copied, and so does
 * an indented line: a caret may point into it.
 */
export function fitted(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('  ')) return [line];
      // A control character stands for the spaces in a command: printable text contains none.
      const unbroken = line.replace(/(?<=^|[ (])weir [a-z].*/, (command) => command.replaceAll(' ', '\0'));
      return wrapLine(unbroken, columns, width).map((part) => part.replaceAll('\0', ' '));
    })
    .join('\n');
}

function personText(error: CliError, host: Host, { color }: ReportFlags): string {
  const messages = error instanceof CliErrors ? error.errors.map(({ message }) => message) : [error.message];
  return [
    ...messages.map((message) => `${labeled('weir:', message, host, color)}\n`),
    ...error.hints.map((hint) => `${labeled('hint:', hint, host, color)}\n`),
  ].join('');
}

async function machineText(error: CliError, format: 'json' | 'yaml', { stderr }: Host): Promise<string> {
  const data = {
    error: {
      code: error.code,
      message: error.message,
      hint: error.hints.length === 0 ? null : error.hints.join('\n'),
      target: error.target ?? null,
      retryable: error.passesLater,
      ...(error.records !== undefined && { records: error.records }),
    },
  };
  return format === 'json' ? `${toJson(data, stderr.isTerminal)}\n` : await toYaml(data);
}

function stackText(error: unknown): string {
  const lines: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { name, message, stack = '' } = at;
    const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
    lines.push([`${depth === 0 ? '' : 'caused by: '}${name}: ${printableMessage(message)}`, ...frames, ''].join('\n'));
  }
  return printableText(lines.join(''));
}
