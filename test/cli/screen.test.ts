import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { drawsUnicode, noScreenReason, openScreen, readKeys } from '../../src/cli/screen.ts';
import type { Host } from '../../src/host/host.ts';
import { hostOf } from '../config/sources/sources.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';

/** What a clock would do later, run by hand. */
function handClock() {
  const calls: (() => void)[] = [];
  const after = (_: number, call: () => void) => {
    calls.push(call);
    return () => void calls.splice(calls.indexOf(call), 1);
  };
  const runAll = () => {
    for (const call of calls.splice(0)) call();
  };
  return { clock: { ...createVirtualClock(0), after }, runAll };
}

describe('keys', () => {
  function keysOf(...chunks: readonly string[]) {
    const { clock, runAll } = handClock();
    const found: string[] = [];
    const { read } = readKeys(clock, (key) => found.push(key));
    for (const chunk of chunks) read(Buffer.from(chunk));
    const before = [...found];
    runAll();
    return { before, all: found };
  }

  it('have names, whatever the terminal sends for them', () => {
    const sent =
      '\u001b[A\u001bOB\u001b[5~\u001b[6~\u001b[H\u001bOF\u001b[Z\r\t\u007f\u000c\u001b[1~\u001b[4~\u001b[7~\u001b[8~';
    const names = [
      'up',
      'down',
      'page-up',
      'page-down',
      'home',
      'end',
      'backtab',
      'enter',
      'tab',
      'backspace',
      'ctrl-l',
      ...['home', 'end', 'home', 'end'],
    ];
    expect(keysOf(sent).all).toEqual(names);
    expect(keysOf('qA/é注😀').all).toEqual(['q', 'A', '/', 'é', '注', '😀']);
  });

  it('may arrive in pieces', () => {
    expect(keysOf('\u001b', '[', 'A', 'q').all).toEqual(['up', 'q']);
    const bytes = Buffer.from('é');
    const found: string[] = [];
    const { read } = readKeys(handClock().clock, (key) => found.push(key));
    read(bytes.subarray(0, 1));
    read(bytes.subarray(1));
    expect(found).toEqual(['é']);
  });

  it('are escape if nothing follows for a moment', () => {
    expect(keysOf('a\u001b')).toEqual({ before: ['a'], all: ['a', 'escape'] });
    expect(keysOf('\u001bq').all).toEqual(['escape', 'q']);
  });

  it('that weir does not know are left out', () => {
    expect(keysOf('\u001b[200~\u001b[1;5C\u001bOP\u0001x').all).toEqual(['x']);
  });
});

