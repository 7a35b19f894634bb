import type { Context } from '../context.ts';
import { CliError, exitCodes, unreachableError, usageError } from '../errors.ts';
import { faultOf } from '../files/fault.ts';
import type { Host } from '../host/host.ts';
import type { ByteSink } from './command.ts';
import { mayAnimate } from './output/color.ts';

/** The size of a screen in characters. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** The whole screen of the terminal, until it is closed. */
export interface Screen {
  size(): ScreenSize;
  /** Shows lines, which must not be wider than the screen; only those that have changed are written, all at once. */
  draw(lines: readonly string[]): void;
  /** Writes the next lines even if they have not changed. */
  forget(): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

/** What a screen reports. */
export interface ScreenEvents {
  /** A key was typed: its name, such as `up`, or its character. Ctrl-C is sent as a signal, and Ctrl-Z stops the process. */
  key(key: string): void;
  /** The lines have to be drawn again, for example in another size. */
  redraw(): void;
  /** The terminal is gone. */
  failed(error: unknown): void;
}

/** The parts of the Context that a screen needs. */
type Owner = Pick<Context, 'host' | 'clock'>;

// The alternate screen, without a cursor, and lines that do not wrap.
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
// It is emptied first: tmux moves lines of it above the shell's if its window has grown.
const leave = '\u001b[m\u001b[2J\u001b[?7h\u001b[?25h\u001b[?1049l';
const clear = '\u001b[H\u001b[2J';

/** How long the rest of an escape sequence may take, in milliseconds; after that, it was the escape key. */
const escapeMs = 50;
/** A process that is stopped by Ctrl-Z does not get to this timer before it goes on. */
const suspendMs = 50;

/** Why there cannot be a screen; undefined if there can. */
export function noScreenReason({ env, stdout, ...host }: Host): string | undefined {
  if (!stdout.isTerminal) return 'standard output is not a terminal';
  if (env.TERM === 'dumb') return 'the terminal cannot move its cursor (TERM=dumb)';
  if (!mayAnimate(env, stdout)) return 'nothing is redrawn in CI (the variable CI is set)';
  const terminal = host.openTerminal();
  terminal?.close();
  return terminal === undefined ? 'there is no terminal to read keys from' : undefined;
}

/** Whether the locale of the terminal is UTF-8; otherwise, only ASCII is drawn. */
export function drawsUnicode({ env, platform }: Host): boolean {
  return platform === 'win32' || /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

/**
 * Takes the whole screen. Keys are read from the controlling terminal, so that standard input may be a pipe.
 * @throws CliError (exit code 2) without a controlling terminal
 */
export function openScreen({ host, clock }: Owner, sink: ByteSink, events: ScreenEvents): Screen {
  const terminal = host.openTerminal();
  if (terminal === undefined) throw usageError('there is no terminal to read keys from');
  const { input } = terminal;
  /** The lines on the screen; undefined if they are not known. */
  let drawn: readonly string[] | undefined;
  let isShown = false;
  let isBusy = false;
  let cancelSuspension = (): void => undefined;

  function write(text: string): void {
    const drained = sink.write(Buffer.from(text));
    if (drained === undefined) return;
    isBusy = true;
    const done = (): void => {
      isBusy = false;
      events.redraw();
    };
    drained.then(done, events.failed);
  }
  function show(): void {
    cancelSuspension();
    // In between, others may have set the terminal to line mode; Node.js sets only what it does not believe to be set.
    input.setRawMode?.(false);
    input.setRawMode?.(true);
    isShown = true;
    drawn = undefined;
    write(enter);
    events.redraw();
  }
  function hide(): void {
    if (!isShown) return;
    isShown = false;
    input.setRawMode?.(false);
    write(leave);
  }
  function suspend(): void {
    hide();
    host.suspend();
    cancelSuspension = clock.after(suspendMs, show);
  }
  function key(name: string): void {
    if (name === 'ctrl-c') host.raise('SIGINT');
    else if (name === 'ctrl-z') suspend();
    else events.key(name);
  }
  const keys = readKeys(clock, key);
  const ended = (error?: unknown): void => events.failed(error === undefined ? hungUp() : unreadable(error));
  input.on('data', keys.read).once('end', ended).once('error', ended);
  const unsubscribe = host.onTerminalChange((change) => {
    if (change === 'continued') return show();
    drawn = undefined;
    events.redraw();
  });
  show();

  return {
    size: () => ({ columns: host.stdout.columns ?? 80, rows: host.stdout.rows ?? 24 }),
    draw(lines) {
      if (!isShown || isBusy) return;
      const changed = changes(drawn, lines);
      drawn = lines;
      if (changed !== '') write(changed);
    },
    forget() {
      drawn = undefined;
    },
    close() {
      unsubscribe();
      cancelSuspension();
      keys.stop();
      input.off('data', keys.read).off('end', ended).off('error', ended);
      hide();
      terminal.close();
    },
  };
}

function unreadable(error: unknown): CliError {
  return new CliError(exitCodes.failure, `unable to read keys from the terminal: ${faultOf(error)}`, { cause: error });
}

function hungUp(): CliError {
  return unreachableError('the terminal hung up', { retryable: false });
}

/** What to write so that the screen shows other lines. */
function changes(before: readonly string[] | undefined, lines: readonly string[]): string {
  const length = Math.max(before?.length ?? 0, lines.length);
  const changed = Array.from({ length }, (_, at) => {
    const line = lines[at] ?? '';
    if (before !== undefined && line === (before[at] ?? '')) return '';
    return `\u001b[${at + 1};1H\u001b[K${line}`;
  });
  return `${before === undefined ? clear : ''}${changed.join('')}`;
}

/** Keys that send one character. */
const plainKeys: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u001b': 'escape',
  '\u0003': 'ctrl-c',
  '\u000c': 'ctrl-l',
  '\u0015': 'ctrl-u',
  '\u001a': 'ctrl-z',
};

/** Keys that send a control sequence, by its end. */
const controlKeys: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'backtab',
  '1~': 'home',
  '4~': 'end',
  '5~': 'page-up',
  '6~': 'page-down',
  '7~': 'home',
  '8~': 'end',
};

// A control sequence, a key of the keypad mode, or one character.
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send escape characters
const sequence = /\u001b\[([\d;]*[ -/]*[@-~])|\u001bO([@-~])|./gsu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send escape characters
const unfinished = /\u001b(?:\[[\d;]*|O)?$/;

/** Reads the names of keys from what the terminal sends, in whatever pieces. Unknown keys are left out. */
export function readKeys(clock: Owner['clock'], onKey: (name: string) => void) {
  const decoder = new TextDecoder();
  let held = '';
  let cancel = (): void => undefined;
  function escaped(): void {
    held = '';
    onKey('escape');
  }
  return {
    read(chunk: Uint8Array | string): void {
      cancel();
      const text = held + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
      held = unfinished.exec(text)?.[0] ?? '';
      if (held !== '') cancel = clock.after(escapeMs, escaped);
      for (const [whole, control = '', keypad = ''] of text.slice(0, text.length - held.length).matchAll(sequence)) {
        const name = whole.length > 1 && whole.startsWith('\u001b') ? controlKeys[control + keypad] : plainKey(whole);
        if (name !== undefined) onKey(name);
      }
    },
    stop: (): void => cancel(),
  };
}

function plainKey(character: string): string | undefined {
  return plainKeys[character] ?? (character >= ' ' ? character : undefined);
}
