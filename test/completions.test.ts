import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { completionFiles, type Shell } from '../src/cli/completion/completion.ts';
import { generatedFiles } from './generate.ts';
import { run, temporaryDirectory } from './world.ts';

const shells = Object.keys(completionFiles) as Shell[];

test('the scripts in completions/ match the command tree (npm run generate)', async () => {
  const files = await generatedFiles();
  for (const name of Object.values(completionFiles)) {
    const path = `completions/${name}`;
    expect(readFileSync(path, 'utf8'), path).toBe(files.get(path));
  }
});

test.each(shells)('"completion %s" prints the script in completions/', async (shell) => {
  const { stdout, stderr, exitCode } = await run(`completion ${shell}`);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toBe(readFileSync(`completions/${completionFiles[shell]}`, 'utf8'));
});

/** What the fake `weir` finds. */
const found = {
  profiles: ['prod', 'stage'],
  topics: ['orders', 'payments', 'orders-dlq'],
  groups: ['billing', 'shipping', 'two words'],
  users: ['ana', 'ben'],
  brokers: ['1', '2', '13'],
};

function writeNames(directory: string, subject: string, names: readonly string[]): void {
  writeFileSync(join(directory, subject), names.map((name) => `${name}\n`).join(''));
}

/** The environment of the shells, with a fake `weir` that logs each start. */
const world = (() => {
  const directory = temporaryDirectory();
  const log = join(directory, 'started');
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'weir'),
    `#!/bin/sh\nprintf '<%s>' "$@" >> ${log}; echo >> ${log}\n[ "$1" = __complete ] && cat ${directory}/$2\n`,
  );
  chmodSync(join(bin, 'weir'), 0o755);
  writeFileSync(log, '');
  for (const [subject, names] of Object.entries(found)) writeNames(directory, subject, names);
  return { directory, log, env: { PATH: `${bin}:${process.env.PATH}`, HOME: directory, TERM: 'dumb' } };
})();

