import { describe, expect, test } from 'vitest';
import { files, startFilledRegistry, startRegistryWorld } from '../registry-world.ts';

describe('registry schema create', () => {
  test('prints where the schema is, with the type by the ending of the file', async () => {
    await using made = await startRegistryWorld();
    const created = await made.registry('schema create orders-value --schema order.avsc');
    expect(created).toEqual({
      stdout: 'SUBJECT       VERSION  ID  TYPE  STATUS\norders-value  1        1   AVRO  OK\n',
      stderr: '',
      exitCode: 0,
    });
    expect(JSON.parse(made.server.calls[1]?.body ?? '')).toEqual({ schema: files['order.avsc'] });
    const again = await made.registry('schema create orders-value --schema order.avsc --format json');
    expect(JSON.parse(again.stdout)).toEqual({
      ...{
        subject: 'orders-value',
        version: 1,
        id: 1,
        type: 'AVRO',
        status: 'NOT_NEEDED',
        dry_run: false,
        error: null,
      },
    });
  });

  test('reads standard input with --type, and sends all flags', async () => {
    await using made = await startRegistryWorld();
    await made.registry('schema create d --schema money.proto');
    await made.registry('mode set s --mode import');
    const line =
      'schema create s --schema - --type PROTO --normalize --id 9 --schema-version 3 --metadata owner=billing --references http://a.b/c:d:1';
    const created = await made.registry(line, { stdin: files['money.proto'] });
    expect(created.exitCode).toBe(0);
    expect(created.stderr).toBe('warning: the registry has dropped the metadata: it stores none with a schema\n');
    const call = made.server.calls.findLast(({ method }) => method === 'POST');
    expect(call?.path).toBe('/subjects/s/versions?normalize=true');
    expect(JSON.parse(call?.body ?? '')).toEqual({
      schema: files['money.proto'],
      schemaType: 'PROTOBUF',
      references: [{ name: 'http://a.b/c', subject: 'd', version: 1 }],
      ...{ id: 9, version: 3, metadata: { properties: { owner: 'billing' } } },
    });
  });

  test.each([
    ['schema create s --schema -', 'unable to determine the type of the schema: standard input has no file name'],
    ['schema create s --schema order.txt', 'unable to determine the type of the schema: "order.txt" does not end with'],
    ['schema create s --schema - --type json', 'the schema in standard input is empty'],
    [
      'schema create s --schema order.avsc --references a:b:latest',
      '"a:b:latest" is neither NAME:SUBJECT:VERSION nor an existing file',
    ],
    ['schema create s --schema order.avsc --references none.json', 'unable to read none.json: no such file'],
  ])('%s: says what is missing, and sends nothing', async (line, message) => {
    await using made = await startRegistryWorld();
    const outcome = await made.registry(line);
    expect(outcome.stderr).toContain(message);
    expect([2, 3]).toContain(outcome.exitCode);
    expect(made.server.calls).toEqual([]);
  });

  test('with --dry-run tells whether the schema would be new, and registers nothing', async () => {
    await using made = await startFilledRegistry();
    const known = await made.registry('schema create orders --schema order.avsc --dry-run --format json');
    expect(JSON.parse(known.stdout)).toMatchObject({ version: 1, id: 1, dry_run: true, status: 'NOT_NEEDED' });
    const fresh = await made.registry('schema create orders --schema text.json --dry-run');
    expect(fresh.stdout).toBe(
      'SUBJECT  VERSION  ID  TYPE  STATUS\norders   -        -   JSON  OK (dry run: would be registered)\n',
    );
    const unknown = await made.registry('schema create new --schema text.json --dry-run --format json');
    expect(JSON.parse(unknown.stdout)).toMatchObject({ version: null, status: 'OK' });
    const refused = await made.registry('schema create orders --schema incompatible.avsc --dry-run');
    expect(refused.stderr).toContain(
      'it is not compatible with the earlier versions (level BACKWARD): the type of "id" changed',
    );
    expect(refused.stderr).toContain('hint: see the level with: weir registry compatibility-level get orders\n');
    expect(refused.exitCode).toBe(6);
    expect((await made.registry('schema list orders')).stdout.split('\n')).toHaveLength(4);
    expect((await made.registry('subject list')).stdout).toBe('bill\nmoney\norders\n');
  });

  test.each(['confluent', 'redpanda'] as const)(
    'with --dry-run compiles the schema, and compares it as a registration would: %s',
    async (vendor) => {
      await using made = await startFilledRegistry(vendor);
      const invalid = await made.registry('schema create new --schema - --type avro --dry-run', {
        stdin: '{"type":"record","name":"a-b","fields":[]}',
      });
      expect(invalid.stderr).toBe(
        'weir: unable to compile the schema for the subject "new": $.name: invalid name "a-b"\n',
      );
      expect(invalid.exitCode).toBe(1);
      const line = 'schema create new --schema bill.proto --dry-run --references';
      expect((await made.registry(`${line} money.proto:money:1`)).exitCode).toBe(0);
      expect((await made.registry(`${line} money.proto:money:7`)).exitCode).toBe(3);
      expect((await made.registry('schema create orders --schema transitive.avsc --dry-run')).exitCode).toBe(6);
      const newest = await made.registry('schema check-compatibility orders --schema transitive.avsc');
      expect(newest.exitCode).toBe(vendor === 'redpanda' ? 10 : 0);
    },
  );

  test.each([
    ['confluent', 3],
    ['redpanda', 4],
  ] as const)('asks for the version only if the answer does not have it: %s', async (vendor, requests) => {
    await using made = await startRegistryWorld(vendor);
    await made.registry('schema create money --schema money.proto');
    const before = made.server.calls.length;
    const created = await made.registry('schema create bill --schema bill.proto --references money.proto:money:1');
    expect(created.stdout).toContain('bill     1        2   PROTOBUF');
    expect(made.server.calls.length - before).toBe(requests);
  });

  test.each(['', ' --dry-run'])('refuses a schema whose reference is not named%s', async (how) => {
    await using made = await startRegistryWorld();
    expect(await made.registry(`schema create bill --schema bill.proto${how}`)).toEqual({
      stdout: '',
      stderr: `\
weir: unable to compile the schema for the subject "bill": the schema imports "money.proto", which is not one of its references
hint: register that one first, and name its subject with: --references money.proto:SUBJECT:1
`,
      exitCode: 1,
    });
    expect(made.server.calls).toEqual([]);
  });

  test('of an incompatible schema has exit code 6', async () => {
    await using made = await startFilledRegistry();
    const refused = await made.registry('schema create orders --schema incompatible.avsc');
    expect(refused.stderr).toContain('Schema being registered is incompatible');
    expect(refused.stderr).toContain('hint: see the level with: weir registry compatibility-level get orders\n');
    expect(refused.exitCode).toBe(6);
  });
});
