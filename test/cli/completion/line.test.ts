import { describe, expect, test } from 'vitest';
import { type Entry, entry } from '../../../src/cli/command.ts';
import { readLine, unquoted, wordsOf } from '../../../src/cli/completion/line.ts';
import { commands } from '../../../src/commands/index.ts';
import { splitLine } from '../../world.ts';

const none = { x: [], deprecated: [] };

describe('the configuration of an unfinished line', () => {
  test.each([
    ['topic describe orders', none],
    ['--profile prod topic describe', { ...none, profile: 'prod' }],
    ['topic describe --profile=prod', { ...none, profile: 'prod' }],
    [
      'topic describe --config f.yaml --broker-config=g.yaml',
      { ...none, configFile: 'f.yaml', brokerConfigFile: 'g.yaml' },
    ],
    ['topic -X brokers=b:1 describe -Xuser=u -X=pass=p', { x: ['brokers=b:1', 'user=u', 'pass=p'], deprecated: [] }],
    ['topic describe -qX user=u', { x: ['user=u'], deprecated: [] }],
    ['topic describe --config-opt user=u', { x: ['user=u'], deprecated: [] }],
    ['topic list --brokers b:1', { x: [], deprecated: [{ flag: 'brokers', value: 'b:1' }] }],
    // The flags of a command are not those of the same name elsewhere.
    ['security user create bob --password secret', none],
    ['topic consume a -f -X', none],
    ['topic consume a -f "-X user=u" -g g', none],
    // What is wrong or not finished is ignored.
    ['topic describe -X', none],
    ['topic describe --profile', none],
    ['topic describe --nonsense --profile p -Z', { ...none, profile: 'p' }],
    ['nonsense --profile p', { ...none, profile: 'p' }],
    ['topic describe -- --profile p', none],
    ['--profile p', { ...none, profile: 'p' }],
  ])('is read from "%s"', async (line, given) => {
    const found = (await readLine(commands, splitLine(line))).given;
    expect(found).toEqual(given);
    expect((await readLine(commands, wordsOf(found))).given).toEqual(found);
  });

  test('the flags of the command itself are read, the last of each', async () => {
    const read = async (line: string) => [...(await readLine(commands, splitLine(line))).own];
    expect(await read('cluster config get --api kafka --api=admin -b 1')).toEqual([
      ['api', 'admin'],
      ['broker', '1'],
    ]);
    expect(await read('cluster config get --api kafka -- --api admin')).toEqual([['api', 'kafka']]);
    expect(await read('topic describe a --profile p --api admin')).toEqual([]);
  });

  test('loads no command for a line without flags', async () => {
    const load: Entry['load'] = () => Promise.reject(new Error('loaded'));
    const entries = [entry('topic', '', load)];
    expect((await readLine(entries, ['topic', 'describe', '-'])).given).toEqual(none);
    await expect(readLine(entries, ['topic', 'describe', '--profile'])).rejects.toThrow('loaded');
  });
});

test.each([
  ['plain', 'plain'],
  ["'my prod'", 'my prod'],
  ["--profile='my prod'", '--profile=my prod'],
  ['two\\ words', 'two words'],
  ['"a \\"b\\" \\n"', 'a "b" \\n'],
  ["'open", 'open'],
  ['"open', 'open'],
  ['$HOME`id`$(id)', '$HOME`id`$(id)'],
])('removes the quotes of %s and expands nothing', (word, text) => {
  expect(unquoted(word)).toBe(text);
});
