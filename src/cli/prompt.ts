import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { printable, printableMessage } from '../format/printable.ts';
import type { Host } from '../host.ts';
import { writeError } from './output/report.ts';

/** Reads one line from the person; undefined at the end of input or when `signal` aborts. */
export async function askLine(host: Host, question: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  writeError(host, question);
  // Not `terminal: true`: the terminal stays in its own line mode, so that Ctrl-C is a signal as elsewhere.
  const reader = createInterface({ input: host.stdin.stream, terminal: false, signal });
  const answer = await new Promise<string | undefined>((resolve) => {
    reader.once('line', resolve);
    reader.once('close', () => resolve(undefined));
  });
  reader.close();
  host.stdin.stream.pause();
  if (answer === undefined) writeError(host, '\n');
  return answer;
}

/**
 * Reads one line without showing what is typed; undefined at the end of input or when `signal` aborts. The terminal
 * hands over single keys for that, so Ctrl-C is raised here as the signal that it is elsewhere.
 */
export async function askSecret(host: Host, question: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  writeError(host, printableMessage(question));
  const stream: Readable & { setRawMode?(isRaw: boolean): unknown } = host.stdin.stream;
  stream.setRawMode?.(true);
  try {
    return await readKeys(stream, signal, () => host.raise('SIGINT'));
  } finally {
    stream.setRawMode?.(false);
    stream.pause();
    writeError(host, '\n');
  }
}

const keys = {
  accept: ['\r', '\n'],
  interrupt: '\u0003',
  end: '\u0004',
  erase: ['\u0008', '\u007f'],
  eraseLine: '\u0015',
};

function readKeys(stream: Readable, signal: AbortSignal, interrupt: () => void): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let typed: readonly string[] = [];
  return new Promise((resolve) => {
    const finish = (answer: string | undefined): void => {
      stream.off('data', read).off('end', end).off('error', end);
      signal.removeEventListener('abort', end);
      resolve(answer);
    };
    const end = (): void => finish(undefined);
    const read = (chunk: Uint8Array | string): void => {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      for (const key of text) {
        if (key === keys.interrupt) interrupt();
        else if (keys.accept.includes(key) || key === keys.end) {
          finish(key === keys.end && typed.length === 0 ? undefined : typed.join(''));
          break;
        } else if (key === keys.eraseLine) typed = [];
        else if (keys.erase.includes(key)) typed = typed.slice(0, -1);
        else typed = [...typed, key];
      }
    };
    stream.on('data', read).once('end', end).once('error', end);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Asks for yes or no; anything but `y` and `yes` is no. */
export async function askYesNo(host: Host, question: string, signal: AbortSignal): Promise<boolean> {
  const answer = await askLine(host, `${printableMessage(question)} (y/N) `, signal);
  return /^\s*(y|yes)\s*$/i.test(answer ?? '');
}

/** Asks for a name to be typed; anything else is no. */
export async function askName(host: Host, question: string, name: string, signal: AbortSignal): Promise<boolean> {
  const answer = await askLine(host, `${printableMessage(question)}\ntype ${printable(name)} to go on: `, signal);
  return answer?.trim() === name;
}
