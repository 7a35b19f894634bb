import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createJournal } from '../../../src/byoc/flow/journal.ts';
import { type FlowRecord, isCalled, newCreation, withoutSecrets } from '../../../src/byoc/flow/record.ts';
import { temporaryDirectory } from '../../world.ts';

const signal = new AbortController().signal;
const options = { apiUrl: 'http://127.0.0.1:1', now: 0, projectId: 'p', subscriptionId: undefined };
const record = (name: string, now = 0): FlowRecord =>
  newCreation({ name, network_id: 'n', resource_group_id: 'g' }, 'gcp', { ...options, now });

test('records are stored completely, readable only by their owner, and listed by age', async () => {
  const directory = join(temporaryDirectory(), 'cloud');
  const journal = createJournal(directory, { signal });
  expect(await journal.list()).toEqual([]);
  const [younger, older] = [record('younger', 2000), record('older', 1000)];
  for (const one of [younger, older]) await journal.hold(one.id, () => journal.write(one));
  expect(await journal.list()).toEqual([older, younger]);
  expect((await stat(join(directory, `${older.id}.json`))).mode & 0o777).toBe(0o600);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  await journal.remove(older.id);
  await journal.remove(older.id); // removing it twice is harmless
  expect(await journal.list()).toEqual([younger]);
  expect((await readdir(directory)).filter((name) => !name.endsWith('.json'))).toEqual([]);
});

test.each(['', '{', '[]', 'null', '{"version":2}', '\u0000\u0001'])(
  'a file that weir did not write is named, skipped, and stays: %j',
  async (text) => {
    const directory = temporaryDirectory();
    await writeFile(join(directory, 'aa.json'), text);
    const other = record('other');
    await writeFile(join(directory, `${other.id}.json`), JSON.stringify(other));
    const warnings: string[] = [];
    const journal = createJournal(directory, { signal }, (line) => void warnings.push(line));
    expect(await journal.list()).toEqual([other]);
    const reason = `unable to read ${join(directory, 'aa.json')}: it is not a valid flow record`;
    expect(warnings).toEqual([`skipping an unfinished operation: ${reason}`]);
    expect(await readFile(join(directory, 'aa.json'), 'utf8')).toBe(text);
  },
);

test('a read-only directory is reported before anything begins', async () => {
  const file = join(temporaryDirectory(), 'file');
  await writeFile(file, '');
  const journal = createJournal(join(file, 'cloud'), { signal });
  await expect(journal.hold('aa', async () => undefined)).rejects.toThrow(/unable to write .*aa\.json: /);
  await expect(journal.list()).rejects.toThrow(/unable to read .*cloud: a part of its path is not a directory/);
});

test('what looks like a secret is not kept, and is reported', () => {
  const request = {
    name: 'c',
    zones: ['a'],
    cluster_configuration: {
      custom_properties: {
        iceberg_rest_catalog_client_secret: 's3cret',
        cloud_storage_secret_key: 's3cret',
        audit_enabled: true,
        superuser_tokens_enabled: false,
      },
    },
  };
  const { request: kept, withheld } = withoutSecrets(request);
  expect(JSON.stringify(kept)).not.toContain('s3cret');
  expect(kept).toMatchObject({ cluster_configuration: { custom_properties: { superuser_tokens_enabled: false } } });
  expect(withheld).toEqual([
    'cluster_configuration.custom_properties.iceberg_rest_catalog_client_secret',
    'cluster_configuration.custom_properties.cloud_storage_secret_key',
  ]);
});

test.each(['secret', 'password', 'passphrase', 'token', 'credential', 'private', 'x_key', 'key', 'apikey', 'API_Key'])(
  'a text called %s is not kept, at any depth',
  (name) => {
    const request = { plain: 'kept', [name]: 's3cret', inner: [{ [`my_${name}`]: 's3cret', [name]: 5 }] };
    const { request: kept, withheld } = withoutSecrets(request);
    expect(JSON.stringify(kept)).not.toContain('s3cret');
    expect(kept).toMatchObject({ plain: 'kept', inner: [{ [name]: 5 }] });
    expect(withheld).toContain(name);
  },
);

test('a creation is identified by its name, a deletion by its cluster, each per control plane', () => {
  const at = (apiUrl: string, name: string) => newCreation({ name }, 'gcp', { ...options, apiUrl }).id;
  expect(at('http://a', 'x')).toBe(at('http://a', 'x'));
  expect(new Set([at('http://a', 'x'), at('http://a', 'y'), at('http://b', 'x')]).size).toBe(3);
  expect(at('http://a', 'x')).toMatch(/^[0-9a-f]{10}$/);
});

test('a lock is given back with the result or the error of the work, and parts of a killed weir are removed', async () => {
  const directory = temporaryDirectory();
  const journal = createJournal(directory, { signal });
  await writeFile(join(directory, `.aa.json.${randomUUID()}.tmp`), '');
  await expect(journal.hold('aa', () => Promise.reject(new Error('work')))).rejects.toThrow('work');
  expect(await journal.hold('aa', async () => 'in')).toBe('in');
  expect(await readdir(directory)).toEqual([]);
});

const wrong: readonly object[] = [
  ...[{ version: 2 }, { id: 7 }, { id: '../aa' }, { kind: 'resize' }, { provider: 'moon' }, { provider: 1 }],
  ...[{ request: 'r' }, { request: [] }, { withheld: null }, { withheld: [1] }],
  ...['api_url', 'started_at', 'step', 'cluster_name', 'network_id', 'resource_group_id'].map((name) => ({
    [name]: null,
  })),
  ...['begun', 'byoc', 'destroy', 'with_network', 'with_resource_group'].map((name) => ({ [name]: 'true' })),
  ...['cluster_id', 'operation_id', 'network_operation_id', 'project_id', 'subscription_id'].map((name) => ({
    [name]: 1,
  })),
  ...Object.keys(record('one')).map((name) => ({ [name]: undefined })),
];

