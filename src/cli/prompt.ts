import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors.ts';
import { printable, printableMessage, printableText } from '../format/printable.ts';
import type { Host } from '../host/host.ts';
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
export async function askLine(asker: Asker, question: string): Promise<string | undefined> {
  const { host, signal } = asker;
  signal.throwIfAborted();
  const terminal = host.openTerminal();
  if (terminal === undefined) return undefined;
  try {
    say(host, terminal, question);
    // The terminal stays in line mode, where it echoes and edits the line, and Ctrl-C sends a signal.
    const answer = await untilSignal(asker, readLine(terminal.input, signal));
    signal.throwIfAborted();
    if (answer === undefined) say(host, terminal, '\n');
    return answer;
  } catch (error) {
    if (error instanceof CliError) say(host, terminal, '\n');
    throw error;
  } finally {
    terminal.close();
  }
}

/**
 * Prompts and reads one line without echo from the controlling terminal, or from standard input without one; undefined
 * at the end of input or when the command's signal aborts. The terminal is in raw mode, where Ctrl-C is a key, so this
 * function raises SIGINT itself.
 * @throws CliError when a signal ends the wait; (exit 2) if a control key is part of the answer
 */
export async function askSecret(asker: Asker, question: string): Promise<string | undefined> {
  const { host, signal } = asker;
  if (signal.aborted) return undefined;
  const terminal = host.openTerminal();
  const stream: NonNullable<typeof terminal>['input'] = terminal?.input ?? host.stdin.stream;
  // Before the question: keys that answer it at once are not shown either.
  stream.setRawMode?.(true);
  const stop = new AbortController();
  try {
    say(host, terminal, printableMessage(question));
    const interrupt = (): void => host.raise('SIGINT');
    return withoutControl(
      await untilSignal(asker, readLine(stream, AbortSignal.any([signal, stop.signal]), interrupt)),
    );
  } finally {
    stop.abort();
    stream.setRawMode?.(false);
    say(host, terminal, '\n');
    terminal?.close();
  }
}

/** Nobody sees what a control key does to a hidden answer, so none becomes part of it. */
function withoutControl(answer: string | undefined): string | undefined {
  if (answer === undefined || !/\p{Cc}/u.test(answer)) return answer;
  throw usageError('what was typed contains a control key, such as Tab or Ctrl-Z', {
    hints: ['type it again; Ctrl-U and Ctrl-W erase everything that was typed'],
  });
}

/** Waits for an answer until a signal arrives, which is not passed on to the command. */
async function untilSignal(asker: Asker, answer: Promise<string | undefined>): Promise<string | undefined> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const release = asker.handSignals((received) => reject(endedBy(received)));
  try {
    return await Promise.race([answer, ended]);
  } finally {
    release();
  }
}

const keys = {
  accept: ['\r', '\n'],
  interrupt: '\u0003',
  end: '\u0004',
  erase: ['\u0008', '\u007f'],
  escape: '\u001b',
  /** Ctrl-U and Ctrl-W: nobody sees where a word begins in a hidden answer. */
  eraseLine: ['\u0015', '\u0017'],
};

/** What an arrow, Home, Delete and the like send at the end of what was typed. */
const escapeSequence = new RegExp(`${keys.escape}(?:\\[[0-9;]*[A-Za-z~]|O[A-Za-z])$`);
/** The length of the longest one that is recognized. */
const longestSequence = 8;

/** Reads up to the end of a line; the rest stays in the stream. Undefined at the end of input, and when the signal aborts. */
function readLine(stream: Readable, signal: AbortSignal, interrupt?: () => void): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const isRaw = interrupt !== undefined;
  let typed: readonly string[] = [];
  return new Promise((resolve) => {
    const finish = (answer: string | undefined, rest = ''): void => {
      stream.off('data', read).off('end', end).off('error', fail).pause();
      signal.removeEventListener('abort', fail);
      if (rest !== '') stream.unshift(Buffer.from(rest));
      resolve(answer);
    };
    const fail = (): void => finish(undefined);
    // Half a secret is none. Half a line was ended with Ctrl-D.
    const end = (): void => finish(isRaw || typed.length === 0 ? undefined : typed.join(''));
    const read = (chunk: Uint8Array | string): void => {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      const { pressed, last, rest } = untilEnd(text, isRaw);
      for (const key of pressed) typed = edited(typed, key, interrupt);
      if (last !== undefined) finish(last === keys.end && typed.length === 0 ? undefined : typed.join(''), rest);
    };
    stream.on('data', read).once('end', end).once('error', fail).resume();
    signal.addEventListener('abort', fail, { once: true });
  });
}

/** The keys up to the one that ends the line; that one is undefined if the line goes on. */
function untilEnd(text: string, isRaw: boolean) {
  const all = [...text];
  const end = all.findIndex((key) => keys.accept.includes(key) || (isRaw && key === keys.end));
  if (end < 0) return { pressed: all, last: undefined, rest: '' };
  return { pressed: all.slice(0, end), last: all[end], rest: all.slice(end + 1).join('') };
}

/** What is typed after a key. @param interrupt for a terminal that leaves Ctrl-C to weir */
function edited(typed: readonly string[], key: string, interrupt: (() => void) | undefined): readonly string[] {
  if (key === keys.interrupt && interrupt !== undefined) {
    interrupt();
    return typed;
  }
  if (keys.eraseLine.includes(key)) return [];
  if (keys.erase.includes(key)) return typed.slice(0, -1);
  const all = [...typed, key];
  const sequence = escapeSequence.exec(all.slice(-longestSequence).join(''))?.[0] ?? '';
  return all.slice(0, all.length - sequence.length);
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
    `${printableText(preview)}${printableMessage(question)}\nType "${printable(name)}" to confirm: `,
  );
  return answer?.trim() === name;
}