describe('a screen', () => {
  function stage() {
    const { clock, runAll } = handClock();
    const input = new PassThrough();
    const modes: boolean[] = [];
    const written: string[] = [];
    const log: unknown[] = [];
    let changed: Parameters<Host['onTerminalChange']>[0] = () => undefined;
    const host = hostOf({
      openTerminal: () => ({
        input: Object.assign(input, { setRawMode: (isRaw: boolean) => modes.push(isRaw) }),
        write: () => undefined,
        close: () => log.push('closed'),
      }),
      raise: (signal) => log.push(signal),
      suspend: () => log.push('suspended'),
      onTerminalChange(listener) {
        changed = listener;
        return () => log.push('let go');
      },
    });
    const sink = { write: (chunk: Uint8Array) => void written.push(Buffer.from(chunk).toString()) };
    const events = {
      key: (key: string) => log.push(key),
      redraw: () => log.push('redraw'),
      failed: (error: unknown) => log.push(error),
    };
    const screen = openScreen({ host, clock }, sink, events);
    const take = () => written.splice(0);
    return { screen, input, modes, log, take, runAll, change: (how: 'resized' | 'continued') => changed(how) };
  }

  it('writes only the lines that have changed, all at once, and gives the terminal back', () => {
    const { screen, modes, log, take } = stage();
    expect(take()).toEqual(['\u001b[?1049h\u001b[?25l\u001b[?7l']);
    screen.draw(['a', 'b', 'c']);
    expect(take()).toEqual(['\u001b[H\u001b[2J\u001b[1;1H\u001b[Ka\u001b[2;1H\u001b[Kb\u001b[3;1H\u001b[Kc']);
    screen.draw(['a', 'B']);
    expect(take()).toEqual(['\u001b[2;1H\u001b[KB\u001b[3;1H\u001b[K']);
    screen.draw(['a', 'B']);
    expect(take()).toEqual([]);
    screen.forget();
    screen.draw(['a']);
    expect(take()).toEqual(['\u001b[H\u001b[2J\u001b[1;1H\u001b[Ka']);
    screen.close();
    screen.draw(['x']);
    expect(take()).toEqual(['\u001b[m\u001b[2J\u001b[?7h\u001b[?25h\u001b[?1049l']);
    expect([modes.at(-1), log]).toEqual([false, ['redraw', 'let go', 'closed']]);
  });

  it('passes keys on, Ctrl-C as a signal', () => {
    const { input, log } = stage();
    input.emit('data', Buffer.from('x\u0003'));
    expect(log).toEqual(['redraw', 'x', 'SIGINT']);
  });

  it('draws everything again in another size', () => {
    const { screen, take, change, log } = stage();
    screen.draw(['a']);
    take();
    change('resized');
    screen.draw(['a']);
    expect(take()).toEqual(['\u001b[H\u001b[2J\u001b[1;1H\u001b[Ka']);
    expect(log).toEqual(['redraw', 'redraw']);
  });

  it('is given back on Ctrl-Z, and taken again when the process goes on', () => {
    const { screen, input, modes, log, take, runAll, change } = stage();
    take();
    input.emit('data', Buffer.from('\u001a'));
    screen.draw(['a']);
    expect([take(), modes.at(-1), log.at(-1)]).toEqual([
      ['\u001b[m\u001b[2J\u001b[?7h\u001b[?25h\u001b[?1049l'],
      false,
      'suspended',
    ]);
    change('continued');
    expect([take(), modes.at(-1), log.at(-1)]).toEqual([['\u001b[?1049h\u001b[?25l\u001b[?7l'], true, 'redraw']);
    // Where nothing stops the process, as without a shell, it is taken after a moment.
    input.emit('data', Buffer.from('\u001a'));
    take();
    runAll();
    expect(take()).toEqual(['\u001b[?1049h\u001b[?25l\u001b[?7l']);
  });

  it('reports a terminal that hangs up', () => {
    const { input, log } = stage();
    const error = new Error('EIO: i/o error, read');
    input.emit('error', error);
    input.emit('end');
    const unread = expect.objectContaining({
      message: 'unable to read keys from the terminal: EIO: i/o error, read',
      cause: error,
    });
    const hungUp = expect.objectContaining({ message: 'the terminal hung up', retryable: false });
    expect(log).toEqual(['redraw', unread, hungUp]);
  });
});

it('says why there can be no screen', () => {
  const stream = new PassThrough();
  const terminal = { input: stream, write: () => undefined, close: () => undefined };
  const onTerminal = { stdout: { stream, isTerminal: true, columns: 80 }, openTerminal: () => terminal };
  expect(noScreenReason(hostOf(onTerminal))).toBe(undefined);
  expect(noScreenReason(hostOf({}))).toBe('standard output is not a terminal');
  expect(noScreenReason(hostOf({ ...onTerminal, env: { TERM: 'dumb' } }))).toContain('TERM=dumb');
  expect(noScreenReason(hostOf({ ...onTerminal, env: { CI: '1' } }))).toContain('CI');
  const withoutKeys = hostOf({ ...onTerminal, openTerminal: () => undefined });
  expect(noScreenReason(withoutKeys)).toBe('there is no terminal to read keys from');
});

it('draws Unicode in a UTF-8 locale only', () => {
  const draws = (env: Host['env'], platform: NodeJS.Platform = 'linux') => drawsUnicode(hostOf({ env, platform }));
  expect([draws({ LANG: 'en_US.UTF-8' }), draws({ LC_CTYPE: 'C.utf8' }), draws({}, 'win32')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([draws({}), draws({ LANG: 'C' }), draws({ LANG: 'de_DE.UTF-8', LC_ALL: 'C' })]).toEqual([false, false, false]);
});
