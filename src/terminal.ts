import { closeSync, openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';

/** The terminal that controls the process, wherever its standard streams lead. */
export interface Terminal {
  /** What the person types, line by line as the terminal's own line mode hands it over. */
  readonly input: Readable;
  /** Writes on the screen, at once. */
  write(text: string): void;
  /** Lets go of the terminal, so that the process can end. */
  close(): void;
}

const load = createRequire(import.meta.url);

/** Opens the controlling terminal; undefined where there is none (CI, cron, `setsid`). */
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
