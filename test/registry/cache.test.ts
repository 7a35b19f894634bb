import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { createKnownSchemas, createSchemaCache } from '../../src/registry/schema-cache.ts';
import { failed } from '../net/http-peers.ts';
import { temporaryDirectory } from '../world.ts';
import { refusal, registryOf, type ScriptedRegistry, startScriptedRegistry } from './scripted-registry.ts';

/** A registry with schema 5, which refers to version 2 of "money". */
async function startRegistry(): Promise<ScriptedRegistry> {
  const references = [{ name: 'ns.Money', subject: 'money', version: 2 }];
  return await startScriptedRegistry(({ path }) => {
    const place = path.replace(/^http:\/\/[^/]+/, '');
    if (place === '/schemas/ids/5') return [200, { schema: '"ns.Money"', references }];
    if (place === '/subjects/money/versions/2?deleted=true')
      return [200, { subject: 'money', version: 2, id: 4, schema: '{"type":"fixed"}' }];
    return refusal(40403, `no ${place}`);
  });
}

/** A client of "registry.example", which is `server` behind a proxy; only registries elsewhere are kept on disk. */
function remote(server: ScriptedRegistry, cacheDirectory: string, user = 'ana') {
  return registryOf(['registry.example'], {
    cacheDirectory,
    proxy: { option: '', env: { http_proxy: server.url } },
    credentials: { user, pass: 'opensesame' },
  });
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const whole = { type: 'AVRO', text: '"ns.Money"', references: [{ name: 'ns.Money', text: '{"type":"fixed"}' }] };

describe('schemas by id', () => {
  test('are fetched once in a command, also by several at the same time', async () => {
    await using server = await startRegistry();
    using client = registryOf([server.url]);
    const { registry } = client;
    const [one, two] = await Promise.all([registry.schemaById(5), registry.schemaById(5)]);
    expect(one).toEqual(two);
    expect(await registry.withReferences(one)).toEqual(whole);
    expect(await registry.withReferences(await registry.schemaById(5))).toEqual(whole);
    expect(server.calls.map(({ path }) => path)).toEqual(['/schemas/ids/5', '/subjects/money/versions/2?deleted=true']);
  });

  test('are kept on disk for the next command, with what they refer to, without secrets', async () => {
    await using server = await startRegistry();
    const directory = temporaryDirectory();
    for (const _ of [1, 2]) {
      using client = remote(server, directory);
      const { registry } = client;
      expect(await registry.withReferences(await registry.schemaById(5))).toEqual(whole);
    }
    expect(server.calls).toHaveLength(2);
    const files = filesIn(directory);
    expect(files.map((file) => file.replace(/^.*\//, ''))).toEqual(['id-5.json', 'references-5.json']);
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(files.join() + files.map((file) => readFileSync(file, 'utf8')).join()).not.toMatch(/opensesame|YW5hOm9w/);
  });

  test('of another user or another registry are not taken from the disk', async () => {
    await using server = await startRegistry();
    const directory = temporaryDirectory();
    for (const user of ['ana', 'bob']) {
      using client = remote(server, directory, user);
      await client.registry.schemaById(5);
    }
    using other = registryOf(['http://other.example'], {
      cacheDirectory: directory,
      proxy: { option: '', env: { http_proxy: server.url } },
    });
    await other.registry.schemaById(5);
    expect(server.calls).toHaveLength(3);
  });

  test('of another context are others, in memory and on disk', async () => {
    const id = (name: string) => `/schemas/ids/5${name}`;
    await using server = await startScriptedRegistry(({ path }) => {
      const place = path.replace(/^http:\/\/[^/]+/, '');
      return [200, { schema: place === id('') ? '"int"' : '"long"' }];
    });
    const directory = temporaryDirectory();
    for (const _ of [1, 2]) {
      using client = remote(server, directory);
      expect(await client.registry.schemaById(5)).toMatchObject({ text: '"int"' });
      expect(await client.registry.schemaById(5, ':.dev:')).toMatchObject({ text: '"long"', context: ':.dev:' });
    }
    expect(server.calls.map(({ path }) => path.replace(/^http:\/\/[^/]+/, ''))).toEqual([
      id(''),
      id('?subject=%3A.dev%3A'),
    ]);
  });

  test('of a registry on this machine are not kept on disk', async () => {
    await using server = await startRegistry();
    const directory = temporaryDirectory();
    using client = registryOf([server.url], { cacheDirectory: directory });
    await client.registry.schemaById(5);
    expect(filesIn(directory)).toEqual([]);
  });

  test.each([
    ['cut', (text: string) => text.slice(0, -9)],
    ['empty', () => ''],
    ['changed', (text: string) => text.replace('ns.Money', 'ns.Honey')],
    ['of another form', () => '[1,2]'],
  ])('in a file that is %s are fetched, and written again', async (_, damage) => {
    await using server = await startRegistry();
    const directory = temporaryDirectory();
    const use = async () => {
      using client = remote(server, directory);
      return await client.registry.schemaById(5);
    };
    await use();
    const [file = ''] = filesIn(directory);
    const before = readFileSync(file, 'utf8');
    expect(damage(before)).not.toBe(before);
    writeFileSync(file, damage(before));
    expect(await use()).toMatchObject({ text: '"ns.Money"' });
    expect(server.calls).toHaveLength(2);
    await use();
    expect(server.calls).toHaveLength(2);
  });

  test('make room on disk: the oldest ones of any registry go when all are too large', async () => {
    await using server = await startRegistry();
    const directory = temporaryDirectory();
    const another = join(directory, 'registry', 'another');
    mkdirSync(another, { recursive: true });
    const now = Date.now() / 1000;
    for (const [name, minutes] of [
      ['old', 2],
      ['new', 1],
    ] as const) {
      const file = join(another, `${name}.json`);
      writeFileSync(file, '');
      truncateSync(file, 40 << 20);
      utimesSync(file, now - minutes * 60, now - minutes * 60);
    }
    using client = remote(server, directory);
    await client.registry.schemaById(5);
    await expect
      .poll(() =>
        filesIn(directory)
          .map((file) => basename(file))
          .sort(),
      )
      .toEqual(['id-5.json', 'new.json']);
  });

  test('work without a directory that can be written', async () => {
    await using server = await startRegistry();
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    using client = remote(server, file);
    expect(await client.registry.schemaById(5)).toMatchObject({ id: 5 });
  });

  test('that do not exist are asked for once in ten seconds', async () => {
    let now = 0;
    const known = createKnownSchemas<string>({ now: () => now }, (text) => text.length);
    await using server = await startRegistry();
    using client = registryOf([server.url]);
    const { error } = await failed(client.registry.schemaById(6));
    let asked = 0;
    const ask = () =>
      known.get(6, async () => {
        asked += 1;
        throw error;
      });
    await failed(ask());
    now = 9_999;
    await failed(ask());
    expect(asked).toBe(1);
    now = 10_000;
    await failed(ask());
    expect(asked).toBe(2);
  });

  test('that are too long are not remembered, and many make room for one another', async () => {
    const known = createKnownSchemas<string>({ now: () => 0 }, (text) => text.length);
    const asked: number[] = [];
    const ask = (id: number, length: number) =>
      known.get(id, async () => {
        asked.push(id);
        return 'x'.repeat(length);
      });
    const most = 8 * 2 ** 20;
    for (const id of [1, 1, 2, 2]) await ask(id, id === 1 ? most + 1 : most);
    expect(asked.splice(0)).toEqual([1, 1, 2]);
    for (const id of [3, 4, 5, 6, 3, 2]) await ask(id, most);
    expect(asked).toEqual([3, 4, 5, 6, 2]);
  });

  test('whose request failed otherwise are asked for again', async () => {
    await using server = await startScriptedRegistry(({ before }) =>
      before === 0 ? refusal(500, 'internal error') : [200, { schema: '"int"' }],
    );
    using client = registryOf([server.url]);
    await failed(client.registry.schemaById(6));
    expect(await client.registry.schemaById(6)).toMatchObject({ text: '"int"' });
  });
});

describe('the files', () => {
  test('of any registry that are no longer used are removed', async () => {
    const directory = temporaryDirectory();
    await createSchemaCache(directory, ['a']).put('id-1', { schema: 'x' });
    const [old = ''] = filesIn(directory);
    utimesSync(old, new Date(), new Date(Date.now() - 86_400_000));
    await createSchemaCache(directory, ['b']).put('id-2', { schema: 'y' });
    expect(filesIn(directory).map((path) => basename(path))).toEqual(['id-2.json']);
  });

  test('are used for a day', async () => {
    let now = 1_000_000;
    const cache = createSchemaCache(temporaryDirectory(), ['a'], () => now);
    await cache.put('id-1', { schema: 'x' });
    now += 86_399_999;
    expect(cache.get('id-1')).toEqual({ schema: 'x' });
    now += 1;
    expect(cache.get('id-1')).toBeUndefined();
  });
});
