import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { throttleMemory } from '../../../src/commands/topic/reassign/throttle-file.ts';
import type { Context } from '../../../src/context.ts';
import type { ThrottleRecord } from '../../../src/kafka/cluster/topics/reassignment/throttle-memory.ts';
import { temporaryDirectory } from '../../world.ts';

const record: ThrottleRecord = { rates: [], lists: [{ topic: 't', key: 'k', added: ['0:1'] }] };

/** A new command with this home directory, and its warnings. */
function commandIn(home: string) {
  const warnings: string[] = [];
  const { signal } = new AbortController();
  const context = {
    ...{ signal, host: { home, env: {}, platform: 'linux' }, warn: (text: string) => void warnings.push(text) },
    lockWait: { signal, patienceMs: 0, command: 'weir' },
  } as unknown as Context;
  return { memory: throttleMemory(context), warnings };
}

const remembered = (home: string) => commandIn(home).memory.hold('c', 'restore', async (book) => book.record);

it('remembers throttles from one command to the next', async () => {
  const home = temporaryDirectory();
  await commandIn(home).memory.hold('c', 'set', (book) => book.save(record));
  expect(await remembered(home)).toEqual(record);
  const directory = join(home, '.local/state/weir/throttles');
  const modes = [directory, join(directory, String(readdirSync(directory)[0]))].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600]);
  await commandIn(home).memory.hold('c', 'restore', (book) => book.save({ rates: [], lists: [] }));
  expect(readdirSync(directory)).toEqual([]);
});

it('reads a record of at most 16 MiB', async () => {
  const home = temporaryDirectory();
  await commandIn(home).memory.hold('c', 'set', (book) => book.save(record));
  const directory = join(home, '.local/state/weir/throttles');
  const file = join(directory, String(readdirSync(directory)[0]));
  writeFileSync(file, JSON.stringify(record).padEnd(16 * 1024 * 1024));
  expect(await remembered(home)).toEqual(record);
  writeFileSync(file, ' ', { flag: 'a' });
  const { memory, warnings } = commandIn(home);
  expect(await memory.hold('c', 'restore', async (book) => book.record)).toEqual({ rates: [], lists: [] });
  expect(warnings).toEqual([`ignoring ${file}: it is not a valid record of throttles`]);
});
