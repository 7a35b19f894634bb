import type { Writable } from 'node:stream';
import { CliError, exitCodes } from '../../errors.ts';
import type { OutputStream } from '../../host/host.ts';
import type { ByteSink } from '../command.ts';

/** Standard output. All output goes through it, so that back-pressure holds and no failure is lost. */
export interface Printer extends ByteSink {
  /** Writes a chunk; a returned promise resolves when the reader has caught up. */
  write(chunk: Uint8Array | string): Promise<void> | undefined;
  /** Resolves when everything written has left the process. */
  flush(): Promise<void>;
  /** Calls back once when writing fails, for example because the reader went away. */
  onFailure(listener: (error: CliError) => void): void;
}

/**
 * Creates the printer of standard output. When its reader goes away, the listeners are called at once, and every later
 * call rejects with the same error (exit code 141), for which nothing is printed.
 */
export function createPrinter(output: OutputStream): Printer {
  // Not a race against one failure promise, which would keep memory of every wait until the end.
  const waiting = new Set<(error: CliError) => void>();
  let failure: CliError | undefined;
  let used = false;
  /** Counted, because a stream of Bun does not say what it holds, and calls back an empty write before all others. */
  let unwritten = 0;
  let flushed: (() => void)[] = [];
  const listeners: ((error: CliError) => void)[] = [];

  function fail(error: NodeJS.ErrnoException): void {
    if (failure !== undefined) return;
    failure = writeError(error);
    for (const reject of waiting) reject(failure);
    waiting.clear();
    for (const listener of listeners) listener(failure);
  }
  function open(): Writable {
    const { stream } = output;
    if (!used) stream.on('error', fail);
    used = true;
    return stream;
  }
  function written(error?: Error | null): void {
    unwritten -= 1;
    if (error) fail(error);
    if (unwritten > 0) return;
    for (const done of flushed) done();
    flushed = [];
  }
  /** Resolves when `start` calls back; rejects when a write fails first. */
  function waitFor(start: (done: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      start(() => {
        waiting.delete(reject);
        resolve();
      });
    });
  }

  return {
    onFailure: (listener) => listeners.push(listener),
    write(chunk) {
      const rest = used ? chunk : restOf(chunk, output.writeDirect);
      if (rest.length === 0) return undefined;
      const stream = open();
      if (failure !== undefined) return Promise.reject(failure);
      unwritten += 1;
      if (stream.write(rest, written)) return undefined;
      return waitFor((done) => stream.once('drain', done));
    },
    async flush() {
      if (failure !== undefined) throw failure;
      if (unwritten > 0) await waitFor((done) => flushed.push(done));
    },
  };
}

/** A longer chunk needs the stream anyway: a pipe takes no more at once. */
const mostDirectBytes = 16 * 1024;

/** Writes a short chunk directly, and returns what is left for the stream. */
function restOf(chunk: Uint8Array | string, writeDirect: OutputStream['writeDirect'] = () => 0): Uint8Array | string {
  if (chunk.length > mostDirectBytes) return chunk;
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  return bytes.subarray(writeDirect(bytes));
}

function writeError(error: NodeJS.ErrnoException): CliError {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') {
    return new CliError(exitCodes.brokenPipe, 'the reader of standard output went away', { code: 'BROKEN_PIPE' });
  }
  return new CliError(exitCodes.failure, `unable to write to standard output: ${error.message}`, { cause: error });
}
