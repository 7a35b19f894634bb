import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import '../../services/services.ts';
import type { Clock } from '../../../src/clock.ts';
import { generatedInput } from '../../../src/commands/topic/input/generated-input.ts';
import { type ScriptedRegistry, startScriptedRegistry } from '../../registry/scripted-registry.ts';
import { linesOf, newTopic, weir } from './records-world.ts';

const status = { type: 'enum', name: 'Status', symbols: ['NEW', 'PAID'] };
const order = {
  type: 'record',
  name: 'Order',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'status', type: status },
  ],
};

let registry: ScriptedRegistry;
beforeAll(async () => {
  registry = await startScriptedRegistry(({ path }) => {
    if (path === '/schemas/ids/2') return [200, { schema: '"string"' }];
    if (path === '/schemas/ids/3')
      return [200, { schema: 'syntax = "proto3"; message A {} message B {}', schemaType: 'PROTOBUF' }];
    return [200, { subject: 'orders', id: 1, version: 1, schema: JSON.stringify(order) }];
  });
});
afterAll(() => registry[Symbol.asyncDispose]());

const produce = (...words: readonly string[]) =>
  weir(['topic', 'produce', ...words], { env: { WEIR_REGISTRY_HOSTS: registry.url } });
const stored = async (topic: string, layout = '%k %v\\n', ...flags: readonly string[]) => {
  const line = ['topic', 'consume', topic, '-o', ':end', '-f', layout, ...flags];
  return linesOf((await weir(line, { env: { WEIR_REGISTRY_HOSTS: registry.url } })).stdout);
};

describe('topic produce --generate', () => {
  test('makes samples with keys, and the same ones for the same seed', async () => {
    const [first, second] = [await newTopic(), await newTopic()];
    const said = await produce(first, '--generate', 'sample', '-n', '40', '--seed', '7');
    expect(said).toEqual({ exitCode: 0, stdout: '', stderr: 'Wrote 40 records (seed 7)\n' });
    await produce(second, '--generate', 'sample', '-n', '40', '--seed', '7');
    const records = await stored(first);
    expect(await stored(second)).toEqual(records);
    expect(new Set(records).size).toBe(40);
    for (const record of records) {
      const [, key, value = ''] = /^(\S+) (.*)$/.exec(record) ?? [];
      expect(JSON.parse(value)).toMatchObject({ customer_id: key, quantity: expect.any(Number) });
    }
  });

  test('shows the seed that it took', async () => {
    const topic = await newTopic();
    const { stderr } = await produce(topic, '--generate', 'sample', '-n', '5');
    const seed = /\(seed (\d+)\)/.exec(stderr)?.[1] ?? '';
    await produce(topic, '--generate', 'sample', '-n', '5', '--seed', seed);
    const records = await stored(topic);
    expect(records.slice(5)).toEqual(records.slice(0, 5));
  });

  test.each(['topic', 'orders', '1'])('makes records that fit a schema: %s', async (schema) => {
    const topic = await newTopic();
    expect(await produce(topic, '--generate', schema, '-n', '30', '-o', '')).toMatchObject({ exitCode: 0 });
    const values = (await stored(topic, '%v\\n', '--use-schema-registry')).map((text) => JSON.parse(text));
    expect(values).toHaveLength(30);
    expect(new Set(values.map((value) => value.status))).toEqual(new Set(['NEW', 'PAID']));
  });

  test('makes keys that fit one too', async () => {
    const topic = await newTopic();
    await produce(topic, '--generate', '1', '--schema-key-id', '2', '-n', '3');
    const keys = await stored(topic, '%k\\n', '--use-schema-registry');
    expect(keys).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
    for (const key of keys) expect(JSON.parse(key)).toEqual(expect.stringMatching(/^\w+$/));
  });

  test('plans without waiting, and writes nothing', async () => {
    const topic = await newTopic();
    const { stdout } = await produce(topic, '--generate', 'sample', '--rate', '1', '--for', '10h', '--dry-run');
    expect(stdout).toMatch(/36000\n$/);
    expect(await stored(topic)).toEqual([]);
  });

  test.each([
    ['--generate sample', '--generate does not say how many records'],
    ['--generate sample -n 1 -f %v', '--record-format is for input, but --generate reads none'],
    ['--generate 1 -n 1 --schema-id 1', '--schema-id and --generate both choose a schema for values'],
    ['--generate sample -n 1 --schema-key-id 2', '--schema-key-id is for keys of a schema, but the sample'],
    ['--generate sample -n 1 --schema-type A', '--schema-type needs --schema-id'],
    ['--generate sample --rate 0 -n 1', 'not a number of records per second'],
    ['--generate sample --rate 5 --dry-run', '--dry-run of --generate needs -n, or --rate and --for'],
    ['--seed 1', '--seed needs --generate'],
    ['--rate 1', '--rate needs --generate'],
    ['--for 1s', '--for needs --generate'],
  ])('is refused with %s', async (flags, message) => {
    const { stderr, exitCode } = await produce('t', ...flags.split(' '));
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('needs the message type of a Protobuf schema with several', async () => {
    const topic = await newTopic();
    const { stderr, exitCode } = await produce(topic, '--generate', '3', '-n', '1');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('choose a message type with --schema-type')]);
    expect(await produce(topic, '--generate', '3', '-n', '1', '--schema-type', 'B')).toMatchObject({ exitCode: 0 });
  });
});

describe('generated input', () => {
  /** Says where it ended by time without what the rate promised. */
  const short: string[] = [];
  beforeEach(() => void short.splice(0));

  /** What is made, and when, in milliseconds of a clock of its own. */
  async function made(limits: Parameters<typeof generatedInput>[1], costMs = 0) {
    let now = 0;
    const clock = {
      now: () => now,
      sleep: async (milliseconds: number) => {
        now += milliseconds;
      },
    } as Clock;
    const found: [number, number][] = [];
    const onShort = (count: number, total: number) => void short.push(`${count} of ${total}`);
    for await (const chunk of generatedInput(() => '.', limits, clock, onShort)) {
      found.push([now, chunk.length]);
      now += costMs;
    }
    return found;
  }

  test('comes at its rate', async () => {
    expect(await made({ rate: 4, forMs: 1000, num: undefined })).toEqual([
      [0, 1],
      [250, 1],
      [500, 1],
      [750, 1],
    ]);
  });

  test('catches up after a reader that was slow', async () => {
    expect(await made({ rate: 10, forMs: undefined, num: 7 }, 250)).toEqual([
      [0, 1],
      [250, 2],
      [500, 3],
      [750, 1],
    ]);
  });

  test('ends with its time, and says so, if the rate cannot be reached', async () => {
    const found = await made({ rate: 1_000_000, forMs: 1_000, num: undefined }, 10);
    expect(short).toEqual([`${found.length * 1_000 - 999} of 1000000`]);
    expect(found.at(-1)).toEqual([1_090, 1_000]);
  });

  test('makes what is late by a pause also after its time', async () => {
    const found = await made({ rate: 100, forMs: 100, num: undefined }, 60);
    expect(found).toEqual([
      [0, 1],
      [60, 6],
      [120, 3],
    ]);
    expect(short).toEqual([]);
  });

  test('without a rate ends with its time', async () => {
    const found = await made({ rate: undefined, forMs: 25, num: undefined }, 10);
    expect(found).toEqual([
      [0, 1000],
      [10, 1000],
      [20, 1000],
    ]);
  });

  test('without a rate has its number', async () => {
    const found = await made({ rate: undefined, forMs: undefined, num: 2500 });
    expect(found.map(([, count]) => count)).toEqual([1000, 1000, 500]);
  });
});
