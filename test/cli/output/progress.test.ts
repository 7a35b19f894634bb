import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openProgress, progressText } from '../../../src/cli/output/progress.ts';
import type { Host } from '../../../src/host.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function host(terminal: boolean): { host: Host; written: string[] } {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  const stderr = { stream, isTerminal: terminal, columns: terminal ? 40 : undefined };
  return { host: { env: {}, stderr, now: () => Date.now() } as unknown as Host, written };
}

test('on a terminal it appears after a second, is redrawn and erased', () => {
  const world = host(true);
  const progress = openProgress('copying', world.host, false);
  progress.report({ done: 500, total: 1000, unit: 'records' });
  vi.advanceTimersByTime(900);
  expect(world.written).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(world.written.at(-1)).toContain('copying  500 records of 1000 records');
  progress.end();
  expect(world.written.at(-1)).toBe('\r\u001b[2K');
  const { length } = world.written;
  vi.advanceTimersByTime(60_000);
  expect(world.written.length).toBe(length);
});

test('it is drawn ten times a second at most', () => {
  const world = host(true);
  const progress = openProgress('copying', world.host, false);
  vi.advanceTimersByTime(11_000);
  expect(world.written.length).toBeLessThanOrEqual(101);
  progress.end();
});

test('elsewhere it is one line per ten seconds', () => {
  const world = host(false);
  const progress = openProgress('waiting', world.host, false);
  progress.report({ detail: 'STATE_CREATING' });
  vi.advanceTimersByTime(25_000);
  progress.end();
  expect(world.written).toEqual(['waiting  STATE_CREATING  10s\n', 'waiting  STATE_CREATING  20s\n']);
});

test('--quiet shows nothing', () => {
  const world = host(true);
  const progress = openProgress('waiting', world.host, true);
  vi.advanceTimersByTime(25_000);
  progress.end();
  expect(world.written).toEqual([]);
});

test.each([
  [{ done: 2_000_000, unit: 'bytes' as const }, 2000, 'x  2MB  1MB/s  2s'],
  [{ done: 1_000_000, total: 4_000_000, unit: 'bytes' as const }, 1000, 'x  1MB of 4MB  25%  1MB/s  3s left  1s'],
  [{ done: 10, unit: 'records' as const }, 2000, 'x  10 records  5 records/s  2s'],
  [{ done: 1, unit: 'records' as const }, 1000, 'x  1 record  1 record/s  1s'],
  [{ detail: 'STATE_READY' }, 3000, 'x  STATE_READY  3s'],
])('%j is shown as amount, share, rate and time left', (state, elapsed, text) => {
  expect(progressText('x', state, elapsed)).toBe(text);
});
