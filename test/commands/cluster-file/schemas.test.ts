import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registry } from '../../services/registry.ts';
import { services } from '../../services/services.ts';
import { type Outcome, run, temporaryDirectory } from '../../world.ts';
import { startRegistryWorld } from '../registry/registry-world.ts';

const home = temporaryDirectory();
const prefix = `files-${crypto.randomUUID().slice(0, 8)}`;
const [orders, money, audit] = [`${prefix}-orders-value`, `${prefix}-money`, `${prefix}-audit-value`];

async function weir(line: string, stdin = '', env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const hosts = { WEIR_BROKERS: services().plaintext, WEIR_REGISTRY_HOSTS: registry().url };
  return await run(line, { home, cwd: home, stdin, env: { ...hosts, ...env } });
}

async function differences(file: string, flags = '', env = {}): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await weir(`diff ${file} --format json ${flags}`, '', env)).stdout);
}

mkdirSync(join(home, 'c/schemas'), { recursive: true });
const write = (name: string, text: string) => writeFileSync(join(home, 'c', name), text);
const record = (...fields: readonly string[]) =>
  JSON.stringify({ type: 'record', name: 'Audit', fields: fields.map((text) => JSON.parse(text)) });
const [id, who, added] = [
  '{"name":"id","type":"long"}',
  '{"name":"who","type":["null","string"],"default":null}',
  '{"name":"x","type":"int"}',
];
const moneyProto = 'syntax = "proto3";\nmessage Money {\n  int64 cents = 1;\n}\n';
const orderProto = 'syntax = "proto3";\nimport "money.proto";\nmessage Order {\n  Money sum = 1;\n}\n';

test('schemas are registered in the order of their references, followed, compared by meaning and deleted', async () => {
  write('schemas/order.proto', orderProto);
  write('schemas/money.proto', moneyProto);
  write('audit.avsc', record(id));
  write(
    'cluster.yaml',
    `weir: 1
owns: {subjects: ['${prefix}-*']}
schemas:
  ${orders}: {level: FULL, file: schemas/order.proto, references: [{money.proto: ${money}, version: latest}]}
  ${money}: {file: schemas/money.proto}
  ${audit}: {file: audit.avsc}
`,
  );
  const created = await weir('apply c --yes --format json');
  expect(created).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(created.stdout).map(({ name }: { name: string }) => name)).toEqual([money, orders, audit]);
  expect(await weir('diff c')).toMatchObject({ stdout: '', exitCode: 0 });
  const exported = await weir(`export --owns '${prefix}-*'`);
  expect(exported.stdout).toContain(`- money.proto: ${money}\n        version: latest\n`);
  expect(await weir('diff - --prune', exported.stdout)).toMatchObject({ stdout: '', exitCode: 0 });
  // Another layout, and another order of fields, is the same schema.
  const { fields, ...others } = JSON.parse(record(id));
  write('audit.avsc', JSON.stringify({ fields, ...others }, undefined, 4));
  expect(await weir('diff c')).toMatchObject({ stdout: '', exitCode: 0 });
  // Other documentation is another schema.
  write('audit.avsc', JSON.stringify({ ...others, fields, doc: 'who did what' }));
  expect(await differences('c')).toMatchObject([
    { name: audit, changes: [{ path: 'version' }, { path: 'schema.doc' }] },
  ]);

  // What refers to the latest version gets one of its own.
  write('schemas/money.proto', moneyProto.replace('}', '  string currency = 2;\n}'));
  write('audit.avsc', record(id, who));
  expect(await differences('c', '--out plan.json')).toMatchObject([
    {
      name: money,
      action: 'update',
      changes: [
        { path: 'version', from: '1', to: '2' },
        { path: 'schema', from: null, to: 'string currency = 2;' },
      ],
    },
    {
      name: orders,
      changes: [
        { path: 'version', from: '1', to: '2' },
        { path: 'references.money.proto', from: `${money}:1`, to: `${money}:latest` },
      ],
      why: 'whether it is compatible is known after apply',
    },
    { name: audit, changes: [{ path: 'version' }, { path: 'schema.fields.who', from: null, to: who }] },
  ]);
  expect(readFileSync(join(home, 'plan.json'), 'utf8')).toContain('string currency = 2;');
  // The plan has the schemas as they were.
  write('schemas/money.proto', moneyProto);
  const applied = await weir('apply plan.json --yes --format json');
  expect(JSON.parse(applied.stdout)).toMatchObject([{ status: 'OK' }, { status: 'OK' }, { status: 'OK' }]);
  const { stdout } = await weir(`registry schema get ${orders} --format json`);
  expect(JSON.parse(stdout)).toMatchObject([{ version: 2, references: [{ subject: money, version: 2 }] }]);

  // An earlier version cannot become the latest one, which a plan says, with the order of the commands that help.
  const remove = (subject: string) => `weir registry schema delete ${subject} --schema-version 2`;
  const order = `after what refers to it (version 2 of ${orders}): ${remove(orders)}, then ${remove(money)}`;
  expect(await differences('c')).toMatchObject([
    { name: money, action: 'blocked', why: expect.stringContaining(order) },
  ]);
  // What refers to the latest version does not follow one that the files do not have.
  const byHand = {
    schemaType: 'PROTOBUF',
    schema: moneyProto.replace('}', '  string currency = 2;\n  string by_hand = 3;\n}'),
  };
  const headers = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
  const path = `${registry().url}/subjects/${money}/versions`;
  expect(await fetch(path, { method: 'POST', headers, body: JSON.stringify(byHand) })).toMatchObject({ ok: true });
  expect(JSON.parse((await weir('apply c --yes --format json')).stdout)).toMatchObject([
    { name: money, action: 'blocked' },
    { name: orders, error: { code: 'NOT_CHANGED' } },
  ]);
  write('audit.avsc', record(id, who, added));
  write('schemas/money.proto', moneyProto.replace('int64', 'int46'));
  expect(await differences('c')).toMatchObject([
    { name: money, action: 'blocked', why: expect.stringContaining('cannot be compiled: ') },
    { name: orders, action: 'blocked', why: expect.stringContaining(`because "${money}"`) },
    { name: audit, action: 'blocked', why: expect.stringContaining('not compatible') },
  ]);

  // A registry such as Apicurio would take what cannot be compiled.
  expect(JSON.parse((await weir('apply c --yes --format json')).stdout)).toMatchObject([
    { name: money, error: { code: 'INVALID_SCHEMA', exit_code: 6 } },
    { name: orders, error: { code: 'NOT_CHANGED' } },
    { name: audit, status: 'ERROR' },
  ]);

  const absent = `weir: 1\nowns: {subjects: ['${prefix}-*']}\nschemas: {${audit}: {absent: true, because: 'OPS-7'}}\n`;
  const soft = 'a soft deletion: its ids keep working';
  expect(JSON.parse((await weir('diff - --format json', absent)).stdout)).toMatchObject([
    { name: audit, action: 'delete', why: `OPS-7; ${soft}` },
    { name: money, action: 'keep' },
    { name: orders, action: 'keep' },
  ]);
  expect(await weir('apply - --yes', absent)).toMatchObject({ exitCode: 0 });
  expect(JSON.parse((await weir(`registry subject list '${prefix}-.*' --format json`)).stdout)).toEqual([
    money,
    orders,
  ]);
});

