import { expect, onTestFinished, test } from 'vitest';
import { refusal, startScriptedRegistry } from '../../registry/scripted-registry.ts';
import { run } from '../../world.ts';
import { createMemoryRegistry, type Vendor } from './memory-registry.ts';
import { type RegistryWorld, startRegistryWorld } from './registry-world.ts';

/** A registry with the subject orders in the default context, and with orders and bill in .staging. */
async function startContexts(vendor: Vendor): Promise<RegistryWorld> {
  const made = await startRegistryWorld(vendor);
  onTestFinished(() => made[Symbol.asyncDispose]());
  for (const line of [
    'schema create orders --schema order.avsc',
    'schema create money --schema money.proto --schema-context .staging',
    'schema create bill --schema bill.proto --references money.proto:money:1 --schema-context .staging',
  ]) {
    const { exitCode, stderr } = await made.registry(line);
    if (exitCode !== 0) throw new Error(stderr);
  }
  return made;
}

test.each(['confluent', 'redpanda26'] as const)(
  '--schema-context is the context of names and ids (%s)',
  async (vendor) => {
    const { registry } = await startContexts(vendor);
    const json = async (line: string) => JSON.parse((await registry(`${line} --format json`)).stdout);
    expect(await json('subject list')).toEqual([':.staging:bill', ':.staging:money', 'orders']);
    expect(await json('subject list --schema-context .staging m.*')).toEqual([':.staging:money']);
    expect(await json('--schema-context .staging subject list m.*')).toEqual([':.staging:money']);
    expect(await json('subject --schema-context=. list')).toEqual(['orders']);
    expect(await json('schema list --schema-context .staging')).toMatchObject([
      { subject: ':.staging:bill', id: 2 },
      { subject: ':.staging:money', id: 1 },
    ]);
    expect(await json('schema list bill --schema-context .staging')).toMatchObject([{ subject: ':.staging:bill' }]);
    expect(await json('schema get --id 1')).toMatchObject([{ subject: 'orders' }]);
    expect(await json('schema get --id 1 --schema-context .staging')).toMatchObject([{ subject: ':.staging:money' }]);
    expect((await registry('schema get --id 1 --schema-context .staging --print-schema')).stdout).toContain(
      'message Money',
    );
    expect(await json('schema references money --schema-context .staging')).toMatchObject([
      { subject: ':.staging:bill' },
    ]);
    expect(await json('schema get :.staging:money --schema-context .other')).toMatchObject([
      { subject: ':.staging:money' },
    ]);
    expect(await json('schema check-compatibility money --schema money.proto --schema-context .staging')).toMatchObject(
      {
        subject: ':.staging:money',
      },
    );
    expect(await json('schema delete bill --schema-version 1 --schema-context .staging --yes')).toMatchObject({
      subject: ':.staging:bill',
    });
  },
);

test('settings without a subject are those of the context', async () => {
  const { registry, server } = await startContexts('redpanda26');
  const set = await registry('compatibility-level set FULL --schema-context .staging --format json');
  expect(JSON.parse(set.stdout)).toMatchObject([{ subject: ':.staging:', level: 'FULL', source: 'context' }]);
  expect(server.calls.filter(({ method }) => method === 'PUT').map(({ path }) => path)).toEqual([
    '/config/%3A.staging%3A',
  ]);
  const got = await registry('compatibility-level get money --schema-context .staging --format json');
  expect(JSON.parse(got.stdout)).toMatchObject([{ subject: ':.staging:money', level: 'FULL', source: 'context' }]);
  expect((await registry('context list')).stdout).toBe(
    'CONTEXT   MODE       COMPATIBILITY\n.         READWRITE  BACKWARD\n.staging  READWRITE  FULL\n',
  );
});

test.each(['confluent', 'redpanda26'] as const)(
  'the global setting is that of the default context, and others are named (%s)',
  async (vendor) => {
    const { registry } = await startContexts(vendor);
    const modeOf = async (subject: string) =>
      JSON.parse((await registry(`mode get ${subject} --format json`)).stdout)[0] as object;
    const create = () => registry('schema create new --schema order.avsc --schema-context .staging');
    expect((await registry('mode set READONLY')).stderr).toContain('the mode of the context .staging was not changed');
    expect(await modeOf('orders')).toMatchObject({ mode: 'READONLY', source: 'global' });
    expect(await modeOf(':.staging:money')).toMatchObject({ mode: 'READWRITE', source: 'default' });
    expect(await create()).toMatchObject({ exitCode: 0 });
    expect(await registry('mode set READONLY --schema-context .__GLOBAL')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await modeOf(':.staging:money')).toMatchObject({ mode: 'READONLY', source: 'default' });
    expect((await registry('schema create other --schema order.avsc --schema-context .staging')).stderr).toContain(
      'read-only',
    );
  },
);

