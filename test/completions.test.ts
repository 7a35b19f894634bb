import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { completionFiles, type Shell } from '../src/cli/completion/completion.ts';
import { generatedFiles } from './generate.ts';
import { run, temporaryDirectory } from './world.ts';

const allShells = Object.keys(completionFiles) as Shell[];

/** The shells that the tests run; there is no package of PowerShell to install. */
type Driven = Exclude<Shell, 'powershell'>;
const shells: readonly Driven[] = ['bash', 'zsh', 'fish'];

test('the scripts in completions/ match the command tree (npm run generate)', async () => {
  const files = await generatedFiles();
  for (const name of Object.values(completionFiles)) {
    const path = `completions/${name}`;
    expect(readFileSync(path, 'utf8'), path).toBe(files.get(path));
  }
});

test.each(allShells)('"completion %s" prints the script in completions/', async (shell) => {
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
  sandboxes: ['default', 'mine'],
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
    `#!/bin/sh\nprintf '<%s>' "$@" >> ${log}; echo >> ${log}\n[ "$1" = __complete ] && cat ${directory}/\${2%:*}\n`,
  );
  chmodSync(join(bin, 'weir'), 0o755);
  writeFileSync(log, '');
  for (const [subject, names] of Object.entries(found)) writeNames(directory, subject, names);
  return { directory, log, env: { PATH: `${bin}:${process.env.PATH}`, HOME: directory, TERM: 'dumb' } };
})();

/** What a shell offers at the end of a line, and what it asked weir for, as logged. */
interface Answer {
  readonly offered: readonly string[];
  readonly asked: readonly string[];
}

/** Between the offers of two lines, and in the log. */
const mark = '--- next line';

/** Completes the lines one after the other in one shell, which starts slowly. */
async function completeIn(shell: Driven, lines: readonly string[]): Promise<readonly Answer[]> {
  const offers = join(world.directory, 'offers');
  writeFileSync(world.log, '');
  writeFileSync(offers, '');
  const env = { ...world.env, OFFERS: offers, LOG: world.log };
  await execa(...programs[shell](lines), { env, timeout: 80_000 });
  const partsOf = (path: string) =>
    readFileSync(path, 'utf8')
      .split(`${mark}\n`)
      .slice(1)
      .map((text) => text.split('\n').filter(Boolean));
  const asked = partsOf(world.log);
  return partsOf(offers).map((offered, at) => ({
    offered: [...new Set(offered.map((word) => word.replace(/\t.*/, '')))],
    asked: asked[at] ?? [],
  }));
}

const programs: Readonly<Record<Driven, (lines: readonly string[]) => [string, string[]]>> = {
  bash(lines) {
    const steps = lines.map((line) => {
      // Readline passes words split at spaces and at = and : and @ (COMP_WORDBREAKS).
      const words = line.split(' ').flatMap((word) => (word === '' ? [''] : (word.match(/[=:@]+|[^=:@]+/g) ?? [])));
      if (/[=:@]$/.test(line)) words.push('');
      return `next; COMP_LINE='${line}'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; COMPREPLY=()
_weir; printf '%s\n' "\${COMPREPLY[@]}" >> $OFFERS`;
    });
    const next = `next() { echo '${mark}' | tee -a $LOG >> $OFFERS; }`;
    return ['bash', ['--norc', '-c', `compopt() { :; }\n${next}\nsource completions/weir.bash\n${steps.join('\n')}`]];
  },
  zsh(lines) {
    // Run zsh in a pseudo terminal with a wrapped compadd that records its offers. The line editor reports that it is
    // ready: until then, the terminal itself would take Ctrl-U as an order to drop the line.
    const steps = lines.map(
      (line) => `echo '${mark}' | tee -a $LOG >> $OFFERS
zpty -w -n inner ${quote(line)}$'\\t'
zpty -w -n inner $'\\x15print DO""NE\\n'
zpty -r -m inner out '*DONE*READY*'`,
    );
    // In a start-up file, so that nothing is typed before the line editor is ready.
    writeFileSync(
      join(world.directory, '.zshrc'),
      `autoload -U compinit; compinit -u -D; source ${resolve('completions/_weir')}
compadd() { [[ "$*" == *-[OAD]* ]] || { local -a got; builtin compadd -O got "$@"; print -rl -- $got >> $OFFERS }; builtin compadd "$@" }
zstyle ":completion:*" verbose no; zle-line-init() { print REA""DY }; zle -N zle-line-init
`,
    );
    return [
      'zsh',
      [
        '-f',
        '-c',
        `zmodload zsh/zpty
zpty -b inner env PS1= TERM=dumb zsh -d -i
zpty -r -m inner out '*READY*'
${steps.join('\n')}
zpty -d inner`,
      ],
    ];
  },
  fish(lines) {
    const steps = lines.map(
      (line) => `echo '${mark}' | tee -a $LOG >> $OFFERS
complete -C ${quote(line)} >> $OFFERS; or true`,
    );
    return ['fish', ['--no-config', '-c', `source completions/weir.fish\n${steps.join('\n')}`]];
  },
};

