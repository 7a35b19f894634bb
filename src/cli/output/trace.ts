import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RequestEvent } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { printableText } from '../../format/printable.ts';
import { showUtcTime } from '../../format/time.ts';
import type { Host } from '../../host.ts';
import { writeError } from './report.ts';

/** Where `--trace` writes: one JSON object per request. */
export interface TraceFile {
  write(event: RequestEvent): void;
  close(): void;
}

/**
 * Opens the trace: `-` is stderr, anything else a file of its own (0600), replaced when it exists.
 * @throws CliError when the file cannot be written
 */
export function openTrace(target: string, host: Host): TraceFile {
  const line = (event: RequestEvent) =>
    `${printableText(JSON.stringify({ time: showUtcTime(host.now()), ...event }))}\n`;
  if (target === '-') return { write: (event) => writeError(host, line(event)), close: () => {} };
  let file: number;
  try {
    file = openSync(resolve(host.cwd, target), 'w', 0o600);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(`unable to write the trace: ${reason}`, { target: '--trace', cause: error });
  }
  // Written at once: a trace is most wanted when the process ends badly.
  return { write: (event) => void writeSync(file, line(event)), close: () => closeSync(file) };
}