test('a context is deleted when it has no subjects', async () => {
  const { registry } = await startContexts('redpanda26');
  expect(await registry('context delete .')).toMatchObject({ exitCode: 2 });
  expect(await registry('context delete .other')).toMatchObject({ stdout: '', exitCode: 3 });
  const refused = await registry('context delete .staging');
  expect(refused.stderr).toContain(
    "hint: delete its subjects for good: weir registry subject delete -r '.*' --schema-context .staging --permanent\n",
  );
  expect(refused.exitCode).toBe(6);
  expect(await registry('subject delete -r .* --schema-context .staging --permanent --yes')).toMatchObject({
    exitCode: 0,
  });
  expect(await registry('context delete .staging --dry-run')).toMatchObject({ exitCode: 0 });
  expect((await registry('context delete .staging')).stdout).toBe('deleted context ".staging"\n');
  expect((await registry('context list --format json')).stdout).not.toContain('staging');
});

test('where there are no contexts, none is taken for a part of a name', async () => {
  const { registry, server } = await startRegistryWorld('redpanda');
  onTestFinished(() => server[Symbol.asyncDispose]());
  for (const line of ['schema create orders --schema order.avsc', 'subject list', 'mode set READONLY']) {
    const { stderr, exitCode } = await registry(`${line} --schema-context .staging`);
    expect(stderr).toContain('not every registry has modes and contexts');
    expect(exitCode).toBe(1);
  }
  expect(server.calls.every(({ method, path }) => method === 'GET' && path === '/contexts')).toBe(true);
  expect(await registry('subject list --schema-context staging')).toMatchObject({ exitCode: 2 });
});

test('references from another context, whose ids do not name it, are only counted', async () => {
  const { registry } = await startContexts('redpanda26');
  await registry('schema create orders --schema order2.avsc');
  const refers = '[{"name":"money.proto","subject":":.staging:money","version":1}]';
  await registry('schema create bill --schema bill.proto --references -', { stdin: refers });
  const references = 'schema references money --schema-context .staging';
  const expected = {
    stdout: 'SUBJECT         VERSION  ID  TYPE\n:.staging:bill  1        2   PROTOBUF\n',
    stderr: 'not shown: schema ids of other contexts, or of deleted versions: 3\n',
    exitCode: 0,
  };
  expect(await registry(references)).toEqual(expected);
  // Another schema of the context that has the number.
  await registry('schema create orders --schema order.avsc --schema-context .staging');
  expect(await registry(references)).toEqual(expected);
});

test('metadata is stored with a schema, and shown by the names of rpk', async () => {
  const { registry } = await startContexts('redpanda26');
  const created = await registry(
    'schema create orders --schema order2.avsc -p owner=billing --metadata-properties tier=1',
  );
  expect(created).toMatchObject({ stderr: '', exitCode: 0 });
  const shown = await registry('schema get orders --print-metadata');
  expect(shown.stdout.split(/ {2,}|\n/)).toContain('owner=billing, tier=1');
  expect(await registry('schema get orders --print-metadata --print-schema')).toMatchObject({ exitCode: 2 });
});

test('a Redpanda that takes contexts as parts of names is not asked for one', async () => {
  await using server = await startScriptedRegistry(createMemoryRegistry('redpanda26', { isLiteral: true }));
  const env = { WEIR_REGISTRY_HOSTS: server.url };
  const lines = ['schema create orders --schema - --type avro', 'subject list', 'mode set READONLY --dry-run'];
  for (const line of lines) {
    const { stderr, exitCode } = await run(`registry ${line} --schema-context .staging`, { env, stdin: '"string"' });
    expect(stderr).toContain(
      'hint: set it with: weir cluster config set schema_registry_enable_qualified_subjects true',
    );
    expect(exitCode).toBe(1);
  }
  expect(server.calls.every(({ method }) => method === 'GET')).toBe(true);
});

test('a registry of Confluent without a level of the default context has contexts', async () => {
  const memory = createMemoryRegistry('confluent');
  await using server = await startScriptedRegistry((call) =>
    call.path.startsWith('/config/%3A.%3A') ? refusal(40408, 'not configured') : memory(call),
  );
  const env = { WEIR_REGISTRY_HOSTS: server.url };
  expect(await run('registry subject list --schema-context .staging', { env })).toMatchObject({ exitCode: 0 });
});
