import { describe, expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../../src/cli/help/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { startScriptedRegistry } from '../../registry/scripted-registry.ts';
import { files, startFilledRegistry, startRegistryWorld } from './registry-world.ts';

describe('registry subject', () => {
  test('list is sorted, and selects by regular expression', async () => {
    await using made = await startFilledRegistry();
    expect((await made.registry('subject list')).stdout).toBe('bill\nmoney\norders\n');
    expect((await made.registry("subject list 'm.*|orders' --format json")).stdout).toBe('["money","orders"]\n');
    await made.registry('subject delete orders');
    expect((await made.registry('subject list')).stdout).toBe('bill\nmoney\n');
    expect((await made.registry('subject list --deleted')).stdout).toBe('bill\nmoney\norders\n');
  });

  test('delete has a row for each subject, and fails if one of them does', async () => {
    await using made = await startFilledRegistry();
    const deleted = await made.registry('subject delete orders money nope --format json');
    expect(JSON.parse(deleted.stdout)).toMatchObject([
      { subject: 'money', versions_deleted: [], error: { code: 'REFERENCE_EXISTS', number: 42206, exit_code: 6 } },
      { subject: 'nope', versions_deleted: [], error: { code: 'SUBJECT_NOT_FOUND', number: 40401, exit_code: 3 } },
      { subject: 'orders', versions_deleted: [1, 2], error: null },
    ]);
    expect(deleted.exitCode).toBe(1);
  });

  test('delete removes a subject together with what refers to it, whichever comes first', async () => {
    await using made = await startRegistryWorld();
    await made.registry('schema create a --schema money.proto');
    await made.registry('schema create b --schema bill.proto --references money.proto:a:1');
    await made.registry('schema create c --schema - --type protobuf --references bill.proto:b:1', {
      stdin: 'syntax = "proto3"; import "bill.proto"; message C { Bill b = 1; }',
    });
    const deleted = await made.registry('subject delete a b c --permanent');
    expect(deleted).toMatchObject({
      stdout: `\
SUBJECT  VERSIONS-DELETED  ERROR
a        [1]
b        [1]
c        [1]
`,
      exitCode: 0,
    });
    expect((await made.registry('subject list --deleted')).stdout).toBe('');
  });

  test('delete --permanent removes live and deleted ones; one that never existed is not found', async () => {
    await using made = await startFilledRegistry();
    expect((await made.registry('subject delete bill')).exitCode).toBe(0);
    const removed = await made.registry("subject delete -r 'bill|orders' --permanent --yes");
    expect(removed.stdout).toBe('SUBJECT  VERSIONS-DELETED  ERROR\nbill     [1]\norders   [1 2]\n');
    expect((await made.registry('subject list --deleted')).stdout).toBe('money\n');
    expect((await made.registry('subject delete orders --permanent')).exitCode).toBe(3);
  });

  test('delete shows the versions and asks for all subjects at once', async () => {
    await using made = await startFilledRegistry();
    const asked = await made.registry("subject delete -r '.*s'", {
      terminal: { stdin: true, stderr: true },
      stdin: 'y\n',
    });
    expect(asked.stderr).toContain('orders   [1 2]\n');
    expect(asked.stderr).toContain('Delete 1 subject (orders) with all versions on');
    expect(asked.exitCode).toBe(0);
    const refused = await made.registry('subject delete money --no-input');
    expect(refused.exitCode).toBe(2);
    expect((await made.registry("subject delete -r 'x.*' --yes")).exitCode).toBe(3);
  });
});

describe('registry compatibility-level', () => {
  test('get tells where each level is set, and set shows it', async () => {
    await using made = await startFilledRegistry('redpanda');
    expect((await made.registry('compatibility-level set orders --level full_transitive')).stdout).toBe(
      'SUBJECT  LEVEL            ERROR\norders   FULL_TRANSITIVE\n',
    );
    const got = await made.registry('compatibility-level get orders money nope --global');
    const [head, ...rows] = got.stdout.split('\n');
    expect(head).toMatch(/^SUBJECT {3}LEVEL {12}SOURCE {3}ERROR$/);
    expect(rows.map((row) => row.split(/\s+/).slice(0, 4))).toEqual([
      ['{GLOBAL}', 'BACKWARD', 'global'],
      ['money', 'BACKWARD', 'global'],
      ['nope', '-', '-', 'COMPATIBILITY_LEVEL_NOT_SET:'],
      ['orders', 'FULL_TRANSITIVE', 'subject'],
      [''],
    ]);
    expect(got.exitCode).toBe(3);
    expect((await made.registry('compatibility-level get')).stdout).toBe(
      'SUBJECT   LEVEL     SOURCE  ERROR\n{GLOBAL}  BACKWARD  global\n',
    );
  });

  test('reset shows what was removed, and a dry run removes nothing', async () => {
    await using made = await startFilledRegistry();
    await made.registry('compatibility-level set orders --level full');
    const removed = 'SUBJECT  LEVEL-REMOVED  ERROR\norders   FULL\n';
    expect((await made.registry('compatibility-level reset orders --dry-run')).stdout).toBe(
      'SUBJECT  LEVEL-REMOVED  STATUS\norders   FULL           OK (dry run: would be removed)\n',
    );
    expect((await made.registry('compatibility-level reset orders')).stdout).toBe(removed);
    const none = await made.registry('compatibility-level reset orders --format json');
    expect(JSON.parse(none.stdout)).toMatchObject([{ subject: 'orders', level: null, error: { number: 40401 } }]);
    expect(none.exitCode).toBe(3);
    await using plain = await startScriptedRegistry(() => [200, '"FULL"']);
    const env = { WEIR_REGISTRY_HOSTS: `127.0.0.1:${plain.port}` };
    expect((await made.registry('compatibility-level reset orders', { env })).stdout).toBe(removed);
  });

  test('set sends the level as the API spells it, and nothing in a dry run', async () => {
    await using made = await startFilledRegistry();
    await made.registry('compatibility-level set --level none --dry-run');
    expect(made.server.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
    await made.registry('compatibility-level set a/b --level none --global');
    const puts = made.server.calls.filter(({ method }) => method === 'PUT');
    expect(puts.map(({ path, body }) => [path, body]).sort()).toEqual([
      ['/config', '{"compatibility":"NONE"}'],
      ['/config/a%2Fb', '{"compatibility":"NONE"}'],
    ]);
    expect((await made.registry('compatibility-level set --level some')).exitCode).toBe(2);
    await made.registry('compatibility-level set orders full');
    expect(made.server.calls.at(-1)).toMatchObject({ path: '/config/orders', body: '{"compatibility":"FULL"}' });
    expect(await made.registry('compatibility-level set orders money')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('weir: missing flag --level\nhint: name it last, or with --level: BACKWARD,'),
    });
  });
});

describe('registry mode', () => {
  test('set, get and reset', async () => {
    await using made = await startFilledRegistry();
    expect((await made.registry('mode set orders --mode read_only')).stdout).toBe(
      'SUBJECT  MODE      ERROR\norders   READONLY\n',
    );
    expect((await made.registry('mode get orders money')).stdout).toBe(
      'SUBJECT  MODE       SOURCE   ERROR\nmoney    READWRITE  global\norders   READONLY   subject\n',
    );
    const refused = await made.registry('schema create orders --schema text.json');
    expect(refused).toMatchObject({ exitCode: 6 });
    expect(refused.stderr).toContain('read-only');
    expect((await made.registry('mode reset orders')).stdout).toBe('SUBJECT  MODE-REMOVED  ERROR\norders   READONLY\n');
    for (const mode of ['FORWARD', 'readonly_override', 'read_write'])
      expect((await made.registry(`mode set orders --mode ${mode}`)).exitCode).toBe(0);
    expect((await made.registry('mode reset orders')).stdout).toBe(
      'SUBJECT  MODE-REMOVED  ERROR\norders   READWRITE\n',
    );
    const none = await made.registry('mode reset orders --format json');
    expect(JSON.parse(none.stdout)).toMatchObject([{ subject: 'orders', mode: null, error: { number: 40401 } }]);
    expect(none.exitCode).toBe(3);
  });

  test('a registry that answers 204 without doing anything is reported', async () => {
    await using server = await startScriptedRegistry(() => [204, '']);
    await using made = await startFilledRegistry();
    const env = { WEIR_REGISTRY_HOSTS: `127.0.0.1:${server.port}` };
    const planned = await made.registry('mode set orders --mode readonly --dry-run --format json', { env });
    const unknown = { source: null, mode: null };
    expect(JSON.parse(planned.stdout)).toMatchObject([{ subject: 'orders', ...unknown, status: 'ERROR' }]);
    const outcome = await made.registry('mode set orders --mode readonly', { env });
    expect(outcome.stdout).toContain('NOT_SUPPORTED: unable to set the mode of the subject "orders"');
    expect(outcome.exitCode).toBe(1);
  });
});

test('registry context list', async () => {
  await using made = await startFilledRegistry();
  expect((await made.registry('context list')).stdout).toBe(
    'CONTEXT   MODE       COMPATIBILITY\n.         READWRITE  BACKWARD\n.staging  READWRITE  BACKWARD\n',
  );
});

test('schemas of a context have its ids and its references', async () => {
  await using made = await startFilledRegistry();
  const registry = async (line: string) => {
    const { stdout, stderr, exitCode } = await made.registry(`${line} --format json`);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    return JSON.parse(stdout);
  };
  const [subject, money, bill] = [':.ctx:orders', ':.ctx:money', ':.ctx:bill'];
  // The id is one of another schema in the default context.
  expect(await registry(`schema create ${money} --schema money.proto`)).toMatchObject({ version: 1, id: 1 });
  expect(await registry(`schema create ${subject} --schema order2.avsc`)).toMatchObject({ version: 1, id: 2 });
  expect(await registry(`schema create ${subject} --schema order.avsc`)).toMatchObject({ version: 2, id: 3 });
  await made.registry('subject delete money bill --permanent');
  await registry(`schema create ${bill} --schema bill.proto --references money.proto:money:1`);
  expect(await registry(`schema get ${subject} --id 2`)).toMatchObject([{ subject, schema: files['order2.avsc'] }]);
  expect(await registry(`schema references ${money}`)).toMatchObject([{ subject: bill, version: 1 }]);
  expect((await made.registry(`schema example ${bill}`)).stdout).toContain('cents');
  const level = { subject: bill, level: 'BACKWARD', source: 'default' };
  expect(await registry(`compatibility-level get ${bill}`)).toMatchObject([level]);
  await registry('compatibility-level set :.ctx: full');
  expect(await registry(`compatibility-level get ${bill}`)).toMatchObject([{ level: 'FULL', source: 'context' }]);
});

test('a server that is no registry, or none at all', async () => {
  await using server = await startScriptedRegistry(() => [404, '<html>no</html>', { 'content-type': 'text/html' }]);
  await using made = await startFilledRegistry();
  const env = { WEIR_REGISTRY_HOSTS: `127.0.0.1:${server.port}` };
  expect(await made.registry('subject list', { env })).toEqual({
    stdout: '',
    stderr: `\
weir: unable to list the subjects: GET http://127.0.0.1:${server.port}/subjects returned 404 with an HTML page, not an answer of a schema registry
hint: check that registry.hosts is the address of a schema registry; if it has a path, add it, for example -X registry.hosts=127.0.0.1:${server.port}/apis/ccompat/v7
`,
    exitCode: 1,
  });
});

test('a registry that has no modes', async () => {
  await using server = await startScriptedRegistry(() => [404, '']);
  await using made = await startFilledRegistry();
  const env = { WEIR_REGISTRY_HOSTS: `127.0.0.1:${server.port}` };
  const { stdout, exitCode } = await made.registry('mode get --format json', { env });
  expect(JSON.parse(stdout)).toMatchObject([{ subject: null, mode: null, error: { code: 'NOT_SERVED' } }]);
  expect(exitCode).toBe(1);
});

/** A line for each command, in a working order. */
const lines: readonly string[] = [
  'schema create orders --schema text.json',
  'schema get orders',
  'schema list orders nope',
  'schema diff orders 1 2',
  'schema check-compatibility orders --schema incompatible.avsc',
  'schema references money',
  'subject list',
  'compatibility-level get orders nope',
  'compatibility-level set orders --level FULL',
  'compatibility-level reset nope',
  'mode get --global orders',
  'mode set orders --mode READWRITE',
  'mode reset nope',
  'context list',
  'context delete .nope',
  'schema delete orders --schema-version 9',
  'subject delete nope',
  'schema example nope',
  'copy orders :.staging:',
];

describe('every command', () => {
  test('has a line here', async () => {
    const leaves = leavesOf(await walkTree(commands)).filter(({ path }) => path[0] === 'registry');
    const paths = leaves.map(({ path }) => path.slice(1).join(' ')).sort();
    expect(paths.filter((path) => !lines.some((line) => line.startsWith(`${path} `) || line === path))).toEqual([]);
    expect(lines).toHaveLength(paths.length);
  });

  test.each(lines)('%s: has the same exit code in every format', async (line) => {
    await using made = await startFilledRegistry();
    const codes: number[] = [];
    // `run` checks the output against the schema of the command.
    for (const format of ['text', 'wide', 'json', 'yaml']) {
      codes.push((await made.registry(`${line} --format ${format}`)).exitCode);
    }
    expect(new Set(codes).size).toBe(1);
  });
});
