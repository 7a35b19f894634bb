import { describe, expect, test } from 'vitest';
import { startScriptedRegistry } from '../../registry/scripted-registry.ts';
import { files, startFilledRegistry, startRegistryWorld } from './registry-world.ts';

describe('registry schema get', () => {
  test('shows what the schema refers to, as --references takes it', async () => {
    await using made = await startFilledRegistry();
    const [head, row] = (await made.registry('schema get bill')).stdout.split('\n');
    expect(head).toBe('SUBJECT  VERSION  ID  TYPE      REFERENCES');
    expect(row).toBe('bill     1        4   PROTOBUF  money.proto:money:1');
  });

  test('shows the latest version, indented on a terminal, where no script reads the lines', async () => {
    await using made = await startFilledRegistry();
    const row = 'SUBJECT  VERSION  ID  TYPE\norders   2        2   AVRO\n';
    expect((await made.registry('schema get orders')).stdout).toBe(row);
    const shown = (await made.registry('schema get orders', { terminal: { stdout: true } })).stdout;
    expect((await made.registry('schema get orders --format wide')).stdout).toBe(shown);
    expect(shown).toBe(`${row}\

{
  "type": "record",
  "name": "Order",
  "fields": [
    {
      "name": "id",
      "type": "string"
    }
  ]
}
`);
  });

  test('finds a schema by its id, with all subjects that have it', async () => {
    await using made = await startFilledRegistry();
    await made.registry('schema create copy --schema order.avsc');
    const found = await made.registry('schema get --id 1 --format json');
    expect(JSON.parse(found.stdout).map(({ subject, version }: never) => [subject, version])).toEqual([
      ['copy', 1],
      ['orders', 1],
    ]);
    const one = await made.registry('schema get copy --id 1 --format json');
    expect(JSON.parse(one.stdout)).toEqual([
      {
        ...{ subject: 'copy', version: 1, id: 1, type: 'AVRO', schema: files['order.avsc'] },
        ...{ references: [], metadata: null, rule_set: null },
      },
    ]);
  });

  test.each(['confluent', 'redpanda'] as const)('finds an id of deleted versions only: %s', async (vendor) => {
    await using made = await startFilledRegistry(vendor);
    await made.registry('subject delete orders');
    const row = 'SUBJECT  VERSION  ID  TYPE\norders   1        1   AVRO\n';
    expect((await made.registry('schema get --id 1 --deleted')).stdout).toBe(row);
    expect((await made.registry('schema get --id 1 --print-schema')).stdout).toContain('"name": "Order"');
    const none = await made.registry('schema get --id 1');
    expect(none).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('only deleted versions have it') });
    expect((await made.registry('schema get --id 99 --print-schema')).exitCode).toBe(3);
  });

  test('shows the rules that a registry stores with a schema', async () => {
    const rules = { domainRules: [{ name: 'check', kind: 'CONDITION' }] };
    const version = { subject: 's', version: 1, id: 7, schema: '"int"', ruleSet: rules };
    await using server = await startScriptedRegistry(() => [200, version]);
    await using made = await startRegistryWorld();
    const env = { WEIR_REGISTRY_HOSTS: `127.0.0.1:${server.port}` };
    const shown = await made.registry('schema get s --format json', { env });
    expect(JSON.parse(shown.stdout)).toMatchObject([{ metadata: null, rule_set: rules }]);
  });

  test('finds the version that a file was registered as', async () => {
    await using made = await startFilledRegistry();
    await made.registry('schema delete orders --schema-version 1');
    expect((await made.registry('schema get orders --schema order.avsc')).exitCode).toBe(3);
    const deleted = await made.registry('schema get orders --schema order.avsc --deleted --format json');
    expect(JSON.parse(deleted.stdout)).toMatchObject([{ version: 1, id: 1 }]);
    await made.registry('schema create orders --schema order.avsc');
    const found = await made.registry('schema get orders --schema order.avsc --format json');
    expect(JSON.parse(found.stdout)).toMatchObject([{ version: 3, id: 1 }]);
    expect((await made.registry('schema get orders --schema text.json')).exitCode).toBe(3);
  });

  test('with --print-schema prints only the schema, with every digit of its numbers', async () => {
    await using made = await startFilledRegistry();
    expect((await made.registry('schema get money --print-schema')).stdout).toBe(files['money.proto']);
    await made.registry('schema create text --schema text.json');
    expect((await made.registry('schema get text --print-schema')).stdout).toBe(
      '{\n  "type": "string",\n  "maxLength": 90071992547409931\n}\n',
    );
  });

  test.each([
    ['schema get', 'name a subject, or an id with --id', 2],
    ['schema get orders --id 1 --schema-version 1', 'choose one of --schema-version, --id and --schema', 2],
    ['schema get orders --print-schema --format json', 'without --format json', 2],
    ['schema get orders --schema-version 0', 'use a number from 1, or latest', 2],
    ['schema get orders --schema-version 7', 'subject "orders" has no version 7', 3],
    ['schema get nope', 'subject "nope" does not exist', 3],
    ['schema get --id 99', 'schema id 99 does not exist', 3],
    ['schema get money --id 1', 'it belongs to orders, not to "money"', 3],
    ['schema get nope', 'hint: see the subjects with: weir registry subject list --deleted', 3],
    ['schema get orders --version 1', 'hint: did you mean --schema-version?', 2],
    [
      'schema get orders --schema-version 7',
      'hint: see the versions with: weir registry schema list orders --deleted',
      3,
    ],
  ])('%s: %s', async (line, message, exitCode) => {
    await using made = await startFilledRegistry();
    const outcome = await made.registry(line);
    expect(outcome.stderr).toContain(message);
    expect(outcome).toMatchObject({ stdout: '', exitCode });
  });
});