test('what is wrong with a schema in the files is reported with its place', async () => {
  write('broken.avsc', '{');
  write('order.txt', '{}');
  const { exitCode, stderr } = await weir(
    'diff -',
    `weir: 1
schemas:
  a: {file: c/broken.avsc}
  b: {file: c/none.avsc}
  d: {schema: '"string"'}
  e: {level: backward, references: [{x: d, version: 0}]}
  f:
`,
  );
  expect(exitCode).toBe(2);
  expect(stderr.split('\n')).toEqual([
    expect.stringContaining('standard input:5:3: schemas.d: name the type of the schema'),
    expect.stringContaining('standard input:6:14: schemas.e.level: expected BACKWARD or '),
    expect.stringContaining(
      'standard input:6:53: schemas.e.references[0].version: expected a number from 1, or latest',
    ),
    expect.stringContaining('standard input:7:3: schemas.f: name its schema (file or schema) or its level'),
    '',
  ]);
  const files = await weir(
    'diff -',
    'weir: 1\nschemas:\n  a: {file: c/broken.avsc}\n  b: {file: c/none.avsc}\n  c: {file: c/order.txt}\n',
  );
  expect(files.stderr.split('\n')).toEqual([
    expect.stringContaining('standard input:3:13: schemas.a.file: the schema is not JSON'),
    expect.stringMatching(/standard input:4:13: schemas\.b\.file: .*no such file/),
    expect.stringContaining('standard input:5:13: schemas.c.file: it does not end with .avsc, .proto or .json'),
    '',
  ]);
  const circle = `weir: 1
schemas:
  a: {type: AVRO, schema: '"int"', references: [{b: b}]}
  b: {type: AVRO, schema: '"int"', references: [{a: a, version: 1}]}
`;
  expect(await weir('diff -', circle)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      'standard input:4:3: schemas.b: standard input:3 is what it refers to, in a circle',
    ),
  });
});

