import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LogLine, readLogs } from '../../src/sandbox/logs.ts';
import type { Member } from '../../src/sandbox/part.ts';
import { temporaryDirectory } from '../world.ts';

function member(id: number, log: string): Member {
  return { part: 'kafka', id, address: '', state: 'running', pid: undefined, container: undefined, log };
}

async function collect(lines: AsyncIterable<LogLine>): Promise<string[]> {
  const all: string[] = [];
  for await (const { id, line } of lines) all.push(`${id} ${line}`);
  return all;
}

const signal = new AbortController().signal;

test('the last lines of each log are read, one log after the other', async () => {
  const directory = temporaryDirectory();
  const logs = [1, 2].map((id) => join(directory, `${id}.log`));
  await writeFile(logs[0] ?? '', 'a\nb\nc\n');
  await writeFile(logs[1] ?? '', 'd\n\n');
  const members = [...logs.map((log, index) => member(index + 1, log)), member(3, join(directory, 'none'))];
  expect(await collect(readLogs(members, { lines: 2, follow: false, signal }))).toEqual(['1 b', '1 c', '2 d', '2 ']);
  expect(await collect(readLogs(members, { lines: 0, follow: false, signal }))).toEqual([]);
});

test('new lines are followed once they are complete, even after a log is replaced', async () => {
  const log = join(temporaryDirectory(), 'log');
  await writeFile(log, 'old\nbegun ');
  const interrupt = new AbortController();
  const seen: string[] = [];
  const next = [
    () => appendFile(log, 'and ended\nhalf'),
    () => writeFile(log, 'new\n'),
    async () => interrupt.abort(),
  ].values();
  for await (const { line } of readLogs([member(1, log)], { lines: 5, follow: true, signal: interrupt.signal })) {
    seen.push(line);
    await next.next().value?.();
  }
  expect(seen).toEqual(['old', 'begun and ended', 'new']);
});
