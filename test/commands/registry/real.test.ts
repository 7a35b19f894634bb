import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newSubject, registry } from '../../services/registry.ts';
import { type Outcome, run, temporaryDirectory } from '../../world.ts';
import { files } from './registry-world.ts';

const cwd = temporaryDirectory();
for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);

writeFileSync(
  join(cwd, 'noted.avsc'),
  files['order.avsc'].replace(']}', ',{"name":"note","type":"string","default":""}]}'),
);

function weir(line: string): Promise<Outcome> {
  return run(`registry ${line}`, { cwd, env: { WEIR_REGISTRY_HOSTS: registry().url } });
}

async function data(line: string): Promise<Record<string, unknown>> {
  const { stdout, stderr, exitCode } = await weir(`${line} --format json`);
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  return JSON.parse(stdout);
}

test('a schema is registered, found in every way, refused, compared and deleted', async () => {
  const subject = newSubject('a/b c');
  const quoted = `'${subject}'`;
  const created = await data(`schema create ${quoted} --schema order.avsc`);
  expect(created).toMatchObject({ subject, version: 1, type: 'AVRO', status: 'OK' });
  const expected = [{ subject, version: 1, id: created.id, type: 'AVRO' }];
  expect(await data(`schema get ${quoted}`)).toMatchObject(expected);
  expect(await data(`schema get ${quoted} --schema order.avsc`)).toMatchObject(expected);
  expect(await data(`schema get ${quoted} --id ${created.id}`)).toMatchObject(expected);
  expect(await data(`schema create ${quoted} --schema order.avsc --dry-run`)).toMatchObject({ status: 'NOT_NEEDED' });

  const warning = 'warning: this registry has no contexts: ":.staging:" only begins the names of subjects\n';
  const elsewhere = await weir(`schema create ${quoted} --schema order.avsc --schema-context .staging --dry-run`);
  expect(elsewhere.stderr).toContain(warning);

  await data(`compatibility-level set ${quoted} --level BACKWARD`);
  const reason = 'reader type: STRING not compatible with writer type: LONG at /fields/0/type';
  expect(await weir(`schema check-compatibility ${quoted} --schema order2.avsc`)).toMatchObject({
    stdout: `Schema is not compatible (level BACKWARD).\n${reason}\n`,
    exitCode: 10,
  });
  const tried = await weir(`schema create ${quoted} --schema order2.avsc --dry-run`);
  expect(tried).toMatchObject({ stderr: expect.stringContaining(reason), exitCode: 6 });
  expect((await weir(`schema create ${quoted} --schema order2.avsc`)).exitCode).toBe(6);
  expect(await data(`compatibility-level get ${quoted}`)).toMatchObject([{ level: 'BACKWARD', source: 'subject' }]);
  expect(await data(`schema create ${quoted} --schema noted.avsc`)).toMatchObject({ version: 2 });
  expect((await weir(`schema diff ${quoted} 1 2`)).stdout).toContain('+      "name": "note"');

  const level = { subject, level: 'BACKWARD' };
  expect(await data(`compatibility-level reset ${quoted} --dry-run`)).toMatchObject([{ ...level, dry_run: true }]);
  expect(await data(`compatibility-level reset ${quoted}`)).toMatchObject([{ ...level, dry_run: false }]);
  // This registry answers NONE where others say that the subject has no level.
  expect(await data(`compatibility-level get ${quoted}`)).toMatchObject([{ level: 'BACKWARD', source: 'global' }]);
  const dropped = await weir(`compatibility-level set ${quoted} --level NONE --no-headers`);
  expect(dropped).toMatchObject({ stdout: expect.stringContaining('BACKWARD (global) applies'), exitCode: 1 });

  await data(`schema delete ${quoted} --schema-version 1`);
  expect(await data(`schema list ${quoted} --deleted`)).toMatchObject([
    { version: 1, deleted: true, error: null },
    { version: 2, deleted: false, error: null },
  ]);
  await data(`subject delete ${quoted} --permanent`);
  expect((await weir(`schema get ${quoted}`)).exitCode).toBe(3);
});

test('a schema that another one refers to cannot be deleted', async () => {
  const [money, bill] = [newSubject('money'), newSubject('bill')];
  await data(`schema create ${money} --schema money.proto`);
  await data(`schema create ${bill} --schema bill.proto --references money.proto:${money}:1`);
  expect(await data(`schema references ${money}`)).toMatchObject([{ subject: bill, version: 1, type: 'PROTOBUF' }]);
  expect((await weir(`schema delete ${money} --schema-version 1`)).exitCode).toBe(6);
  await data(`subject delete ${bill}`);
});

test('the default context, which this registry writes as :.:, is listed', async () => {
  expect(await data('context list')).toMatchObject([{ name: '.', mode: null }]);
});