test('a registry is asked only if the files have schemas, or one is configured', async () => {
  await using other = await startRegistryWorld('redpanda26');
  const hosts = { WEIR_REGISTRY_HOSTS: `127.0.0.1:${other.server.port}` };
  const owner = "weir: 1\nowns: {subjects: ['none-*']}\n";
  expect(await weir('diff -', 'weir: 1\ntopics: {}\n', hosts)).toMatchObject({ exitCode: 0 });
  expect(other.server.calls).toEqual([]);
  expect(await weir('diff -', owner, hosts)).toMatchObject({ exitCode: 0 });
  expect(other.server.calls).toHaveLength(1);
  // The default is an address of this machine, where no registry is.
  expect(await weir('diff -', owner, { WEIR_REGISTRY_HOSTS: '' })).toMatchObject({ exitCode: 0 });

  // A context is a part of the name, and references stay in it.
  const inContext = `weir: 1
schemas:
  ':.staging:b': {type: AVRO, schema: '{"type":"record","name":"b","fields":[{"name":"a","type":"a"}]}', references: [{a: a}]}
  ':.staging:a': {type: AVRO, schema: '{"type":"record","name":"a","fields":[]}'}
`;
  expect(await weir('apply - --yes', inContext, hosts)).toMatchObject({ exitCode: 0 });
  expect(await weir('diff -', inContext, hosts)).toMatchObject({ stdout: '', exitCode: 0 });

  // With another level, the registry does not compare by the one that ends; and what a schema loses is no deletion.
  const schema = `{type: AVRO, schema: '{"type":"string","doc":"transitive"}', level: NONE}`;
  const releveled = `weir: 1\nschemas: {':.staging:a': ${schema}}\n`;
  expect(JSON.parse((await weir('diff - --format json', releveled, hosts)).stdout)).toMatchObject([
    {
      ...{ action: 'update', risk: 'records', why: 'later versions may break readers; this version is not checked' },
      changes: expect.arrayContaining([{ path: 'schema.fields', from: '[]', to: null }]),
    },
  ]);
  expect(await weir('apply - --yes --max-deletes 0', releveled, hosts)).toMatchObject({ exitCode: 0 });
  const levels = [
    ['FORWARD', 'none'],
    ['FULL', 'none'],
    ['FULL_TRANSITIVE', 'none'],
    ['BACKWARD_TRANSITIVE', 'records'],
    ['BACKWARD', 'records'],
  ] as const;
  for (const [level, risk] of levels) {
    const file = releveled.replace('NONE', level);
    expect(JSON.parse((await weir('apply - --yes --format json', file, hosts)).stdout)).toMatchObject([{ risk }]);
  }

  const split = () => weir("export --owns ':.staging:*' --split out", '', hosts);
  const files = () => readdirSync(join(home, 'out/schemas')).sort();
  expect(await split()).toMatchObject({ exitCode: 0 });
  expect(files()).toEqual(['_.staging_a.avsc', '_.staging_b.avsc']);
  await weir('registry subject delete :.staging:b --yes', '', hosts);
  expect(await split()).toMatchObject({ exitCode: 0 });
  expect(files()).toEqual(['_.staging_a.avsc']);
  // A deleted version keeps its number.
  expect(JSON.parse((await weir('diff - --format json', inContext, hosts)).stdout)).toContainEqual(
    expect.objectContaining({
      name: ':.staging:b',
      changes: expect.arrayContaining([{ path: 'version', from: null, to: '2' }]),
    }),
  );
  // The file of somebody else stays, whatever its name; a formatter is nobody.
  writeFileSync(join(home, 'out/schemas/_.staging_b.avsc'), '"int"');
  const [name] = files();
  const path = join(home, 'out/schemas', String(name));
  writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), undefined, 2));
  await weir('registry subject delete :.staging:a --yes', '', hosts);
  expect((await split()).exitCode).toBe(0);
  expect(files()).toEqual(['_.staging_b.avsc']);
});

test('another registry gets the texts of an export as they were, unless it lays them out in lines', async () => {
  const texts: Readonly<Record<string, readonly [string, string]>> = {
    word: ['AVRO', '"string"'],
    proto: ['PROTOBUF', moneyProto.trimEnd()],
    lines: ['AVRO', '{"type": "fixed",\n "name": "F", "size": 4}\n'],
    wide: ['AVRO', '{"type":"fixed","name":"G","size":4}'],
  };
  const nameOf = (key: string) => `text-${prefix}-${key}`;
  const schemas = Object.entries(texts).map(([key, [type, schema]]) => [nameOf(key), { type, schema }] as const);
  const file = JSON.stringify({ weir: 1, schemas: Object.fromEntries(schemas) });
  expect(await weir('apply - --yes', file)).toMatchObject({ exitCode: 0 });
  const exported = (await weir(`export --owns '${nameOf('*')}'`)).stdout.replaceAll(nameOf(''), nameOf('again-'));
  expect(await weir('apply - --yes', exported)).toMatchObject({ exitCode: 0 });
  for (const [key, [, text]] of Object.entries(texts)) {
    const answer = await fetch(`${registry().url}/subjects/${nameOf(`again-${key}`)}/versions/latest`);
    expect(await answer.json()).toMatchObject({
      schema: key === 'wide' ? JSON.stringify(JSON.parse(text), undefined, 2) : text,
    });
  }
  // Editors and formatters end a file with a line break.
  const split = () => weir(`export --owns '${nameOf('proto')}' --split texts`);
  expect((await split()).exitCode).toBe(0);
  appendFileSync(join(home, `texts/schemas/${nameOf('proto')}.proto`), '\n');
  expect((await split()).stderr).not.toContain('left ');
});
