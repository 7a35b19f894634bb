import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal, type ScriptedRegistry, startScriptedRegistry } from '../../../registry/scripted-registry.ts';
import { services } from '../../../services/services.ts';
import type { World } from '../../../world.ts';
import { fill, newTopic, weir as weirAlone } from '../records-world.ts';

services(); // starts Kafka before the first test

const pair = {
  type: 'record',
  name: 'Pair',
  namespace: 'shop',
  fields: [
    { name: 'a', type: 'int' },
    { name: 'b', type: ['null', 'string'], default: null },
  ],
};

const schemas = new Map<string, unknown>([
  ['/schemas/ids/1', { schema: JSON.stringify(pair) }],
  ['/schemas/ids/2', { schema: '"string"' }],
  ['/schemas/ids/4', { schema: '"no such type"' }],
  ['/schemas/ids/5', { schema: '"A"', references: [{ name: 'A', subject: 'gone', version: 1 }] }],
  ['/schemas/ids/6', { schema: '"A"', references: [{ name: 'A', subject: 'circle', version: 1 }] }],
  [
    '/subjects/circle/versions/1?deleted=true',
    {
      ...{ subject: 'circle', version: 1, id: 6, schema: '"A"' },
      references: [{ name: 'A', subject: 'circle', version: 1 }],
    },
  ],
  ['/schemas/ids/7', { schema: '<a/>', schemaType: 'XML' }],
  ['/schemas/ids/8', { schema: 'syntax = "proto3"; message A {} message B {}', schemaType: 'PROTOBUF' }],
]);

let registry: ScriptedRegistry;
/** The newest version of any subject of a value; subjects of keys have none. */
const newest = { id: 1, version: 3, schema: JSON.stringify(pair) };

beforeAll(async () => {
  registry = await startScriptedRegistry(({ path }) => {
    const known = schemas.get(path);
    if (known !== undefined) return [200, known];
    const subject = /^\/subjects\/(.*-value)\/versions\/latest$/.exec(path)?.[1];
    if (subject !== undefined) return [200, { subject, ...newest }];
    return path.startsWith('/schemas')
      ? refusal(40403, 'schema id 9 does not exist')
      : refusal(40401, '-key" does not exist');
  });
});
afterAll(() => registry[Symbol.asyncDispose]());

const weir = (line: readonly string[], world: World = {}) =>
  weirAlone(line, { ...world, env: { WEIR_REGISTRY_HOSTS: registry.url, ...world.env } });

const produce = (topic: string, stdin: string, ...flags: string[]) =>
  weir(['topic', 'produce', topic, ...flags], { stdin });
const consume = (topic: string, ...flags: string[]) => weir(['topic', 'consume', topic, '-o', ':end', ...flags]);
/** The records as they are stored. */
const stored = async (topic: string) => (await consume(topic, '-f', '%k{hex}:%v{hex} ')).stdout.trim();

