import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestEvent } from '../../clients/parts.ts';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import { writeFaultOf } from '../../files/fault.ts';
import { absolutePath } from '../../files/locations.ts';
import { printableText } from '../../format/printable.ts';
import { showUtcTime } from '../../format/time.ts';
import type { Host } from '../../host/host.ts';
import { writeError } from './report.ts';

/** Where `--trace` writes: one JSON object per request. */
export interface TraceFile {
  /** Never throws: a failure is reported to the listener, and by `close`. */
  write(event: RequestEvent): void;
  /** Calls back once when writing fails, for example because the disk is full or a pipe has lost its reader. */
  onFailure(listener: (error: CliError) => void): void;
  /**
   * Waits up to two seconds for a slow reader of a pipe, then closes the file.
   * @throws CliError when part of the trace was lost
   */
  close(): Promise<void>;
}

/**
 * Opens the trace: stderr for `-`, otherwise a file with mode 0600, which is replaced when it exists.
 * @throws CliError when the file cannot be written
 */
export function openTrace(target: string, host: Host): TraceFile {
  const line = (event: RequestEvent) => {
    const milliseconds = Math.round(event.milliseconds * 1000) / 1000;
    return `${printableText(JSON.stringify({ time: showUtcTime(host.now()), ...event, milliseconds }))}\n`;
  };
  if (target !== '-') return traceInto(openFile(absolutePath(host, target)), line);
  return { write: (event) => writeError(host, line(event)), onFailure: () => {}, close: async () => {} };
}

/** Opens without blocking: a pipe without a reader would block the whole process in `open` or `write`. */
function openFile(path: string): number {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK = 0 } = constants;
  try {
    return openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, 0o600);
  } catch (error) {
    const isUnread = codeOf(error) === 'ENXIO';
    const reason = isUnread ? `: no program reads the pipe ${path}` : ` to ${path}: ${writeFaultOf(error, path)}`;
    throw usageError(`unable to write the trace${reason}`, { target: '--trace', cause: error });
  }
}

const longestQueue = 1024 * 1024;
const closeWithinMs = 2_000;

/** Writes synchronously: a trace matters most when the process ends badly. */
function traceInto(file: number, line: (event: RequestEvent) => string): TraceFile {
  let queue: Buffer = Buffer.alloc(0);
  let failure: CliError | undefined;
  let listener: ((error: CliError) => void) | undefined;

  function fail(reason: string, cause?: unknown): void {
    queue = Buffer.alloc(0);
    failure = new CliError(exitCodes.failure, `unable to write the trace: ${reason}`, {
      code: 'TRACE_FAILED',
      target: '--trace',
      cause,
    });
    listener?.(failure);
  }
  function drain(): void {
    try {
      while (queue.length > 0) queue = queue.subarray(writeSync(file, queue));
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return; // the pipe is full
      fail(
        codeOf(error) === 'EPIPE' ? 'the reader closed the pipe' : error instanceof Error ? error.message : '',
        error,
      );
    }
  }
  return {
    onFailure(given) {
      listener = given;
    },
    write(event) {
      if (failure !== undefined) return;
      queue = Buffer.concat([queue, Buffer.from(line(event))]);
      drain();
      if (queue.length > longestQueue) fail('the reader is too slow');
    },
    async close() {
      const giveUpAt = performance.now() + closeWithinMs;
      for (drain(); queue.length > 0 && performance.now() < giveUpAt; drain()) await sleep(10);
      if (queue.length > 0) fail('the reader is too slow');
      closeSync(file);
      if (failure !== undefined) throw failure;
    },
  };
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
