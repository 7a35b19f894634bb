import { expect, test } from 'vitest';
import { isRunning, lookUp, ownProcess, startInPs, startInStat, startOf } from '../../src/files/process-id.ts';

/** A line of /proc/PID/stat with these fields. */
function statLine(name: string, state: string, threads: number, ticks: number): string {
  const middle = Array.from({ length: 16 }, () => '0').join(' ');
  return `42 (${name}) ${state} ${middle} ${threads} 0 ${ticks} 0 0\n`;
}

test.each([
  ['a running process', statLine('java', 'S', 9, 777), '777@boot'],
  ['a name with spaces and parentheses', statLine('a) b (c', 'R', 1, 777), '777@boot'],
  ['a zombie', statLine('java', 'Z', 1, 777), undefined],
  ['a process that is being removed', statLine('java', 'X', 1, 777), undefined],
  ['a zombie with its last thread', statLine('java', 'Z', 0, 777), undefined],
  ['a stopped process', statLine('java', 'T', 1, 777), '777@boot'],
  ['a line that is cut off', '42 (java) S 1 2', undefined],
  ['a zombie whose threads still end', statLine('java', 'Z', 3, 777), '777@boot'],
])('the start in the stat line of %s', (_, line, start) => {
  expect(startInStat(line, 'boot')).toBe(start);
});

test.each([
  ['Ss   Sat Nov 21 10:16:00 2026    \n', 'Sat Nov 21 10:16:00 2026'],
  ['Z    Sat Nov 21 10:16:00 2026\n', undefined],
  ['R+ Sat Nov 21 10:16:00 2026', 'Sat Nov 21 10:16:00 2026'],
  ['S', undefined],
  ['', undefined],
])('the start in what ps prints, %j, is %s', (text, start) => {
  expect(startInPs(text)).toBe(start);
});

test('this process is found by its own pid, in a space that the host name does not name', async () => {
  const own = await ownProcess();
  expect(own).toMatchObject({ pid: process.pid, startedAt: await startOf(process.pid) });
  expect(own?.space).toMatch(/^[0-9a-f-]{36} pid:\[\d+\]$/);
});

test('a process runs only under its own start time, and a pid that nobody has is no process', async () => {
  const startedAt = String(await startOf(process.pid));
  expect(await isRunning({ pid: process.pid, startedAt })).toBe(true);
  expect(await isRunning({ pid: process.pid, startedAt: `${startedAt}0` })).toBe(false);
  expect(await isRunning({ pid: 99_999_999, startedAt })).toBe(false);
  expect([await lookUp(99_999_999), await lookUp(process.pid)]).toEqual([undefined, startedAt]);
  expect(startedAt).toMatch(/^\d+@[0-9a-f-]{36}$/);
});
