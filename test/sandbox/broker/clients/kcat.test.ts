import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { kcatProgram } from '../../../services/client-programs.ts';
import { clientStage } from './stage.ts';

const stage = clientStage();

function write(topic: string, lines: readonly string[], ...flags: readonly string[]) {
  const words = ['-b', stage.brokers(), '-P', '-t', topic, '-K', '\t', ...flags];
  return execa(kcatProgram(), words, { input: `${lines.join('\n')}\n` });
}

async function read(topic: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const words = ['-b', stage.brokers(), '-C', '-t', topic, '-e', '-q', '-f', '%k\\t%s\\n', ...flags];
  return (await execa(kcatProgram(), words)).stdout.split('\n').filter((line) => line !== '');
}

const lines = Array.from(
  { length: 2_000 },
  (_, index) => `key-${index % 97}\tvalue ${index} ${'x'.repeat(index % 300)}`,
);

describe('kcat', () => {
  test.each(['none', 'gzip', 'snappy', 'lz4', 'zstd'])('writes with %s and reads the records back', async (codec) => {
    const topic = stage.newTopic();
    await write(topic, lines, '-z', codec);
    expect([...(await read(topic))].sort()).toEqual([...lines].sort());
  });

  test('reads a partition in the order of an idempotent producer, and from a timestamp', async () => {
    const topic = stage.newTopic();
    await write(topic, lines, '-p', '2', '-X', 'enable.idempotence=true');
    expect(await read(topic, '-p', '2')).toEqual(lines);
    expect(await read(topic, '-p', '2', '-o', '-5')).toEqual(lines.slice(-5));
    expect(await read(topic, '-p', '2', '-o', 's@1')).toEqual(lines);
  });

  test('lists brokers, topics and partitions', async () => {
    const topic = stage.newTopic();
    const { stdout } = await execa(kcatProgram(), ['-b', stage.brokers(), '-L', '-J', '-t', topic]);
    const found = JSON.parse(stdout) as { brokers: unknown[]; topics: { topic: string; partitions: unknown[] }[] };
    expect(found.brokers).toHaveLength(3);
    expect(found.topics[0]?.partitions).toHaveLength(6);
  });
});