test('--version without an argument is the version of weir, also beside --schema-version', async () => {
  await using made = await startRegistryWorld();
  const { stdout, exitCode } = await made.registry('schema get --version');
  expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(/^weir \d+\.\d+\.\d+\n$/), exitCode: 0 });
});

describe('registry schema list', () => {
  test('has a row for every version, and for a subject that cannot be read', async () => {
    await using made = await startFilledRegistry();
    const listed = await made.registry('schema list orders nope --format json');
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { subject: 'nope', version: null, id: null, type: null, error: { code: 'SUBJECT_NOT_FOUND', number: 40401 } },
      { subject: 'orders', version: 1, id: 1, type: 'AVRO', deleted: false, error: null },
      { subject: 'orders', version: 2, id: 2 },
    ]);
    expect(listed.exitCode).toBe(3);
  });

  test('selects by regular expression, and marks deleted versions', async () => {
    await using made = await startFilledRegistry();
    await made.registry('schema delete orders --schema-version 1');
    expect((await made.registry("schema list -r 'o.*' --deleted")).stdout).toBe(
      'SUBJECT  VERSION  ID  TYPE  DELETED  ERROR\norders   1        1   AVRO  true\norders   2        2   AVRO  false\n',
    );
    const none = await made.registry("schema list -r 'x.*'");
    expect(none).toMatchObject({ stdout: 'SUBJECT  VERSION  ID  TYPE  ERROR\n', exitCode: 0 });
    expect(none.stderr).toContain('no subject matches x.*');
  });
});