function quote(text: string): string {
  return `'${text}'`;
}

interface Case {
  readonly line: string;
  /** The required offers, as whole words of the line. */
  readonly offered: readonly string[];
  readonly not?: readonly string[];
}

const cases: readonly Case[] = [
  { line: 'weir ', offered: ['topic', 'profile', 'version'], not: ['__complete'] },
  { line: 'weir topic ', offered: ['create', 'list', 'delete'], not: ['topic'] },
  { line: 'weir redpanda admin config ', offered: [], not: ['show', 'explain', 'topic'] },
  { line: 'weir acl ', offered: [], not: ['topic', 'acl'] },
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
  { line: 'weir topic create t -c compression.t', offered: ['compression.type='] },
  { line: 'weir profile set tls', offered: ['tls.ca='], not: ['brokers='] },
  { line: 'weir profile set user=a desc', offered: ['description='] },
  { line: 'weir profile set pas', offered: ['pass'], not: ['pass='] },
  { line: 'weir profile create p --set registry.h', offered: ['registry.hosts='] },
  { line: 'weir help ', offered: ['topic', 'help', 'exit-codes', 'kcat'], not: ['create'] },
  { line: 'weir help sec us', offered: ['user'], not: ['acl'] },
  { line: 'weir help topic create ', offered: [], not: ['create', 'list', 'flags'] },
  { line: 'weir help flags ', offered: [], not: ['topic', 'formats'] },
  { line: 'weir topic consume t -o ', offered: ['start', 'end', ':end', '-10:end', '@-1h'] },
  { line: 'weir topic consume t -o @-1h:', offered: [], not: ['start', 'topic'] },
  { line: 'weir topic trim-prefix t -o ', offered: ['end'], not: ['start', ':end'] },
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
  { line: 'weir sandbox stop --name mi', offered: ['mine'], asked: 'sandboxes mi sandbox stop --name' },
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

const keyLine = 'weir topic list -X brok';
const booleanLine = 'weir topic list -X tls.enabled=';
const policyLine = 'weir topic create t -c cleanup.policy=';
const mechanismLine = 'weir topic list -X sasl.mechanism=SCR';

describe.each(shells)('%s', (shell) => {
  const answers = new Map<string, Answer>();
  /** What is offered for a line, and what of the cluster was asked. */
  const at = (line: string): Answer => answers.get(line) ?? { offered: [], asked: ['the line was not tried'] };

  beforeAll(async () => {
    const lines = [...cases, ...liveCases].map(({ line }) => line);
    lines.push(keyLine, booleanLine, mechanismLine, policyLine, 'weir --profile ', 'weir profile use pr');
    const found = await completeIn(shell, lines);
    for (const [index, answer] of found.entries()) answers.set(lines[index] ?? '', answer);
  });

  test.each(cases)('offers words for "$line" without starting a process', ({ line, offered, not = [] }) => {
    const found = at(line);
    expect(found.offered).toEqual(expect.arrayContaining([...offered]));
    for (const word of not) expect(found.offered).not.toContain(word);
    expect(found.asked).toEqual([]);
  });

  test('offers the keys of -X with "=" and the values of booleans and mechanisms', () => {
    expect(at(keyLine).offered).toContain('brokers=');
    const booleans = at(booleanLine).offered.map((word) => word.replace('tls.enabled=', ''));
    expect(booleans.toSorted()).toEqual(['false', 'true']);
    const mechanisms = at(mechanismLine).offered.map((word) => word.replace('sasl.mechanism=', ''));
    expect(mechanisms.toSorted()).toEqual(['SCRAM-SHA-256', 'SCRAM-SHA-512']);
    for (const line of [keyLine, booleanLine, mechanismLine]) expect(at(line).asked).toEqual([]);
  });

  test('offers the values of a config that takes one of a few words', () => {
    const values = at(policyLine).offered.map((word) => word.replace('cleanup.policy=', ''));
    // fish also offers the key alone.
    expect(values.filter(Boolean).toSorted()).toEqual(['compact', 'compact,delete', 'delete']);
  });

  test('asks weir for the names of profiles', () => {
    expect(at('weir --profile ').offered).toEqual(expect.arrayContaining(['prod', 'stage']));
    expect(at('weir profile use pr').offered).toEqual(['prod']);
    expect(at('weir profile use pr').asked.join()).toContain('<__complete><profiles');
  });

  test.each(liveCases)('offers names of the cluster for "$line"', ({ line, offered, asked }) => {
    const offering = at(line);
    // bash leaves out what is before = and zsh also what is before a comma: it is on the line already.
    const present = { bash: /^.*=/, zsh: /^.*[,=]/, fish: /^$/ }[shell];
    const names = offered.map((name) => name.replace(present, ''));
    expect(offering.offered.toSorted()).toEqual(names.toSorted());
    expect(new Set(offering.asked.map(wordsAsked))).toEqual(new Set(asked === undefined ? [] : [asked]));
  });
});

/** What the line asked for: the subject, the typed word and the other words. */
function wordsAsked(logged: string): string {
  const words = logged.slice(1, -1).split('><');
  return words
    .filter((word) => !['__complete', '--quoted', '--'].includes(word))
    .join(' ')
    .replace(':described', '');
}

test('bash passes the words on both sides of the cursor, as they are quoted', async () => {
  writeFileSync(world.log, '');
  const script = `compopt() { :; }
source completions/weir.bash
COMP_LINE="weir topic describe or --profile 'my prod' -X brokers=b:9092"
COMP_WORDS=(weir topic describe or --profile "'my prod'" -X brokers = b : 9092); COMP_CWORD=3; _weir`;
  await execa('bash', ['--norc', '-c', script], { env: world.env });
  expect(readFileSync(world.log, 'utf8')).toBe(
    "<__complete><topics><--quoted><--><or><topic><describe><--profile><'my prod'><-X><brokers=b:9092>\n",
  );
});

test('bash quotes the names of profiles, which it would run or expand otherwise', async () => {
  const names = ['$(touch ran)', '`id`', "it's", 'two words', '*', 'a;b'];
  writeNames(world.directory, 'profiles', [...names, 'prod']);
  try {
    const [all, some] = await completeIn('bash', ['weir profile use ', 'weir profile use two']);
    const quoted = all?.offered ?? [];
    const { stdout } = await execa('bash', ['-c', `printf '%s\\n' ${quoted.join(' ')}`], { cwd: world.directory });
    expect(stdout.split('\n')).toEqual([...names, 'prod']);
    expect(some?.offered).toEqual(['two\\ words']);
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

test('zsh lists the flags of the command before the global ones', async () => {
  const directory = temporaryDirectory();
  const script = resolve('completions/_weir');
  writeFileSync(
    join(directory, '.zshrc'),
    `autoload -U compinit; compinit -u -D; source ${script}; zle-line-init() { print REA""DY }; zle -N zle-line-init\n`,
  );
  const steps = `zmodload zsh/zpty
zpty -b inner env PS1= TERM=dumb LINES=60 COLUMNS=90 zsh -d -i
zpty -r -m inner out '*READY*'
zpty -w -n inner $'weir topic delete --\\t'
zpty -r -m inner out '*--version*'
print -r -- $out; zpty -d inner`;
  const env = { ...world.env, HOME: directory, ZDOTDIR: directory };
  const { stdout } = await execa('zsh', ['-f', '-c', steps], { env, timeout: 60_000 });
  const flags = stdout.match(/^--[a-z-]+(?= +--)/gm);
  expect(flags?.slice(0, 4)).toEqual(['--regex', '--if-exists', '--dry-run', '--config-opt']);
});
