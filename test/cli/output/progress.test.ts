import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openProgress, progressText } from '../../../src/cli/output/progress.ts';
import type { Host } from '../../../src/host/host.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function host(terminal: boolean, columns = 40, env: Host['env'] = {}): { host: Host; written: string[] } {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  const stderr = { stream, isTerminal: terminal, columns: terminal && columns > 0 ? columns : undefined };
  return { host: { env, stderr, now: () => Date.now() } as unknown as Host, written };
}

test('T2: on a terminal it appears after a second, is redrawn and erased', () => {
  const world = host(true);
  const progress = openProgress('copying', world.host, false);
  progress.report({ done: 500, total: 1000, unit: 'records' });
  vi.advanceTimersByTime(900);
  expect(world.written).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(world.written.at(-1)).toContain('copying  500 of 1,000 records');
  progress.end();
  expect(world.written.at(-1)).toBe('\r\u001b[2K');
  const { length } = world.written;
  vi.advanceTimersByTime(60_000);
  expect(world.written.length).toBe(length);
});

test('T2: it is drawn ten times a second at most', () => {
  const world = host(true);
  const progress = openProgress('copying', world.host, false);
  vi.advanceTimersByTime(11_000);
  expect(world.written.length).toBeLessThanOrEqual(101);
  progress.end();
});

test('T2: elsewhere it is one line per ten seconds', () => {
  const world = host(false);
  const progress = openProgress('waiting', world.host, false);
  progress.report({ detail: 'STATE_CREATING' });
  vi.advanceTimersByTime(25_000);
  progress.end();
  expect(world.written).toEqual(['waiting  STATE_CREATING  10s\n', 'waiting  STATE_CREATING  20s\n']);
});

test.each([
  [40, 39],
  [0, 79],
])('on a terminal of %i columns it has at most %i, so that the line is not broken', (columns, most) => {
  const world = host(true, columns);
  const progress = openProgress('x'.repeat(100), world.host, false);
  vi.advanceTimersByTime(1_000);
  expect(world.written).toEqual([`\r\u001b[2K${'x'.repeat(most)}`]);
  progress.end();
});

test('it is erased for another line, and drawn again with the last of each value', () => {
  const world = host(true, 80);
  const progress = openProgress('copying', world.host, false);
  progress.report({ done: 1, total: 4 });
  progress.report({ done: 2, detail: 'one step' });
  vi.advanceTimersByTime(1_000);
  world.written.length = 0;
  progress.clear();
  progress.clear();
  expect(world.written).toEqual(['\r\u001b[2K']);
  vi.advanceTimersByTime(100);
  expect(world.written.at(-1)).toBe('\r\u001b[2Kcopying  2 of 4  50%  2/s  1s left  one step  1s');
  progress.end();
});

test('a progress that ends within its first second writes nothing', () => {
  const world = host(true);
  openProgress('copying', world.host, false).end();
  expect(world.written).toEqual([]);
});

test('in CI it is one line per ten seconds even on a terminal', () => {
  const world = host(true, 40, { CI: '1' });
  const progress = openProgress('waiting', world.host, false);
  vi.advanceTimersByTime(10_000);
  progress.end();
  expect(world.written).toEqual(['waiting  10s\n']);
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
  [{ done: 0 }, 1000, 'x  0  1s'],
  [{ done: 0, total: 0 }, 1000, 'x  0 of 0  1s'],
  [{ done: 0, total: 5 }, 1000, 'x  0 of 5  0%  1s'],
  [{ done: 3, total: 5 }, 0, 'x  3 of 5  60%  0ms'],
  [{ done: 199, total: 200 }, 1000, 'x  199 of 200  99%  199/s  5ms left  1s'],
  [{ done: 3, unit: 'records' as const, detail: 'a\u001bb' }, 2000, 'x  3 records  2 records/s  a\\u001bb  2s'],
  [{ total: 5 }, 1000, 'x  1s'],
])('%j is shown as amount, share, rate and time left', (state, elapsed, text) => {
  expect(progressText('x', state, elapsed)).toBe(text);
});
