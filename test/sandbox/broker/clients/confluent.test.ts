import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { pythonWithKafka } from '../../../services/client-programs.ts';
import { clientStage, expectSharedReading, readerOf } from './stage.ts';

const stage = clientStage();
const script = fileURLToPath(new URL('./confluent.py', import.meta.url));

function run(verb: string, topic: string, ...words: readonly string[]) {
  return execa(pythonWithKafka(), [script, verb, stage.brokers(), topic, ...words]);
}

async function write(topic: string, values: readonly string[]): Promise<void> {
  const child = run('produce', topic);
  child.stdin.end(values.map((value) => `${value}\n`).join(''));
  await child;
}

async function read(topic: string, ...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run('consume', topic, ...words);
  return stdout === '' ? [] : stdout.split('\n').sort();
}

const values = Array.from({ length: 1_000 }, (_, index) => `value ${index}`);

describe('confluent-kafka', () => {
  test('shares a topic in a group, and every record is read once even after a member leaves', async () => {
    const topic = stage.newTopic();
    await expectSharedReading({
      write: (some) => write(topic, some),
      join: () => readerOf(pythonWithKafka(), [script, 'member', stage.brokers(), topic, `group of ${topic}`]),
    });
  });

  test('commits and aborts transactions, and a committed read sees only committed records', async () => {
    const topic = stage.newTopic();
    await run('transactions', topic);
    expect(await read(topic, '--committed')).toEqual(['a', 'b', 'e']);
    expect(await read(topic)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('moves records and offsets in one transaction', async () => {
    const [source, target] = [stage.newTopic(), stage.newTopic()];
    await write(source, values);
    const { stdout } = await run('transform', source, target);
    const committed = stdout.split('\n').map((line) => Number(line.split(' ')[1]));
    expect(committed.reduce((sum, offset) => sum + offset, 0)).toBe(values.length);
    expect(await read(target, '--committed')).toEqual(values.map((value) => value.toUpperCase()).sort());
  });
});
