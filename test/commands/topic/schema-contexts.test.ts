import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startScriptedRegistry } from '../../registry/scripted-registry.ts';
import { startModelServer } from '../../sandbox/broker/control.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { createMemoryRegistry } from '../registry/memory-registry.ts';

const text = { 'order.avsc': '{"type":"string"}', 'count.avsc': '{"type":"long"}' };

/** Brokers of Redpanda and its registry, in which the id 1 is a string, and in the context .dev a long. */
async function redpanda(flavour = 'redpanda') {
  const brokers = await startModelServer({
    brokers: [{ id: 0, host: '127.0.0.1', port: 0 }],
    settings: { flavour: flavour as 'redpanda', initialRebalanceDelayMs: 0 },
  });
  const registry = await startScriptedRegistry(createMemoryRegistry('redpanda26'));
  onTestFinished(async () => {
    await brokers.close();
    await registry[Symbol.asyncDispose]();
  });
  const env = {
    WEIR_BROKERS: brokers.brokers.map(({ host, port }) => `${host}:${port}`).join(','),
    WEIR_REGISTRY_HOSTS: `127.0.0.1:${registry.port}`,
  };
  const weir = (line: string, stdin = '') => run(line, { env, stdin });
  const must = async (line: string, stdin = ''): Promise<string> => {
    const { stdout, stderr, exitCode } = await weir(line, stdin);
    if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
    return stdout;
  };
  await must('registry schema create plain-value --schema - --type avro', text['order.avsc']);
  await must('registry schema create counts-value --schema - --type avro --schema-context .dev', text['count.avsc']);
  return { weir, must, env };
}

test('records are written and read by the context that the topic has as a property', async () => {
  const { weir, must } = await redpanda();
  await must('topic create plain');
  await must('topic create counts -c redpanda.schema.registry.context=.dev');
  await must("topic produce plain --schema-id topic -f '%v\\n'", '"a"\n');
  await must("topic produce counts --schema-id topic -f '%v\\n'", '7\n');
  await must("topic produce counts --schema-id 1 -f '%v\\n'", '8\n');
  expect(await must("topic consume plain -o :end --use-schema-registry -f '%v\\n'")).toBe('"a"\n');
  expect(await must("topic consume counts -o :end --use-schema-registry -f '%v\\n'")).toBe('7\n8\n');
  expect(await must("topic search counts --use-schema-registry --where 'value == 8' -f '%v\\n'")).toBe('8\n');
  const both = await weir("topic consume plain counts -o :end --use-schema-registry -f '%v\\n'");
  expect(both.stderr).toContain('the topics have their schemas in different contexts of the registry: . and .dev\n');
  expect(both.exitCode).toBe(2);
});

test('--schema-context decides where topics have no such property', async () => {
  const { weir, must } = await redpanda('kafka');
  await must('topic create counts');
  await must("topic produce counts --schema-id topic --schema-context .dev -f '%v\\n'", '7\n');
  expect(await must("topic consume counts -o :end --use-schema-registry --schema-context .dev -f '%v\\n'")).toBe('7\n');
  expect(await weir('topic consume counts -o :end --schema-context .dev')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('a copy takes schemas from the context of its topic to that of the destination', async () => {
  const [a, b] = [await redpanda(), await redpanda()];
  const file = join(temporaryDirectory(), 'weir.yaml');
  const profiles = [a, b].map(
    ({ env }, at) =>
      `  - {name: ${'ab'[at]}, options: {brokers: "${env.WEIR_BROKERS}", registry.hosts: "${env.WEIR_REGISTRY_HOSTS}"}}\n`,
  );
  writeFileSync(file, `version: 1\ncurrent_profile: a\nprofiles:\n${profiles.join('')}`, { mode: 0o600 });
  const bill = '{"type":"record","name":"Bill","fields":[{"name":"sum","type":"Money"}]}';
  const money = '{"type":"record","name":"Money","fields":[{"name":"cents","type":"long"}]}';
  await a.must('registry --schema-context .dev schema create money --schema - --type avro', money);
  await a.must(
    'registry --schema-context .dev schema create bills-value --schema - --type avro --references Money:money:1',
    bill,
  );
  await a.must('topic create bills -c redpanda.schema.registry.context=.dev');
  await a.must("topic produce bills --schema-id topic -f '%v\\n'", '{"sum":{"cents":7}}\n');
  await b.must('topic create live -c redpanda.schema.registry.context=.live');
  await b.must('topic create plain');
  for (const [topic, subjects] of [
    ['live', [':.dev:counts-value', ':.live:live-value', ':.live:money', 'plain-value']],
    ['plain', [':.dev:counts-value', ':.live:live-value', ':.live:money', 'money', 'plain-value']],
  ] as const) {
    const copied = await run(`topic copy bills b:${topic} --map-schemas=value`, { env: { WEIR_CONFIG: file } });
    expect(copied).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(await b.must('registry subject list --format json'))).toEqual(subjects);
    expect(await b.must(`topic consume ${topic} -o :end --use-schema-registry -f '%v\\n'`)).toBe(
      '{"sum":{"cents":7}}\n',
    );
  }
});
