import { expect, test } from 'vitest';
import { offsetText } from '../../src/commands/topic/offset-text.ts';
import { plainVariables } from '../../src/config/sources/environment.ts';
import { exitCodeMeanings } from '../../src/errors.ts';
import { timeForms } from '../../src/format/time.ts';
import { textModifiers } from '../../src/kafka/records/language/format-text.ts';
import { attributes, markVerbs, numberVerbs, textVerbs } from '../../src/kafka/records/language/format-verbs.ts';
import { numberLayouts } from '../../src/kafka/records/language/number-layouts.ts';
import { inputVerbs } from '../../src/kafka/records/language/parse-program.ts';
import { offsetForms, parseOffsetRange } from '../../src/kafka/streams/consume/offset-words.ts';
import { run } from '../world.ts';

test('help, --help and an empty command line show the root help in 80 columns', async () => {
  const help = await run('help');
  expect(help).toMatchObject({ stderr: '', exitCode: 0 });
  expect(await run('--help')).toEqual(help);
  expect(await run('-h')).toEqual(help);
  expect(await run([])).toEqual(help);
  for (const line of help.stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
});

test('help with a noun prints the same as its --help', async () => {
  expect(await run('help topic')).toEqual(await run('topic --help'));
  expect((await run('help topic')).stdout).toContain('  create ');
  expect((await run('help rpk topic')).stdout).toBe((await run('help topic')).stdout);
});

test('help exit-codes lists every code', async () => {
  const { stdout, exitCode } = await run('help exit-codes');
  expect(exitCode).toBe(0);
  const shown = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
  for (const [code, meaning] of exitCodeMeanings) expect(shown).toContainEqual([String(code), meaning]);
});

test('H2: help --json gives the whole tree as data', async () => {
  const { stdout, exitCode } = await run('help --json');
  expect(exitCode).toBe(0);
  const tree = JSON.parse(stdout);
  const create = tree.commands.find(({ command }: { command: string }) => command === 'topic create');
  expect(create).toMatchObject({
    changes: 'creates',
    arguments: [{ label: 'TOPIC', arity: 'many' }],
    flags: expect.arrayContaining([expect.objectContaining({ name: 'partitions', short: 'p', kind: 'integer' })]),
    output_schema: { type: 'array' },
  });
  expect(tree.global_flags.map(({ name }: { name: string }) => name)).toContain('config-opt');
});

test('help --json names the kind of every argument and flag', async () => {
  const { commands } = JSON.parse((await run('help --json')).stdout);
  for (const { command, arguments: args, flags } of commands)
    for (const { label, name = label, kind } of [...args, ...flags])
      expect(kind, `${command} ${name}`).toEqual(expect.stringMatching(/^\S/));
});

test('help --json has the limits of every number', async () => {
  const { commands } = JSON.parse((await run('help --json')).stdout);
  const limits: string[] = [];
  for (const { command, flags } of commands) {
    for (const { name, kind, minimum = '', maximum = '' } of flags)
      if (kind === 'integer' || kind === 'size') limits.push(`${command} --${name} ${minimum}..${maximum}`);
  }
  expect(limits).toMatchInlineSnapshot(`
    [
      "topic produce --partition -1..2147483647",
      "topic produce --max-message-bytes -1..2147483647",
      "topic produce --num 1..",
      "topic produce --seed 0..4294967295",
      "topic consume --partitions 0..2147483647",
      "topic consume --num 0..",
      "topic consume --tail 1..",
      "topic consume --fetch-max-bytes 1..2147483647",
      "topic consume --fetch-max-partition-bytes 1..2147483647",
      "topic search --partitions 0..2147483647",
      "topic search --num 0..",
      "topic search --fetch-max-bytes 1..2147483647",
      "topic search --fetch-max-partition-bytes 1..2147483647",
      "topic copy --partitions 0..2147483647",
      "topic redrive --partitions 0..2147483647",
      "topic redrive --num 1..",
      "topic redrive --max-attempts 1..2147483647",
      "topic find --partitions 1..2147483647",
      "topic analyze --limit 1..",
      "topic analyze --top-keys 0..1000",
      "topic trim-prefix --partitions 0..2147483647",
      "topic create --partitions -1..100000",
      "topic create --replicas -1..32767",
      "topic describe --page ..",
      "topic describe --page-size ..",
      "topic add-partitions --num 1..100000",
      "topic add-partitions --to 1..100000",
      "topic reassign plan --brokers 0..2147483647",
      "topic reassign plan --replicas 1..32767",
      "topic reassign execute --throttle 1..",
      "topic elect-leaders --partitions 0..2147483647",
      "group lag --fail-above 0..",
      "transform logs --head 1..",
      "transform logs --tail 1..1000000",
      "cluster connections list --idle-ms 1..",
      "cluster connections list --limit 1..2147483647",
      "cluster config get --broker 0..2147483647",
      "cluster config set --broker 0..2147483647",
      "cluster config list --broker 0..2147483647",
      "cluster config list --node-id 0..2147483647",
      "cluster logdirs describe --broker -1..2147483647",
      "cluster loggers list --broker 0..2147483647",
      "cluster loggers get --broker 0..2147483647",
      "cluster loggers set --broker 0..2147483647",
      "cluster loggers set --expiry-seconds 0..31536000",
      "cluster self-test start --disk-duration-ms 1..2147483647",
      "cluster self-test start --network-duration-ms 1..2147483647",
      "cluster self-test start --cloud-timeout-ms 1..2147483647",
      "cluster self-test start --cloud-backoff-ms 1..2147483647",
      "cluster self-test start --participant-node-ids 0..2147483647",
      "cluster partitions list --partitions 0..2147483647",
      "cluster partitions list --node-ids 0..2147483647",
      "cluster partitions move-status --partitions 0..2147483647",
      "cluster partitions move-cancel --node 0..2147483647",
      "cluster partitions unsafe-recover --from-nodes 0..2147483647",
      "cluster txn describe-producers --partitions 0..2147483647",
      "cluster txn find-hanging --partitions 0..2147483647",
      "cluster txn abort --partition 0..2147483647",
      "debug remote-bundle start --controller-logs-size-limit 1..",
      "debug remote-bundle start --logs-size-limit 1..",
      "debug remote-bundle start --metrics-samples 2..",
      "debug remote-bundle start --broker 0..2147483647",
      "debug remote-bundle start --kafka-connections-limit 0..",
      "debug remote-bundle status --broker 0..2147483647",
      "debug remote-bundle download --broker 0..2147483647",
      "debug remote-bundle cancel --broker 0..2147483647",
      "diff --max-deletes 0..",
      "apply --max-deletes 0..",
      "security user create --iterations 4096..16384",
      "security user update --iterations 4096..16384",
      "registry schema create --id 1..2147483647",
      "registry schema create --schema-version 1..2147483647",
      "registry schema get --id 0..2147483647",
      "sandbox start --port 1..65535",
      "sandbox logs --lines 0..",
      "acl user create --iterations 4096..16384",
      "acl user update --iterations 4096..16384",
      "redpanda admin config log-level list --broker 0..2147483647",
      "redpanda admin config log-level get --broker 0..2147483647",
      "redpanda admin config log-level set --broker 0..2147483647",
      "redpanda admin config log-level set --expiry-seconds 0..31536000",
    ]
  `);
});

test('help --json is one line, and indented on a terminal', async () => {
  expect((await run('help --json')).stdout).toMatch(/^\{"\S.*\}\n$/);
  expect((await run('help --json', { terminal: { stdout: true } })).stdout).toMatch(/^\{\n {2}"/);
});

test('help of a command that does not exist names the word and the noun, exit 2', async () => {
  const { stdout, stderr, exitCode } = await run('help topic nonsense');
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain('unknown command "nonsense" for "weir topic"');
});

test.each([
  ['help topic consum', 'unknown command "consum" for "weir topic"', 'did you mean "consume"? see weir topic --help'],
  ['topic grep orders gift', 'unknown command "grep" for "weir topic"', 'did you mean "search"? see weir topic --help'],
  ['topic clone a b', 'unknown command "clone" for "weir topic"', 'did you mean "copy"? see weir topic --help'],
  ['topic replay dead', 'unknown command "replay" for "weir topic"', 'did you mean "redrive"? see weir topic --help'],
  ['help topci', 'unknown command "topci"', 'did you mean "topic"? see weir --help'],
  ['help formts', 'unknown command "formts"', 'did you mean "formats"? see weir --help'],
])('%s suggests what is meant', async (line, message, hint) => {
  const { stderr, exitCode } = await run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`weir: ${message}\nhint: ${hint}`);
});

test.each([
  ['debug bundle -o x.zip', 'debug', ['weir debug remote-bundle start', 'weir doctor --report FILE']],
  ['help debug bundle', 'debug', ['weir debug remote-bundle start', 'weir doctor --report FILE']],
  ['container start -n 3', '', ['weir sandbox start']],
  ['profile set-globals a=b', 'profile', ['weir profile set KEY=VALUE']],
  ['profile edit-globals', 'profile', ['weir profile edit']],
  ['profile print-globals', 'profile', ['weir profile print']],
])('%s, which rpk has, names what to use instead', async (line, noun, commands) => {
  const { stderr, exitCode } = await run(line);
  const see = ['weir', noun].join(' ').trimEnd();
  expect(stderr).toMatch(new RegExp(`^weir: unknown command ".+" for "${see}"\nhint: `));
  expect(stderr.match(/ with: .+/g)).toEqual(commands.map((command) => ` with: ${command}`));
  expect(stderr).toContain(`hint: see ${see} --help\n`);
  expect(exitCode).toBe(2);
});

test('the help of every command that destroys says what it does in scripts, and so does help flags', async () => {
  const { commands } = JSON.parse((await run('help --json')).stdout);
  const rule = /^Asks for confirmation.*; in scripts .* needs --yes.* \(see weir help flags\)\.$/m;
  for (const { command, changes } of commands) {
    const { stdout } = await run(`${command} --help`, { terminal: { stdout: 500 } });
    expect(rule.test(stdout), command).toBe(changes === 'destroys');
  }
  expect((await run('help flags', { terminal: { stdout: 500 } })).stdout).toContain('In scripts');
});

test('the help of a hidden noun lists its verbs', async () => {
  const { stdout, exitCode } = await run('acl --help');
  expect(exitCode).toBe(0);
  for (const verb of ['create', 'list', 'delete', 'explain', 'user'])
    expect(stdout).toMatch(new RegExp(`^  ${verb} +`, 'm'));
});

test.each(['flags', 'formats', 'offsets', 'environment', 'exit-codes', 'permissions'])(
  'help %s fits the terminal',
  async (subject) => {
    expect((await run('help')).stdout).toContain(subject);
    const { stdout, exitCode } = await run(`help ${subject}`, { terminal: { stdout: 60 } });
    expect(exitCode).toBe(0);
    const rows = stdout.split('\n').filter((line) => !line.startsWith('  weir '));
    for (const line of rows) expect(line.length, line).toBeLessThanOrEqual(60);
  },
);

test('help formats has every verb and modifier of both languages', async () => {
  const { stdout } = await run('help formats');
  const first = new Set(stdout.split('\n').map((line) => line.trim().split(/ {2,}/)[0]));
  const printed = [...textVerbs, ...numberVerbs, ...markVerbs, ...inputVerbs, 'd', 'h', 'a', 'i'];
  for (const verb of printed) expect(first).toContain(`%${verb}`);
  for (const word of [...numberLayouts.keys(), ...textModifiers]) expect(first).toContain(word);
  for (const name of attributes.keys()) expect(stdout).toContain(name);
});

test('help offsets shows only valid forms, with the words of other tools', async () => {
  const { stdout } = await run('help offsets');
  for (const [form, example] of offsetForms) {
    expect(stdout).toContain(`\n  ${form} `);
    expect(() => parseOffsetRange(example, Date.UTC(2026, 0)), example).not.toThrow();
  }
  for (const offer of offsetText.offers ?? []) expect(() => parseOffsetRange(offer, 0), offer).not.toThrow();
  for (const [time] of timeForms) expect(() => parseOffsetRange(`@${time}`, 0), time).not.toThrow();
  for (const word of ['earliest', 'beginning', 'oldest'])
    expect(parseOffsetRange(word, 0)).toEqual(parseOffsetRange('start', 0));
  for (const word of ['latest', 'newest']) expect(parseOffsetRange(word, 0)).toEqual(parseOffsetRange('end', 0));
});

test('help environment has the rule for options and every other variable, on one screen', async () => {
  const { stdout } = await run('help environment');
  expect(stdout.split('\n').length).toBeLessThanOrEqual(41);
  expect(stdout).toContain('WEIR_TLS_CA');
  for (const [name] of plainVariables) expect(stdout).toContain(name);
});

test("a command's help has the global flags on one line, and follows the terminal's width", async () => {
  const { stdout } = await run('topic list --help');
  expect(stdout).toContain('\nFor global flags such as --profile, --format and -X, see weir help flags.\n');
  expect(stdout).not.toContain('--no-input');
  const wide = await run('topic consume --help', { terminal: { stdout: 140 } });
  expect(Math.max(...wide.stdout.split('\n').map((line) => line.length))).toBeGreaterThan(100);
});

test.each([
  ['topic list --json', '--format json'],
  ['topic consume orders --timeout-ms 5', '--idle DURATION'],
  ['security acl create --producer', '--operation write,describe'],
  ['profile create x --from-cloud', '"weir cloud cluster select NAME"'],
  ['cluster info --brokers', '--print-brokers'],
  ['topic consume -t orders', '"weir topic consume TOPIC"'],
  ['topic consume --topic orders', '"weir topic consume TOPIC"'],
  ['topic describe --topic=orders', '"weir topic describe TOPIC"'],
  ['topic consume -C -t orders', '"weir topic consume TOPIC"'],
  ['topic consume orders -e', '-o :end'],
  ['topic consume orders --from-beginning', '-o start'],
  ['topic consume orders --max-messages 5', '-n N'],
  ['topic consume orders -c5', '-n N'],
  ['topic consume orders -K:', "-f '%k:%v\\n'"],
  ['topic consume orders --bootstrap-server b:9092', '-X brokers=HOST:PORT'],
  ['topic list -b b:9092', '-X brokers=HOST:PORT'],
  ['topic list --broker b:9092', '-X brokers=HOST:PORT'],
  ['sandbox purge --force', '--yes'],
  ['topic --create', '"weir topic create"'],
  ['--list', '"weir topic list"'],
  ['topic consume -G g orders', '-g GROUP'],
  ['--bootstrap-server b:9092 --list', '-X brokers=HOST:PORT'],
  ['-b b:9092 -L', '-X brokers=HOST:PORT'],
  ['-L', '"weir cluster info"'],
  ['-C -t orders', '"weir topic consume TOPIC"'],
  ['-P -t orders', '"weir topic produce TOPIC"'],
  ['topic new', '"create"'],
  ['sandbox rm', '"purge"'],
  ['sandbox up', '"start"'],
  ['topic destroy', '"delete"'],
  ['topic make', '"create"'],
  ['topic read', '"consume"'],
  ['topic cat', '"consume"'],
  ['topic write', '"produce"'],
  ['topic send', '"produce"'],
  ['topic show', '"describe"'],
  ['transform tail', '"logs"'],
  ['profile add', '"create"'],
  ['profile cat', '"print"'],
  ['profile show', '"print"'],
  ['profile switch', '"use"'],
  ['profile select', '"use"'],
  ['sandbox down', '"stop"'],
  ['sandbox remove', '"purge"'],
  ['sandbox destroy', '"purge"'],
  ['registry schema check', '"check-compatibility"'],
  ['registry schema test', '"check-compatibility"'],
  ['registry schema register', '"create"'],
  ['registry subject versions', '"list"'],
  ['cloud network show', '"get"'],
  ['cloud cluster switch', '"select"'],
  ['cluster license show', '"info"'],
  ['sandbox tail', '"logs"'],
])('%s: did you mean %s?', async (line, meant) => {
  const { stderr, exitCode } = await run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`hint: did you mean ${meant}? see weir `);
});

test('a broker after -b of topic consume, which is a balancer there, is told what to type', async () => {
  expect(await run('topic consume orders -b b.example:9092')).toEqual({
    stdout: '',
    stderr: `weir: invalid value "b.example:9092" of --balancer: not a balancer; for brokers, use -X brokers=HOST:PORT
`,
    exitCode: 2,
  });
});

test.each(['sandbox --create', 'cloud cluster --list', 'cluster info -e'])(
  '%s means nothing that weir knows',
  async (line) => {
    const { stderr, exitCode } = await run(line);
    expect({ stderr, exitCode }).toMatchObject({ stderr: expect.not.stringContaining('did you mean'), exitCode: 2 });
  },
);

test.each([
  ['consume', 'did you mean "topic consume"? see weir --help'],
  ['group reset', 'did you mean "seek"? see weir group --help'],
  ['security acl --help-operations', 'did you mean "weir help permissions"? see weir security acl --help'],
])('%s names the command that is meant', async (line, hint) => {
  const { stderr, exitCode } = await run(line);
  expect({ hint: stderr.split('\n')[1], exitCode }).toEqual({ hint: `hint: ${hint}`, exitCode: 2 });
});

test('describe and get both work where there is one of them', async () => {
  expect((await run('cloud cluster describe --help')).stdout).toContain('weir cloud cluster get ');
  expect((await run('topic get --help')).stdout).toContain('weir topic describe ');
});

test.each([
  ['reset offsets', 'group seek'],
  ['search', 'topic search'],
  ['dead letters', 'topic redrive'],
  ['compatibility level', 'registry compatibility-level set'],
  ['exit codes', 'exit-codes'],
  ['replay', 'group seek'],
  ['reprocess', 'group seek'],
])('help --find %s finds %s', async (words, name) => {
  const { stdout, exitCode } = await run(`help --find ${words}`);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').slice(1, 5).join('\n')).toMatch(new RegExp(`^ {2}${name}(?: |$)`, 'm'));
});

test('help --find without words is a usage error, and words that no help has are not found', async () => {
  expect(await run('help --find')).toMatchObject({ exitCode: 2 });
  expect(await run('help --find xyzzy')).toMatchObject({ exitCode: 3, stdout: '' });
});

test.each([
  ['help retention', 'search all help with: weir help --find retention'],
  ['help consume', 'did you mean "topic consume"?'],
  ['group reset-offsets g', 'weir group seek GROUP --to start'],
  ['topic purge t', 'weir topic trim-prefix TOPIC -o end'],
  ['topic size t', 'weir topic describe TOPIC -z'],
  ['quota list', 'weir cluster quotas describe'],
  ['topic produce t --message x', 'did you mean --value TEXT?'],
  ['security acl create --principal a', 'did you mean --allow-principal NAME?'],
  ['security acl create --service-account a', 'did you mean --allow-principal NAME?'],
  ['security acl create --consumer-group g', 'did you mean --group NAME?'],
  ['topic consume t --value-format avro', 'did you mean --use-schema-registry=value'],
  ['topic produce t --value-format avro', 'did you mean --schema-id topic'],
  ['topic produce t --property value.schema=x', 'or --schema-id topic'],
])('%s says what to type instead', async (line, hint) => {
  const { stderr, exitCode } = await run(line);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(hint)]);
});
