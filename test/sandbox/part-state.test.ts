import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kafkaState } from '../../src/sandbox/kafka/state.ts';
import { stateFile } from '../../src/sandbox/part-state.ts';
import { temporaryDirectory } from '../world.ts';

const state = stateFile<{ count: number }>({
  fileName: 'thing.json',
  what: 'a thing',
  isWhole: ({ count }) => count !== undefined,
});

test('a state is written whole, for its owner only, and read again', async () => {
  const directory = join(temporaryDirectory(), 'deep');
  expect(await state.read(directory)).toBeUndefined();
  await state.write(directory, { count: 1 });
  await state.write(directory, { count: 2 });
  expect(await state.read(directory)).toEqual({ count: 2 });
  expect(readFileSync(join(directory, 'thing.json'), 'utf8')).toBe('{\n  "count": 2\n}\n');
  expect([statSync(directory).mode & 0o777, statSync(join(directory, 'thing.json')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  expect(readdirSync(directory)).toEqual(['thing.json']);
});

test.each(['', '{', 'null', '1', '[]', '{"other":1}'])(
  'the content %j is an error that says what to do',
  async (text) => {
    const directory = temporaryDirectory();
    const file = join(directory, 'thing.json');
    writeFileSync(file, text);
    await expect(state.read(directory)).rejects.toMatchObject({
      exitCode: 1,
      code: 'SANDBOX_STATE_BROKEN',
      target: file,
      message: `unable to read ${file}: it is not a valid state file`,
      hints: ['remove the sandbox with "weir sandbox purge"; if a thing is still running, stop it by hand'],
    });
  },
);

test.each([
  ['{"brokers":[],"security":{}}', true],
  ['{"brokers":{},"security":{}}', false],
  ['{"brokers":[]}', false],
  ['{"security":{}}', false],
])('%s is the state of a Kafka: %s', async (text, isWhole) => {
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'kafka.json'), text);
  const read = kafkaState.read(directory);
  if (isWhole) await expect(read).resolves.toEqual(JSON.parse(text));
  else await expect(read).rejects.toThrow('not a valid state file');
});