async function bashOffers(line: string): Promise<readonly string[]> {
  // Readline passes words split at spaces and at = and : (COMP_WORDBREAKS).
  const words = line.split(' ').flatMap((word) => (word === '' ? [''] : (word.match(/[=:]+|[^=:]+/g) ?? [])));
  if (/[=:]$/.test(line)) words.push('');
  const script = `compopt() { :; }
source completions/weir.bash
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_weir; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return linesOf(await execa('bash', ['--norc', '-c', script], { env: world.env }));
}

async function zshOffers(line: string): Promise<readonly string[]> {
  // Run zsh in a pseudo terminal with a wrapped compadd that records its offers. The line editor reports that it is
  // ready: until then, the terminal itself would take Ctrl-U as an order to drop the line.
  const script = `zmodload zsh/zpty
zpty -b inner env PS1= TERM=dumb zsh -f -i
zpty -w inner 'autoload -U compinit; compinit -u -D; source completions/_weir
compadd() { [[ "$*" == *-[OAD]* ]] || { local -a got; builtin compadd -O got "$@"; print -rl -- $got >> ${world.directory}/offers }; builtin compadd "$@" }
zstyle ":completion:*" verbose no; zle-line-init() { print REA""DY }; zle -N zle-line-init'
zpty -r -m inner out '*READY*'
zpty -w -n inner ${quote(line)}$'\\t'
zpty -w -n inner $'\\x15print DO""NE\\n'
zpty -r -m inner out '*DONE*'
zpty -d inner`;
  writeFileSync(join(world.directory, 'offers'), '');
  await execa('zsh', ['-f', '-c', script], { env: world.env, timeout: 80_000 });
  const offers = readFileSync(join(world.directory, 'offers'), 'utf8').split('\n').filter(Boolean);
  return [...new Set(offers)];
}

async function fishOffers(line: string): Promise<readonly string[]> {
  const script = `source completions/weir.fish; complete -C ${quote(line)}`;
  const offers = linesOf(await execa('fish', ['--no-config', '-c', script], { env: world.env }));
  return offers.map((offer) => offer.split('\t')[0] ?? '');
}

function quote(text: string): string {
  return `'${text}'`;
}

function linesOf({ stdout }: { readonly stdout: string }): readonly string[] {
  return stdout.split('\n').filter(Boolean);
}

const offers = { bash: bashOffers, zsh: zshOffers, fish: fishOffers };

interface Case {
  readonly line: string;
  /** The required offers, as whole words of the line. */
  readonly offered: readonly string[];
  readonly not?: readonly string[];
}

const cases: readonly Case[] = [
  { line: 'weir ', offered: ['topic', 'profile', 'version'], not: ['__complete'] },
  { line: 'weir topic ', offered: ['create', 'list', 'delete'], not: ['topic'] },
  { line: 'weir --profile x topic cr', offered: ['create'], not: ['list'] },
  { line: 'weir topic create --part', offered: ['--partitions'], not: ['--regex'] },
  { line: 'weir topic list --form', offered: ['--format'] },
  { line: 'weir topic list --format ', offered: ['text', 'wide', 'json', 'yaml', 'schema'] },
  {
    line: 'weir topic alter-config t --set ret',
    offered: ['retention.ms=', 'retention.bytes='],
    not: ['segment.ms=', 'retention.ms'],
  },
  { line: 'weir topic alter-config t --delete ret', offered: ['retention.ms'], not: ['retention.ms='] },
  { line: 'weir topic set-config t segment.ms=1 ret', offered: ['retention.ms='], not: ['t'] },
  { line: 'weir topic create t -c clean', offered: ['cleanup.policy='] },
  { line: 'weir profile set tls', offered: ['tls.ca='], not: ['brokers='] },
  { line: 'weir profile set user=a desc', offered: ['description='] },
  { line: 'weir profile set pas', offered: ['pass'], not: ['pass='] },
  { line: 'weir profile create p --set registry.h', offered: ['registry.hosts='] },
  { line: 'weir sandbox start --engine s', offered: ['simulated'], not: ['java'] },
  { line: 'weir sandbox start --sasl SC', offered: ['SCRAM-SHA-256', 'SCRAM-SHA-512'], not: ['PLAIN'] },
];

interface LiveCase {
  readonly line: string;
  /** All offers, as whole words of the line. */
  readonly offered: readonly string[];
  /** The subject, the typed word and the other words; undefined if nothing is asked. */
  readonly asked?: string;
}

const liveCases: readonly LiveCase[] = [
  { line: 'weir topic describe ord', offered: ['orders', 'orders-dlq'], asked: 'topics ord topic describe' },
  { line: 'weir topic delete orders pay', offered: ['payments'], asked: 'topics pay topic delete orders' },
  { line: 'weir --profile prod topic find pay', offered: ['payments'], asked: 'topics pay --profile prod topic find' },
  { line: 'weir topic find orders pay', offered: [] },
  { line: 'weir topic consume orders -g bil', offered: ['billing'], asked: 'groups bil topic consume orders -g' },
  { line: 'weir group seek bil', offered: ['billing'], asked: 'groups bil group seek' },
  {
    line: 'weir group seek billing --topics orders,pay',
    offered: ['orders,payments'],
    asked: 'topics pay group seek billing --topics',
  },
  {
    line: 'weir security acl create --topic=orders,pay',
    offered: ['--topic=orders,payments'],
    asked: 'topics pay security acl create',
  },
  {
    line: 'weir security acl create --allow-principal a',
    offered: ['ana'],
    asked: 'users a security acl create --allow-principal',
  },
  { line: 'weir security user delete b', offered: ['ben'], asked: 'users b security user delete' },
  { line: 'weir security user create b', offered: [] },
  { line: 'weir cluster config get -b 1', offered: ['1', '13'], asked: 'brokers 1 cluster config get -b' },
];

describe.each(shells)('%s', (shell) => {
  test.each(cases)('offers words for "$line" without starting a process', async ({ line, offered, not = [] }) => {
    writeFileSync(world.log, '');
    const found = await offers[shell](line);
    expect(found).toEqual(expect.arrayContaining([...offered]));
    for (const word of not) expect(found).not.toContain(word);
    expect(readFileSync(world.log, 'utf8')).toBe('');
  });

  test('offers the keys of -X with "=" and the values of booleans and mechanisms', async () => {
    writeFileSync(world.log, '');
    const keys = await offers[shell]('weir topic list -X brok');
    expect(keys).toContain('brokers=');
    const booleans = await offers[shell]('weir topic list -X tls.enabled=');
    expect(booleans.map((word) => word.replace('tls.enabled=', '')).toSorted()).toEqual(['false', 'true']);
    const mechanisms = await offers[shell]('weir topic list -X sasl.mechanism=SCR');
    expect(mechanisms.map((word) => word.replace('sasl.mechanism=', '')).toSorted()).toEqual([
      'SCRAM-SHA-256',
      'SCRAM-SHA-512',
    ]);
    expect(readFileSync(world.log, 'utf8')).toBe('');
  });

  test('asks weir for the names of profiles', async () => {
    expect(await offers[shell]('weir --profile ')).toEqual(expect.arrayContaining(['prod', 'stage']));
    expect(await offers[shell]('weir profile use pr')).toEqual(['prod']);
    expect(readFileSync(world.log, 'utf8')).toContain('<__complete><profiles>');
  });

  test.each(liveCases)('offers names of the cluster for "$line"', async ({ line, offered, asked }) => {
    writeFileSync(world.log, '');
    const offering = await offers[shell](line);
    // bash leaves out what is before = and zsh also what is before a comma: it is on the line already.
    const present = { bash: /^.*=/, zsh: /^.*[,=]/, fish: /^$/ }[shell];
    const names = offered.map((name) => name.replace(present, ''));
    expect(offering.toSorted()).toEqual(names.toSorted());
    expect(new Set(readFileSync(world.log, 'utf8').split('\n').filter(Boolean).map(wordsAsked))).toEqual(
      new Set(asked === undefined ? [] : [asked]),
    );
  });
});

/** What the line asked for: the subject, the typed word and the other words. */
function wordsAsked(logged: string): string {
  const words = logged.slice(1, -1).split('><');
  return words.filter((word) => !['__complete', '--quoted', '--'].includes(word)).join(' ');
}

test('bash passes the words on both sides of the cursor, as they are quoted', async () => {
  writeFileSync(world.log, '');
  const script = `compopt() { :; }
source completions/weir.bash
COMP_WORDS=(weir topic describe or --profile "'my prod'" -X brokers = b : 9092); COMP_CWORD=3; _weir`;
  await execa('bash', ['--norc', '-c', script], { env: world.env });
  expect(readFileSync(world.log, 'utf8')).toBe(
    "<__complete><topics><--quoted><--><or><topic><describe><--profile><'my prod'><-X><brokers=b:9092>\n",
  );
});

test('zsh passes the words on both sides of the cursor, without quotes, and quotes what it inserts', async () => {
  writeFileSync(world.log, '');
  const script = `zmodload zsh/zpty
zpty -b inner env PS1= TERM=dumb zsh -f -i
zpty -w inner 'autoload -U compinit; compinit -u -D; source completions/_weir
show() { print -r -- $BUFFER > ${world.directory}/buffer }; zle -N show; bindkey -e; bindkey "^T" show
zle-line-init() { print REA""DY }; zle -N zle-line-init'
zpty -r -m inner out '*READY*'
zpty -w -n inner ' --profile "my prod"'
zpty -w -n inner $'\\x01weir group describe two'
zpty -w -n inner $'\\t\\x14'
zpty -w -n inner $'\\x15print DO""NE\\n'
zpty -r -m inner out '*DONE*'
zpty -d inner`;
  await execa('zsh', ['-f', '-c', script], { env: world.env, timeout: 80_000 });
  expect(readFileSync(join(world.directory, 'buffer'), 'utf8')).toBe(
    'weir group describe two\\ words  --profile "my prod"\n',
  );
  expect(readFileSync(world.log, 'utf8')).toBe('<__complete><groups><--><two><group><describe><--profile><my prod>\n');
});

test('bash quotes the names of profiles, which it would run or expand otherwise', async () => {
  const names = ['$(touch ran)', '`id`', "it's", 'two words', '*', 'a;b'];
  writeNames(world.directory, 'profiles', [...names, 'prod']);
  try {
    const quoted = await bashOffers('weir profile use ');
    const { stdout } = await execa('bash', ['-c', `printf '%s\\n' ${quoted.join(' ')}`], { cwd: world.directory });
    expect(stdout.split('\n')).toEqual([...names, 'prod']);
    expect(await bashOffers('weir profile use two')).toEqual(['two\\ words']);
  } finally {
    writeNames(world.directory, 'profiles', found.profiles);
  }
});

test('a broken profile file completes to nothing, silently', async () => {
  const home = temporaryDirectory();
  const config = join(home, 'weir.yaml');
  writeFileSync(config, 'profiles: [');
  const env = { WEIR_CONFIG: config };
  expect(await run('__complete profiles', { env })).toEqual({ stdout: '', stderr: '', exitCode: 0 });
});

test('zsh shows the backslashes of a help text', async () => {
  const script = `source <(sed 's/^if \\[\\[ $funcstack.*/return/' completions/_weir); _weir_flags 'topic consume'; print -r -- $reply`;
  const { stdout } = await execa('zsh', ['-f', '-c', script], { env: world.env });
  // _describe removes one of every two backslashes.
  expect(stdout).toContain('for example "%k %v\\\\n"');
});