describe('topic produce --schema-id', () => {
  it('encodes values by a schema id', async () => {
    const topic = await newTopic();
    const { stderr, exitCode } = await produce(
      topic,
      '{"a":1,"b":{"string":"x"}}\n{"b":null,"a":-1}',
      '--schema-id',
      '1',
    );
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(await stored(topic)).toBe(':000000000102020278 :00000000010100');
  });

  it('encodes values by the newest schema of the topic', async () => {
    const topic = await newTopic();
    const { exitCode } = await produce(topic, '{\n  "a": 1\n}\n', '--schema-id', 'topic');
    expect(exitCode).toBe(0);
    expect(await stored(topic)).toBe(':00000000010200');
    expect(registry.calls.filter(({ path }) => path === `/subjects/${topic}-value/versions/latest`)).toHaveLength(1);
  });

  it('encodes keys, also the one of -k', async () => {
    const topic = await newTopic();
    const flags = ['--schema-key-id', '2', '-f', '%k %v\\n'];
    expect((await produce(topic, '"k1" plain text\n', ...flags)).exitCode).toBe(0);
    expect((await produce(topic, '{"a":1}', '-k', '"k2"', '--schema-id', '1', '--schema-key-id', '2')).exitCode).toBe(
      0,
    );
    expect(await stored(topic)).toBe(
      `0000000002046b31:${Buffer.from('plain text').toString('hex')} 0000000002046b32:00000000010200`,
    );
  });

  it('leaves null as it is', async () => {
    const topic = await newTopic();
    await produce(topic, '{"key":"k","value":null}{"value":{"a":1}}', '--schema-id', '1', '-f', 'json');
    expect((await consume(topic, '-f', '%k=%v{hex},')).stdout).toBe('k=,=00000000010200,');
  });

  it('refuses a value that does not fit, with its line, and writes those before it', async () => {
    const topic = await newTopic();
    const { stdout, stderr, exitCode } = await produce(
      topic,
      '{"a":1}\n{\n  "a":2\n}\n{"a":"three"}\n{"a":4}\n',
      ...['--schema-id', '1', '-o', '%o\\n'],
    );
    expect({ stdout, exitCode }).toEqual({ stdout: '0\n1\n', exitCode: 1 });
    expect(stderr).toMatch(
      /^weir: unable to encode record 3 \(input line 5\): the value does not fit schema 1 at \$\.a: expected int, found .*\n/,
    );
    expect(await stored(topic)).toBe(':00000000010200 :00000000010400');
  });

  it('names the line of input that is not JSON', async () => {
    const topic = await newTopic();
    const flags = ['--schema-id', '1', '-o', '%o '];
    expect(await produce(topic, '{"a":\n1}\n{"a":NaN}\n', ...flags)).toMatchObject({
      ...{ stdout: '0 ', exitCode: 1 },
      stderr: expect.stringContaining('unable to read record 2 (input line 3, byte 9): the value is not valid JSON'),
    });
    const envelopes = await produce(
      topic,
      '{"value":{"a":1}}\n{"valeu":{"a":1}}\n',
      '--format',
      'json',
      '--schema-id',
      '1',
    );
    expect(envelopes.stderr).toContain('unable to read record 2 (input line 2, byte 18): unknown field');
  });

  it.each([
    [['--schema-id', '9'], 3, 'schema id 9 does not exist'],
    [['--schema-key-id', 'topic'], 3, '-key" does not exist'],
    [['--schema-id', '4'], 1, 'unable to use schema 4: '],
  ])('%s ends the command before anything is written', async (flags, exitCode, reason) => {
    const topic = await newTopic();
    const outcome = await produce(topic, '{"a":1}', ...flags);
    expect(outcome).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(reason) });
    expect(await stored(topic)).toBe('');
  });

  it('names a schema that cannot be used in the data of the error', async () => {
    const { stderr } = await produce(await newTopic(), '{"value":{"a":1}}', '--schema-id', '4', '--format', 'json');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'UNUSABLE_SCHEMA', target: '4' });
  });

  it('says how to register a missing schema, and how to choose one of several message types', async () => {
    const topic = await newTopic();
    const missing = await produce(topic, '1', '-k', '"k"', '--schema-key-id', 'topic');
    expect(missing).toMatchObject({ exitCode: 3, stdout: '' });
    expect(missing.stderr).toContain(
      `hint: register a schema with: weir registry schema create ${topic}-key --schema FILE`,
    );
    const several = await produce(topic, '{}', '--schema-id', '8');
    expect(several).toMatchObject({ exitCode: 1, stdout: '' });
    expect(several.stderr).toContain('hint: choose a message type with --schema-type\n');
    const key = await produce(topic, '1', '-k', '{}', '--schema-key-id', '8', '--schema-key-type', 'C');
    expect(key.stderr).toContain('hint: choose a message type with --schema-key-type\n');
  });

  it('says that a key that is no JSON needs double quotes', async () => {
    const refused = await produce(await newTopic(), '1', '-k', 'k1', '--schema-key-id', '2');
    expect(refused.stderr).toContain('hint: put text in double quotes, as JSON requires\n');
    expect(refused.exitCode).toBe(1);
  });

  it('with --dry-run, checks the values and writes nothing', async () => {
    const topic = await newTopic();
    const good = await produce(topic, '{"a":1}', '--schema-id', '1', '--dry-run', '--format', 'json', '-f', '%v\\n');
    expect({ ...good, stdout: JSON.parse(good.stdout) }).toMatchObject({
      exitCode: 0,
      stdout: [{ topic, records: 1 }],
    });
    const bad = await produce(topic, '{"a":1}\n{}', '--schema-id', '1', '--dry-run');
    expect(bad).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('record 2 (input line 2)') });
    expect(await stored(topic)).toBe('');
  });
});

