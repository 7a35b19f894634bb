import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { printable, printableMessage, printableText } from '../format/printable.ts';
import type { Host } from '../host.ts';
import { endedBy } from './interruption.ts';
import { writeError } from './output/report.ts';

/** The parts of the Context that a prompt needs. */
export type Asker = Pick<Context, 'host' | 'signal' | 'handSignals'>;

/**
 * Writes a prompt: to stderr like every message or, if stderr is redirected, to the controlling terminal, where the
 * answer is read. So a question is never hidden in a file.
 */
function say(host: Host, terminal: ReturnType<Host['openTerminal']>, text: string): void {
  if (host.stderr.isTerminal || terminal === undefined) writeError(host, text);
  else terminal.write(text);
}

/**
 * Prompts and reads one line from the controlling terminal; undefined at the end of input and without a terminal.
 * @throws CliError when a signal ends the wait, or the command's own signal aborts
 */
export async function askLine({ host, signal, handSignals }: Asker, question: string): Promise<string | undefined> {
  signal.throwIfAborted();
  const terminal = host.openTerminal();
  if (terminal === undefined) return undefined;
  say(host, terminal, question);
  // Not `terminal: true`: the terminal stays in line mode, so that Ctrl-C still sends a signal.
  const reader = createInterface({ input: terminal.input, terminal: false, signal });
  let release: () => void = () => undefined;
  try {
    const answer = await new Promise<string | undefined>((resolve, reject) => {
      release = handSignals((received) => reject(endedBy(received)));
      reader.once('line', resolve);
      reader.once('close', () => resolve(undefined));
      // A terminal that hangs up fails; the reader passes its error on, which would end the process.
      reader.once('error', () => resolve(undefined));
    });
    signal.throwIfAborted();
    if (answer === undefined) say(host, terminal, '\n');
    return answer;
  } catch (error) {
    if (error instanceof CliError) say(host, terminal, '\n');
    throw error;
  } finally {
    release();
    reader.close();
    terminal.close();
  }
}

/**
 * Prompts and reads one line without echo from the controlling terminal, or from standard input without one; undefined
 * at the end of input or when the command's signal aborts. The terminal is in raw mode, where Ctrl-C is a key, so this
 * function raises SIGINT itself.
 * @throws CliError when a signal ends the wait
 */
export async function askSecret({ host, signal, handSignals }: Asker, question: string): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const terminal = host.openTerminal();
  const stream: NonNullable<typeof terminal>['input'] = terminal?.input ?? host.stdin.stream;
  // Before the question: keys that answer it at once are not shown either.
  stream.setRawMode?.(true);
  let release: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    release = handSignals((received) => reject(endedBy(received)));
  });
  const stop = new AbortController();
  try {
    say(host, terminal, printableMessage(question));
    const answer = readKeys(stream, AbortSignal.any([signal, stop.signal]), () => host.raise('SIGINT'));
    return await Promise.race([answer, ended]);
  } finally {
    release();
    stop.abort();
    stream.setRawMode?.(false);
    say(host, terminal, '\n');
    if (terminal === undefined) stream.pause();
    else terminal.close();
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

/**
 * Asks a yes-or-no question; anything but `y` and `yes` means no.
 * @param preview lines above the question
 */
export async function askYesNo(asker: Asker, question: string, preview = ''): Promise<boolean> {
  const answer = await askLine(asker, `${printableText(preview)}${printableMessage(question)} [y/N] `);
  return /^\s*(y|yes)\s*$/i.test(answer ?? '');
}

/** Like `askYesNo`, but asks the user to type `name`; anything else means no. */
export async function askName(asker: Asker, question: string, name: string, preview = ''): Promise<boolean> {
  const answer = await askLine(
    asker,
    `${printableText(preview)}${printableMessage(question)}\nType ${printable(name)} to confirm: `,
  );
  return answer?.trim() === name;
}