describe('registry schema delete', () => {
  test('deletes softly, then for good, and says when nothing is there', async () => {
    await using made = await startFilledRegistry();
    const soft = await made.registry('schema delete orders --schema-version latest --yes');
    expect(soft).toMatchObject({ stdout: 'SUBJECT  VERSION  STATUS\norders   2        OK\n', exitCode: 0 });
    expect((await made.registry('schema delete orders --schema-version 2')).exitCode).toBe(3);
    const hard = await made.registry('schema delete orders --schema-version 2 --permanent --format json');
    expect(JSON.parse(hard.stdout)).toMatchObject({ subject: 'orders', version: 2, permanent: true, status: 'OK' });
    expect((await made.registry('schema delete orders --schema-version 2 --permanent')).exitCode).toBe(3);
    expect((await made.registry('schema list orders --deleted')).stdout.split('\n')).toHaveLength(3);
  });

  test('with --permanent deletes a version that is not deleted yet', async () => {
    await using made = await startFilledRegistry();
    expect((await made.registry('schema delete orders --schema-version 1 --permanent')).exitCode).toBe(0);
    expect((await made.registry('schema get orders --schema-version 1 --deleted')).exitCode).toBe(3);
  });

  test('refuses a version that another one refers to, with exit code 6 and what to ask', async () => {
    await using made = await startFilledRegistry();
    const refused = await made.registry('schema delete money --schema-version 1');
    expect(refused.stderr).toContain('One or more references exist to the schema');
    expect(refused.stderr).toContain(
      'hint: see what refers to it with: weir registry schema references money --schema-version 1\n',
    );
    expect(refused.exitCode).toBe(6);
    expect((await made.registry('schema references money')).stdout).toBe(
      'SUBJECT  VERSION  ID  TYPE\nbill     1        4   PROTOBUF\n',
    );
  });

  test('shows the schema and asks; a no changes nothing', async () => {
    await using made = await startFilledRegistry();
    const asked = await made.registry('schema delete money --schema-version 1', {
      terminal: { stdin: true, stderr: true },
      stdin: 'n\n',
    });
    expect(asked.stderr).toContain('message Money');
    expect(asked.stderr).toContain(
      `Delete version 1 of "money" (schema id 3) on 127.0.0.1:${made.server.port} (no profile)?`,
    );
    expect(asked.exitCode).toBe(1);
    expect(made.server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test('with --dry-run sends no deletion', async () => {
    await using made = await startFilledRegistry();
    const plan = await made.registry('schema delete orders --schema-version latest --dry-run');
    expect(plan.stdout).toBe('SUBJECT  VERSION  STATUS\norders   2        OK (dry run: would be deleted)\n');
    expect(made.server.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });
});

describe('registry schema check-compatibility', () => {
  test('has exit code 10 and the reasons if the schema is not compatible', async () => {
    await using made = await startFilledRegistry();
    expect(await made.registry('schema check-compatibility orders --schema order.avsc')).toMatchObject({
      stdout: 'Schema is compatible (level BACKWARD).\n',
      exitCode: 0,
    });
    const no = await made.registry('schema check-compatibility orders --schema incompatible.avsc --schema-version 1');
    expect(no).toMatchObject({
      stdout: 'Schema is not compatible (level BACKWARD).\nthe type of "id" changed\n',
      exitCode: 10,
    });
    const data = await made.registry('schema check-compatibility orders --schema incompatible.avsc --format json');
    expect(JSON.parse(data.stdout)).toEqual({
      ...{ subject: 'orders', version: 'latest', compatible: false, messages: ['the type of "id" changed'] },
      level: 'BACKWARD',
    });
    const asked = made.server.calls.map(({ path }) => path);
    expect(asked).toContain('/compatibility/subjects/orders/versions/latest?verbose=true');
    await made.registry('compatibility-level set orders NONE');
    const none = await made.registry('schema check-compatibility orders --schema order.avsc');
    expect(none.stdout).toBe('Schema is compatible (level NONE checks nothing).\n');
  });
});

describe('registry schema diff', () => {
  test('shows what changed between two versions', async () => {
    await using made = await startFilledRegistry();
    const shown = await made.registry('schema diff orders 1 latest');
    expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
    expect(shown.stdout).toBe(`\
--- orders version 1 (schema id 1)
+++ orders version 2 (schema id 2)
…
   "fields": [
     {
       "name": "id",
-      "type": "long"
+      "type": "string"
     }
   ]
 }
`);
    expect(await made.registry('schema diff orders')).toEqual(shown);
    expect(await made.registry('schema diff orders 1')).toEqual(shown);
    expect((await made.registry('schema diff money')).stderr).toContain('the subject "money" has only one version\n');
    const same = await made.registry('schema diff orders 1 1');
    expect(same.stdout).toBe('--- orders version 1 (schema id 1)\n+++ orders version 1 (schema id 1)\n');
    const data = await made.registry('schema diff orders 1 2 --format json');
    expect(JSON.parse(data.stdout)).toMatchObject({ same: false, from: { version: 1 }, to: { version: 2, id: 2 } });
  });
});
