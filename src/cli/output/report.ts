import type { GlobalFlags } from '../../context.ts';
import { CliError, CliErrors, type ExitCode, exitCodes } from '../../errors.ts';
import { printableMessage, printableText } from '../../format/printable.ts';
import { paint } from '../../format/style.ts';
import type { Host } from '../../host.ts';
import { wantsColor } from './color.ts';
import { toJson, toYaml } from './render.ts';

/** The flags that determine how an error is written. */
export type ReportFlags = Pick<GlobalFlags, 'format' | 'verbosity' | 'color'>;

/** Writes an error to stderr in the output format and returns its exit code. */
export async function reportError(error: unknown, host: Host, flags: ReportFlags): Promise<ExitCode> {
  const known = error instanceof CliError ? error : defect(error);
  // The user knows why the command ended: after Ctrl-C at a prompt, or when the reader of the output has gone away.
  const isKnown = known.exitCode === exitCodes.brokenPipe || known.code === 'INTERRUPTED';
  if (isKnown && known.hints.length === 0) return known.exitCode;
  const text = isMachine(flags.format) ? await machineText(known, flags.format, host) : personText(known, host, flags);
  writeError(host, text + (flags.verbosity >= 2 ? stackText(error) : ''));
  return known.exitCode;
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

function personText(error: CliError, host: Host, { color }: ReportFlags): string {
  const colored = wantsColor(color, host.env, host.stderr);
  const label = (style: 'red' | 'cyan', text: string) => (colored ? paint(style, text) : text);
  const messages = error instanceof CliErrors ? error.errors.map(({ message }) => message) : [error.message];
  return [
    ...messages.map((message) => `${label('red', 'weir:')} ${printableMessage(message)}\n`),
    ...error.hints.map((hint) => `${label('cyan', 'hint:')} ${printableMessage(hint)}\n`),
  ].join('');
}

async function machineText(error: CliError, format: 'json' | 'yaml', { stderr }: Host): Promise<string> {
  const data = {
    error: {
      code: error.code,
      message: error.message,
      hint: error.hints.length === 0 ? null : error.hints.join('\n'),
      target: error.target ?? null,
      retryable: error.retryable,
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
