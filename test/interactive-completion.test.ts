import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { type InteractiveShell, typeIn } from './interactive-shell.ts';
import { temporaryDirectory } from './world.ts';

/** The names that the fake `weir` finds, each with what is known about it. */
const names: Readonly<Record<string, readonly string[]>> = {
  topics: ['orders\t3 partitions', 'orders-dlq\t1 partition', 'payments\t12 partitions', 'returns\t3 partitions'],
  groups: ['two words\tStable', 'a:b\tEmpty', "it's\tDead", 'x=y\tStable'],
  subjects: ['orders-value', 'payments-value'],
  profiles: ['prod\tb1.example:9092', 'stage'],
};

/** A home with a fake `weir` that logs each start. */
function machine() {
  const home = temporaryDirectory();
  const log = join(home, 'started');
  mkdirSync(join(home, 'bin'));
  const program = `#!/bin/sh
printf '<%s>' "$@" >> ${log}; echo >> ${log}
while [ $# -gt 0 ] && [ "$1" != __complete ]; do shift; done
case $2 in *:described) cat "${home}/\${2%:*}" ;; *) cut -f 1 "${home}/$2" ;; esac
`;
  writeFileSync(join(home, 'bin/weir'), program);
  chmodSync(join(home, 'bin/weir'), 0o755);
  writeFileSync(log, '');
  mkdirSync(join(home, 'certs'));
  writeFileSync(join(home, 'certs/ca.pem'), '');
  for (const [subject, found] of Object.entries(names)) writeFileSync(join(home, subject), `${found.join('\n')}\n`);
  return { log, env: { HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}` } };
}

/** What the keys leave on the line, in every shell or in each. */
const cases: readonly (readonly [keys: string, line: string | Readonly<Record<InteractiveShell, string>>])[] = [
  ['weir topic describe pay<Tab>', 'weir topic describe payments '],
  ['rpk topic describe pay<Tab>', 'rpk topic describe payments '],
  ['wp topic describe pay<Tab>', 'wp topic describe payments '],
  ['weir group describe two<Tab>', 'weir group describe two\\ words '],
  ['weir group describe a:<Tab>', 'weir group describe a:b '],
  ['weir group describe x=<Tab>', 'weir group describe x=y '],
  ['weir topic list -X tls.en<Tab>', 'weir topic list -X tls.enabled='],
  ['weir topic list -X tls.enabled=t<Tab>', 'weir topic list -X tls.enabled=true '],
  ['weir topic list --format=js<Tab>', 'weir topic list --format=json '],
  [
    `weir topic describe pay --profile prod${'<Left>'.repeat(15)}<Tab>`,
    {
      bash: 'weir topic describe payments --profile prod',
      zsh: 'weir topic describe payments  --profile prod',
      fish: 'weir topic describe payments --profile prod',
    },
  ],
  ['weir --profile pr<Tab>', 'weir --profile prod '],
  ['weir topic consume orders -o :e<Tab>', 'weir topic consume orders -o :end '],
  ['weir topic consume orders -o @-1h:e<Tab>', 'weir topic consume orders -o @-1h:end '],
  ['weir topic redrive dlq --to ret<Tab>', 'weir topic redrive dlq --to returns '],
  ['weir topic redrive dlq --to or<Tab>i<Tab>', 'weir topic redrive dlq --to origin '],
  [
    'weir topic redrive dlq --to h<Tab>',
    {
      bash: 'weir topic redrive dlq --to header:',
      zsh: 'weir topic redrive dlq --to header: ',
      fish: 'weir topic redrive dlq --to header:',
    },
  ],
  ['weir topic produce orders --generate sam<Tab>', 'weir topic produce orders --generate sample '],
  ['weir topic produce orders --generate pay<Tab>', 'weir topic produce orders --generate payments-value '],
  ['weir topic copy a b --offsets al<Tab>', 'weir topic copy a b --offsets all '],
  ['weir topic copy a b --offsets billing,a:<Tab>', 'weir topic copy a b --offsets billing,a:b '],
  ['weir help topic creat<Tab>', 'weir help topic create '],
  ['weir help kca<Tab>', 'weir help kcat '],
  ['weir topic list -X tls.ca=ce<Tab>', 'weir topic list -X tls.ca=certs/'],
  ['weir topic list -X tls.ca=certs/c<Tab>', 'weir topic list -X tls.ca=certs/ca.pem '],
  ['weir profile set pass.file=certs/c<Tab>', 'weir profile set pass.file=certs/ca.pem '],
  [
    'weir profile create x --set user=u --set tls.key=certs/c<Tab>',
    'weir profile create x --set user=u --set tls.key=certs/ca.pem ',
  ],
  ['weir profile create x --from certs/c<Tab>', 'weir profile create x --from certs/ca.pem '],
  ['weir profile create x --from=certs/c<Tab>', 'weir profile create x --from=certs/ca.pem '],
  ['weir profile create x --from stag<Tab>', 'weir profile create x --from stage '],
  ["weir group describe 'tw<Tab>", "weir group describe 'two words' "],
  ['weir group describe "tw<Tab>', 'weir group describe "two words" '],
  [
    `weir group describe two --profile "my prod"${'<Left>'.repeat(20)}<Tab>`,
    {
      bash: 'weir group describe two\\ words --profile "my prod"',
      zsh: 'weir group describe two\\ words  --profile "my prod"',
      fish: 'weir group describe two\\ words --profile "my prod"',
    },
  ],
];

const shells: readonly InteractiveShell[] = ['bash', 'zsh', 'fish'];

describe.each(shells)('%s in a terminal', (shell) => {
  const { env, log } = machine();
  let buffers: readonly string[] = [];

  beforeAll(async () => {
    const before = "alias rpk=weir\nalias wp='weir --profile prod'";
    ({ buffers } = await typeIn(
      shell,
      cases.map(([keys]) => keys),
      { env, before },
    ));
  });

  test.each(cases.map(([keys, line], at) => ({ keys, line, at })))('completes $keys', ({ line, at }) => {
    expect(buffers[at]).toBe(typeof line === 'string' ? line : line[shell]);
  });

  test('asks for the names of the line, whatever its first word is', () => {
    const asked = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    const plain = asked.map((line) => line.replaceAll(/<--(?:quoted)?>|:described/g, ''));
    const pay = '<__complete><topics><pay>';
    expect(plain.slice(0, 4)).toEqual([
      `${pay}<topic><describe>`,
      `${pay}<topic><describe>`,
      `${pay}<--profile><prod><topic><describe>`,
      '<__complete><groups><two><group><describe>',
    ]);
    // fish tells a completion only what is before the cursor.
    expect(plain).toContain(`${pay}<topic><describe>${shell === 'fish' ? '' : '<--profile><prod>'}`);
    // Without the quotes of the shell, which bash leaves to weir.
    const quoted = { bash: '<--profile><"my prod">', zsh: '<--profile><my prod>', fish: '' };
    expect(plain.at(-1)).toBe(`<__complete><groups><two><group><describe>${quoted[shell]}`);
    expect(plain).toHaveLength(22);
  });
});

test('zsh shows what is known about names, options and commands', async () => {
  const { env } = machine();
  const keys = ['weir topic describe <Tab><Tab>', 'weir topic list -X registry.<Tab><Tab>', 'weir topic d<Tab><Tab>'];
  const { screen } = await typeIn('zsh', keys, { env });
  for (const text of ['12 partitions', '-- Comma-separated addresses', 'Describe topics: configs'])
    expect(screen).toContain(text);
  // Each on a line of its own, although the descriptions are the same.
  for (const line of ['orders      -- 3 partitions', 'returns     -- 3 partitions']) expect(screen).toContain(line);
});

test('fish shows what is known about names, options, commands and flags', async () => {
  const { env } = machine();
  const lines = ['weir topic describe pay', 'weir topic list -X registry.h', 'weir topic des', 'weir topic list --int'];
  const script = `source completions/weir.fish\n${lines.map((line) => `complete -C '${line}'`).join('\n')}`;
  const { stdout } = await execa('fish', ['--no-config', '-c', script], { env });
  expect(stdout.split('\n')).toEqual([
    'payments\t12 partitions',
    'registry.hosts=\tComma-separated addresses of the schema registry',
    'describe\tDescribe topics: configs, partitions, their offsets and sizes',
    'describe-storage\tDescribe the tiered storage of a topic: sizes, offsets and uploads',
    expect.stringMatching(/^--internal\t/),
  ]);
});