describe('topic consume --use-schema-registry', () => {
  let topic: string;
  beforeAll(async () => {
    topic = await newTopic();
    const lines = ['"k1" {"a":1,"b":{"string":"x"}}', '"k2" {"a":2}'];
    await produce(topic, lines.join('\n'), '-f', '%k %v\\n', '--schema-id', '1', '--schema-key-id', '2');
    await fill(topic, ['not encoded']);
  });

  it('prints keys and values as JSON, others as they are stored, with a warning', async () => {
    const { stdout, stderr, exitCode } = await consume(topic, '--use-schema-registry', '-f', '%o %k %v\\n');
    expect({ stdout, exitCode }).toEqual({
      stdout: '0 "k1" {"a":1,"b":{"string":"x"}}\n1 "k2" {"a":2,"b":null}\n2  not encoded\n',
      exitCode: 0,
    });
    expect(stderr).toBe(
      `warning: unable to decode the value of topic "${topic}" partition 0 at offset 2: ` +
        'it does not start with a schema id; its bytes are printed (others are only counted)\n' +
        '1 record could not be decoded and was printed as stored\n',
    );
  });

  it('does not say that it has printed what conditions have left out', async () => {
    const { stdout, stderr } = await consume(topic, '--use-schema-registry', '--where', 'value.a == 1', '-f', '%o');
    expect(stdout).toBe('0');
    expect(stderr).toContain('it does not start with a schema id; its bytes are used (others are only counted)\n');
    expect(stderr).toContain('1 record could not be decoded and was used as stored\n');
  });

  it('prints only values as JSON with =value', async () => {
    const { stdout } = await consume(topic, '--use-schema-registry=value', '-n', '1', '-f', '%k{hex} %v');
    expect(stdout).toBe('0000000002046b31 {"a":1,"b":{"string":"x"}}');
  });

  it('passes through produce unchanged, as JSON', async () => {
    const { stdout } = await consume(topic, '--use-schema-registry', '-n', '2', '--format', 'json');
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      ...{ key: 'k1', key_schema_id: 2, value: { a: 1, b: { string: 'x' } }, value_schema_id: 1 },
    });
    const copy = await newTopic();
    const flags = ['--format', 'json', '--schema-id', '1', '--schema-key-id', '2'];
    expect((await produce(copy, stdout, ...flags)).exitCode).toBe(0);
    expect(await stored(copy)).toBe((await stored(topic)).split(' ').slice(0, 2).join(' '));
  });

  it('leaves out what it cannot decode with skip, and ends with fail', async () => {
    const flags = ['--use-schema-registry=value', '-f', '%o '];
    const skip = await consume(topic, ...flags, '--on-decode-error', 'skip');
    expect(skip).toMatchObject({ stdout: '0 1 ', exitCode: 0 });
    expect(skip.stderr).toContain('1 record could not be decoded and was left out');
    const fail = await consume(topic, ...flags, '--on-decode-error', 'fail');
    expect(fail).toMatchObject({ stdout: '0 1 ', exitCode: 1 });
    expect(fail.stderr).toContain('partition 0 at offset 2: it does not start with a schema id');
  });

  it('prints records as they are stored if their schema cannot be used, and goes on', async () => {
    const some = await newTopic();
    await fill(some, ['\0\0\0\0\x05a', '\0\0\0\0\x06b', '\0\0\0\0\x07c', '\0\0\0\0\x02\x02d']);
    const flags = ['--use-schema-registry=value', '-f', '%o=%v;'];
    const { stdout, stderr, exitCode } = await consume(some, ...flags);
    expect({ stdout, exitCode }).toEqual({
      stdout: '0=\0\0\0\0\x05a;1=\0\0\0\0\x06b;2=\0\0\0\0\x07c;3="d";',
      exitCode: 0,
    });
    expect(stderr).toContain('at offset 0: schema 5 cannot be used: subject "gone" does not exist');
    expect(stderr).toContain('3 records could not be decoded and were printed as stored');
    for (const [offset, reason] of [
      [1, 'schema 6 cannot be used: unable to resolve the references of the schema: version 1 of "circle" refers to'],
      [2, 'has the schema type "XML", which is unknown'],
    ] as const) {
      const one = await weir(['topic', 'consume', some, '-o', `${offset}:${offset + 1}`, ...flags]);
      expect(one).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(reason) });
    }
  });

  it.each([
    ['that is down', 'http://127.0.0.1:9', 5, '127.0.0.1:9'],
    ['that is none', undefined, 5, 'GET http'],
  ])('ends the read with a registry %s', async (_name, url, exitCode, reason) => {
    await using html = await startScriptedRegistry(() => [200, '<html>hello</html>', { 'content-type': 'text/html' }]);
    const outcome = await weir(['topic', 'consume', topic, '-o', ':end', '--use-schema-registry', '-f', '%v'], {
      env: { WEIR_REGISTRY_HOSTS: url ?? html.url },
    });
    expect(outcome).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(reason) });
  });
});
