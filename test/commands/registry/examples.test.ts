import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../../src/cli/help/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { files, type RegistryWorld, startRegistryWorld } from './registry-world.ts';

const examples = leavesOf(await walkTree(commands))
  // Those of copy need the profiles of several registries.
  .filter(({ path }) => path[0] === 'registry' && path[1] !== 'copy')
  .flatMap(({ command }) =>
    command.examples.map(([, line]) => ({ line: line.replace(/^registry /, ''), changes: command.changes })),
  );

/** The first seven ids, so that the id of an example exists. */
const schemas = [
  ['orders-value', 'order2.avsc', ''],
  ['orders-value', 'order.avsc', ''],
  ['orders-key', 'text.json', ''],
  ['money', 'money.proto', ''],
  ['bill', 'bill.proto', ' --references money.proto:money:1'],
  ['tmp-1', 'six.json', ''],
  ['tmp-2', 'seven.json', ''],
] as const;

async function startFilled(): Promise<RegistryWorld> {
  const made = await startRegistryWorld();
  const { cwd = '' } = made.world;
  writeFileSync(join(cwd, 'six.json'), '{"minLength":6}');
  writeFileSync(join(cwd, 'seven.json'), '{"minLength":7}');
  // A message of a schema with several needs a Protobuf schema.
  writeFileSync(join(cwd, 'order.proto'), files['bill.proto']);
  const setUp = schemas.map(([subject, file, more]) => `schema create ${subject} --schema ${file}${more}`);
  const settings = ['mode set --mode READWRITE', 'compatibility-level set --level NONE'].map(
    (one) => `${one} orders-value orders-key`,
  );
  for (const one of [...setUp, ...settings]) expect(await made.registry(one)).toMatchObject({ exitCode: 0 });
  return made;
}

/** The registry of the lines that only read. */
let toRead: RegistryWorld;
beforeAll(async () => {
  toRead = await startFilled();
});
afterAll(() => toRead[Symbol.asyncDispose]());

test.each(examples)('weir registry $line', async ({ line, changes }) => {
  await using own = changes === 'reads' ? undefined : await startFilled();
  const outcome = await (own ?? toRead).registry(`${line.replace(/ > \S+$/, '')} --yes`, {
    stdin: '{"type":"string"}',
  });
  expect(outcome).toMatchObject({ exitCode: 0 });
});

test('registry schema example of several message types names them and the flag', async () => {
  await using made = await startRegistryWorld();
  const proto = 'syntax = "proto3";\nmessage A { int32 a = 1; }\nmessage B { string b = 1; }\n';
  await made.registry('schema create two --schema - --type protobuf', { stdin: proto });
  const refused = await made.registry('schema example two');
  expect(refused.stderr).toContain('the schema has several message types: A, B\n');
  expect(refused.stderr).toContain('hint: choose a message type with --schema-type\n');
  expect((await made.registry('schema example two --schema-type B --line')).stdout).toBe('{"b":"text"}\n');
});
