import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

/** The controlling terminal of the process, even if the standard streams are redirected. */
export interface Terminal {
  /** The typed input, in the lines that the terminal's line mode delivers; in raw mode each key at once, also Ctrl-C. */
  readonly input: Readable & { setRawMode?(isRaw: boolean): unknown };
  /** Writes to the screen immediately. */
  write(text: string): void;
  /** Releases the terminal, so that the process can end and others can read it. What was typed ahead is for the next prompt. */
  close(): void;
}

const load = createRequire(import.meta.url);

/** How often the terminal is asked for keys, in milliseconds. */
const lookMs = 20;
const mostKeys = 4096;

/** What was read at an earlier prompt and not used: answers that were pasted together. */
let typedAhead: Buffer | undefined;

/** Opens the controlling terminal; undefined if there is none (CI, cron, `setsid`). */
export function openTerminal(): Terminal | undefined {
  const descriptor = openDevice();
  if (descriptor === undefined) return undefined;
  const input = keysOf(descriptor);
  if (typedAhead !== undefined) input.unshift(typedAhead);
  typedAhead = undefined;
  let modes: import('node:tty').ReadStream | undefined;
  let screen: number | undefined;
  return {
    input: Object.assign(input, {
      setRawMode(isRaw: boolean) {
        const { ReadStream } = load('node:tty') as typeof import('node:tty');
        // Only for its mode, which is that of the terminal: nothing is read from it.
        modes ??= new ReadStream(openSync('/dev/tty', 'r'));
        modes.setRawMode(isRaw);
      },
    }),
    write(text) {
      screen ??= openScreen();
      if (screen !== undefined) writeAll(screen, text);
    },
    close() {
      if (screen !== undefined) closeSync(screen);
      screen = undefined;
      if (input.readableLength > 0) typedAhead = input.read();
      input.destroy();
      modes?.destroy();
    },
  };
}

/**
 * A descriptor of its own for what is shown: that of the keys does not wait, and would take only the start of a long plan,
 * without the question below it. Undefined once the terminal has hung up.
 */
function openScreen(): number | undefined {
  try {
    return openSync('/dev/tty', 'w');
  } catch {
    return undefined;
  }
}

/** Writes everything; what a terminal that has hung up does not take is lost, and reading it says that it is gone. */
function writeAll(descriptor: number, text: string): void {
  let left: Uint8Array = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(writeSync(descriptor, left));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
  }
}

/** Opening fails without a controlling terminal, even where /dev/tty exists. */
function openDevice(): number | undefined {
  try {
    return openSync('/dev/tty', constants.O_RDWR | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/**
 * Reads the terminal without waiting in the system for a key. Bun's stream of a terminal waits in a thread, which goes on
 * after the stream is destroyed, and takes the answer to the next question.
 */
function keysOf(descriptor: number): Readable {
  const buffer = Buffer.alloc(mostKeys);
  let timer: NodeJS.Timeout | undefined;
  const input = new Readable({
    highWaterMark: 0, // nothing is read ahead: others may read the terminal after the answer
    read: look,
    destroy(error, done) {
      clearTimeout(timer);
      closeSync(descriptor);
      done(error);
    },
  });
  function look(): void {
    try {
      const length = readSync(descriptor, buffer);
      input.push(length === 0 ? null : Buffer.from(buffer.subarray(0, length)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') timer = setTimeout(look, lookMs);
      else input.destroy(error as Error);
    }
  }
  return input;
}
