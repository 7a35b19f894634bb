import { closeSync, openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';

/** The controlling terminal of the process, even if the standard streams are redirected. */
export interface Terminal {
  /** The typed input, in the lines that the terminal's line mode delivers; in raw mode each key at once, also Ctrl-C. */
  readonly input: Readable & { setRawMode?(isRaw: boolean): unknown };
  /** Writes to the screen immediately. */
  write(text: string): void;
  /** Releases the terminal so that the process can end. */
  close(): void;
}

const load = createRequire(import.meta.url);

/** Opens the controlling terminal; undefined if there is none (CI, cron, `setsid`). */
export function openTerminal(): Terminal | undefined {
  let output: number;
  try {
    // Opening fails without a controlling terminal, even where /dev/tty exists.
    output = openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
  const { ReadStream } = load('node:tty') as typeof import('node:tty');
  const input = new ReadStream(openSync('/dev/tty', 'r'));
  return {
    input,
    write: (text) => void writeSync(output, text),
    close() {
      input.destroy();
      closeSync(output);
    },
  };
}
