import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { equivalents } from '../../../src/cli/help/equivalents.ts';
import type { OtherTool } from '../../../src/cli/help/subject-names.ts';
import { readPage } from '../../guides/blocks.ts';
import { run } from '../../world.ts';

const rpkCommands = readFileSync('test/cli/help/rpk-commands.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** The hints of a line, which must be a usage error about the name of the tool. */
async function hintsOf(line: string | readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr, exitCode } = await run(line);
  const [message = '', ...hints] = stderr.trimEnd().split('\n');
  expect({ stdout, exitCode, message }).toEqual({
    stdout: '',
    exitCode: 2,
    message: expect.stringMatching(/^weir: unknown command "[\w.-]+" for "weir"$/),
  });
  return hints.map((hint) => hint.replace(/^hint: /, ''));
}

test('every command of rpk is one of weir, or has another, or a reason why not', async () => {
  const unexplained: string[] = [];
  for (const line of rpkCommands) {
    const hints = await hintsOf(`rpk ${line}`);
    const isSame = hints.length === 1 && hints[0] === `type: weir ${line}`;
    const isExplained = hints.some((hint) => !/^(?:did you mean|see weir|type: )/.test(hint));
    if (!isSame && !isExplained) unexplained.push(`${line}: ${hints.join('; ')}`);
  }
  expect(unexplained).toEqual([]);
  expect(rpkCommands.length).toBeGreaterThan(150);
});

test('a line of rpk goes on with its arguments and flags, and a flag that weir lacks is named', async () => {
  expect(await hintsOf(['rpk', 'topic', 'create', 'two words', '-p', '3', '-X', 'brokers=b:9092'])).toEqual([
    "type: weir topic create 'two words' -p 3 -X brokers=b:9092",
  ]);
  expect(await hintsOf('rpk topic list --ignore-profile')).toEqual([
    'type: weir topic list --ignore-profile',
    expect.stringMatching(/^but unknown flag --ignore-profile for "weir topic list"(?=.*--config \/dev\/null)/),
  ]);
  expect(await hintsOf('rpk redpanda tune all')).toEqual([
    expect.stringMatching(/^it is about the machine of a broker/),
  ]);
  expect(await hintsOf('rpk connect run x.yaml')).toEqual([expect.stringMatching(/weir has no such command$/)]);
  expect(await hintsOf('rpk container start -n 3')).toEqual([
    'run brokers on this machine with: weir sandbox start',
    'see weir --help',
  ]);
});

test('a line that may hold a password is not repeated', async () => {
  for (const line of [
    'rpk security user create ana -p hunter2',
    'rpk topic list -X pass=hunter2',
    'rpk topic list --registry http://u:hunter2@h',
  ]) {
    const hints = await hintsOf(line);
    expect(hints[0]).toMatch(/^type: weir (?:security user create|topic list) …$/);
    expect(hints.join()).not.toContain('hunter2');
  }
  expect((await hintsOf('kcat -C -t orders -X sasl.password=hunter2')).join()).not.toContain('hunter2');
});

/** The lines of kcat in the guide, and weir's. */
const kcatLines = readPage('docs/guides/coming-from.md').lines.flatMap((line) => {
  const [, kcat, weir] = /\| `kcat ([^`]+)` \| `([^`]+)` \|$/.exec(line) ?? [];
  return kcat === undefined || weir === undefined
    ? []
    : [{ kcat: kcat.replace(/ < .*/, ''), weir: weir.replace(/ < .*/, '') }];
});

test.each(kcatLines)('kcat $kcat is translated as in the guide', async ({ kcat, weir }) => {
  const [typed, ...others] = await hintsOf(`kcat ${kcat}`);
  expect(others).toEqual([]);
  expect(typed?.replaceAll("'", '')).toBe(`type: ${weir.replaceAll("'", '')}`);
});

test('kcat options in one word, or without a space, mean the same; what is left out is said', async () => {
  expect(await hintsOf('kcat -CJt orders -p1 -b b:9092 -q')).toEqual([
    'type: weir topic consume orders -p 1 -X brokers=b:9092',
  ]);
  expect(await hintsOf('kcat -C -t orders -E -X security.protocol=SSL')).toEqual([
    "type: weir topic consume orders -f '%v\\n'",
    expect.stringMatching(
      /^without an equivalent here: -E -X security.protocol; find each command with: weir help kcat$/,
    ),
  ]);
});

test.each<readonly [string, OtherTool]>([
  ['rpk', 'rpk'],
  ['kcat', 'kcat'],
  ['kafkacat -P', 'kcat'],
  ['kaf topics', 'kaf'],
  ['kafkactl get topics', 'kafkactl'],
  ['kafka-topics.sh --list', 'kafka-scripts'],
  ['kafka-topics', 'kafka-scripts'],
  ['confluent kafka topic list', 'confluent'],
  ['kafka-avro-console-consumer --topic orders', 'confluent'],
])('weir %s points to weir help %s, which has the rows of the guide', async (line, subject) => {
  expect((await hintsOf(line)).at(-1)).toBe(`find each command with: weir help ${subject}`);
  const { stdout, exitCode } = await run(`help ${line.split(' ')[0]}`);
  expect(exitCode).toBe(0);
  const plain = (cell: string) => cell.replaceAll('`', '');
  for (const cells of equivalents[subject].rows)
    expect(stdout).toContain(`  ${plain(cells.at(subject === 'rpk' ? 0 : -1) ?? '').split(': ')[0]}`);
});

test('weir help kcat has the line of kcat above that of weir, without marks', async () => {
  const { stdout } = await run('help kcat');
  expect(stdout).toContain('\n  # see brokers and topics: kcat -L\n  weir cluster info -b -d\n');
  const kaf = await run('help kaf');
  expect(kaf.stdout).toContain('\n  # kaf topic update orders -p 6\n  weir topic add-partitions orders --to 6\n');
});

test('weir kcl points to the help: nothing translates its lines', async () => {
  expect(await hintsOf('kcl misc')).toEqual(['find the command in: weir --help']);
});
