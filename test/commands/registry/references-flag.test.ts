import { expect, test } from 'vitest';
import { parseReferences } from '../../../src/commands/registry/schema-input.ts';
import { files, startRegistryWorld } from './registry-world.ts';

test.each([
  ['money.proto:money:1', [['money.proto', 'money', 1]]],
  [
    'a:b:1,c:d:22',
    [
      ['a', 'b', 1],
      ['c', 'd', 22],
    ],
  ],
  [
    'http://host:8080/a,b.json:s:3,x:y:4',
    [
      ['http://host:8080/a,b.json', 's', 3],
      ['x', 'y', 4],
    ],
  ],
] as const)('%s', (text, expected) => {
  expect(parseReferences(text).map(({ name, subject, version }) => [name, subject, version])).toEqual(expected);
});

test.each(['a:1', ':b:1', 'a::1', 'a:b:0', 'a:b:99999999999', 'a:b:1,c:2'])('%s is refused', (text) => {
  expect(() => parseReferences(text)).toThrow('is not NAME:SUBJECT:VERSION');
});

test('a file has lines of name, subject and version, or a list in JSON or YAML', async () => {
  await using made = await startRegistryWorld();
  await made.registry('schema create money --schema money.proto');
  const line = 'schema create s --schema bill.proto --references -';
  const good = await made.registry(line, { stdin: '- {name: money.proto, subject: money, version: 1}\n' });
  expect(good.exitCode).toBe(0);
  const sent = () => JSON.parse(made.server.calls.findLast(({ method }) => method === 'POST')?.body ?? '');
  expect(sent()).toEqual({
    ...{ schema: files['bill.proto'], schemaType: 'PROTOBUF' },
    references: [{ name: 'money.proto', subject: 'money', version: 1 }],
  });
  const lines = '// name subject version\n\nmoney.proto money 1\nhttp://host/a#b\tmoney  1\r\n';
  expect((await made.registry(line, { stdin: lines })).exitCode).toBe(0);
  expect(sent()).toMatchObject({
    references: [{ name: 'money.proto' }, { name: 'http://host/a#b', subject: 'money', version: 1 }],
  });
  for (const faulty of ['money.proto money', 'money.proto money latest', 'a b 1 2'])
    expect(await made.registry(line, { stdin: `a b 1\n${faulty}` })).toMatchObject({
      stderr: expect.stringContaining('line 2 of standard input is not NAME SUBJECT VERSION'),
      exitCode: 2,
    });
  const bad = await made.registry(line, { stdin: '- {name: money.proto, subject: money}\n' });
  expect(bad.stderr).toContain('item 1 of standard input needs a name, a subject and a version');
  expect(bad.exitCode).toBe(2);
});