test.each(wrong)('a record with %j is not valid; the error says what to do', async (part) => {
  const file = join(temporaryDirectory(), 'aa.json');
  await writeFile(file, JSON.stringify({ ...record('one'), ...part }));
  await expect(createJournal(dirname(file), { signal }).hold('aa', async (kept) => kept)).rejects.toMatchObject({
    ...{ code: 'JOURNAL_BROKEN', target: file, message: `unable to read ${file}: it is not a valid flow record` },
    hints: ['check the cluster with "weir cloud cluster list", then remove the file'],
  });
});

test('a directory or a record that cannot be read or written is named', async () => {
  const directory = temporaryDirectory();
  await mkdir(join(directory, 'aa.json'));
  const journal = createJournal(directory, { signal });
  const hints = [expect.stringMatching(/^make it accessible and repeat the command/)];
  const unusable = (verb: string, target: string) => ({
    ...{ exitCode: 1, target, hints, message: expect.stringContaining(`unable to ${verb} ${target}: `) },
  });
  await expect(journal.hold('aa', async () => 'in')).rejects.toMatchObject(
    unusable('read', join(directory, 'aa.json')),
  );
  await expect(journal.write({ ...record('one'), id: 'aa' })).rejects.toMatchObject(
    unusable('write', join(directory, 'aa.json')),
  );
  await writeFile(join(directory, 'file'), '');
  await expect(createJournal(join(directory, 'file'), { signal }).list()).rejects.toMatchObject(
    unusable('read', join(directory, 'file')),
  );
});

test('a pipe in the place of a record is refused at once', async () => {
  const directory = temporaryDirectory();
  execFileSync('mkfifo', [join(directory, 'aa.json')]);
  await expect(createJournal(directory, { signal }).hold('aa', async () => 'in')).rejects.toThrow(
    `unable to read ${join(directory, 'aa.json')}: it is not a regular file`,
  );
});

test('a signal ends the wait for a flow', async () => {
  const directory = temporaryDirectory();
  await createJournal(directory, { signal }).hold('aa', async () => {
    const interrupt = new AbortController();
    const onWait = () => {
      interrupt.abort(new Error('Ctrl-C'));
      return undefined;
    };
    const second = createJournal(directory, { signal: interrupt.signal, onWait });
    await expect(second.hold('aa', async () => 'in')).rejects.toThrow('Ctrl-C');
  });
});

test('a flow can be named by its id, its cluster, or an operation', () => {
  const flow: FlowRecord = { ...record('mine'), cluster_id: 'c1', operation_id: 'o1' };
  for (const word of [flow.id, 'mine', 'c1', 'o1']) expect(isCalled(flow, word)).toBe(true);
  expect(isCalled(flow, 'other')).toBe(false);
});

test.each([
  'secret',
  'password',
  'passphrase',
  'token',
  'credential',
  'cloud_credentials_source',
  'private_pem',
  'ssh_key',
  'key',
  'apikey',
  'aws_Secret_value',
])('a property %s is not kept in the journal', (name) => {
  const { request, withheld } = withoutSecrets({ name: 'x', nested: { [name]: 's3cret' } });
  expect(JSON.stringify(request)).not.toContain('s3cret');
  expect(withheld).toEqual([`nested.${name}`]);
});

// Each waits for some seconds.
describe.concurrent('a lock of a flow that is held', () => {
  test('two processes never work on a flow at the same time', async ({ expect }) => {
    const journal = createJournal(temporaryDirectory(), { signal });
    const one = record('one');
    await journal.hold(one.id, async () => {
      await journal.write(one);
      await expect(journal.hold(one.id, async () => 'in')).rejects.toMatchObject({ code: 'FLOW_BUSY', exitCode: 6 });
    });
    expect(await journal.hold(one.id, async (kept) => kept)).toEqual(one);
  });

  test('the lock of a killed weir expires', async ({ expect }) => {
    const directory = temporaryDirectory();
    await mkdir(directory, { recursive: true });
    const url = new URL('../../../src/byoc/flow/journal.ts', import.meta.url).href;
    const code = `import { createJournal } from ${JSON.stringify(url)};
      const journal = createJournal(${JSON.stringify(directory)}, { signal: new AbortController().signal });
      await journal.hold('aa', () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)); });`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    await delay(1_200); // it has renewed its lock
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await createJournal(directory, { signal }).hold('aa', async () => 'in')).toBe('in');
  });

  test('the error about a flow in use can be retried and says how', async ({ expect }) => {
    const journal = createJournal(temporaryDirectory(), { signal });
    await journal.hold('aa', async () => {
      await expect(journal.hold('aa', async () => 'in')).rejects.toMatchObject({
        ...{ target: 'aa', retryable: true },
        hints: ['wait for it, or stop it and repeat the command; completed steps are not repeated'],
      });
    });
  });

  test('the holder of a flow is named', async ({ expect }) => {
    const directory = temporaryDirectory();
    const journal = createJournal(directory, { signal, command: 'weir cloud resume' });
    await journal.hold('aa', async () => {
      await expect(journal.hold('aa', async () => 'in')).rejects.toThrow(
        new RegExp(`the flow aa is in use by process ${process.pid} \\(weir cloud resume, since `),
      );
    });
  });
});
