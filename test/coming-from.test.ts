import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';
import { readPage } from './guides/blocks.ts';
import { type Machine, newMachine } from './guides/machine.ts';
import { services } from './services/services.ts';

const page = readPage('docs/guides/coming-from.md');

/** The names of the guide, as no other test has them. */
const names: readonly (readonly [string, string])[] = [
  ['orders', 'orders-moved'],
  ['billing', 'billing-moved'],
  ['ana', 'ana-moved'],
];
const ownNames = (line: string) =>
  names.reduce((text, [shown, own]) => text.replaceAll(new RegExp(`\\b${shown}\\b(?!\\.)`, 'g'), own), line);

/** The rows of the tables: what else is typed there, and weir's line. */
const rows = page.lines.flatMap((line, at) => {
  if (!line.startsWith('| ')) return [];
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
  const codes = cells.flatMap((cell) => /^`([^`…]+)`/.exec(cell)?.[1] ?? []);
  const weir = codes.find((code) => /(^|\| )weir /.test(code));
  return weir === undefined ? [] : [{ at: at + 1, weir, kcat: codes.find((code) => code.startsWith('kcat ')) }];
});

/** Lines that need something else than the brokers; other guides run them. */
const elsewhere =
  /^weir (cluster brokers|sandbox|debug|profile use|profile create|rpk|registry)|--use-schema-registry|--schema-id|\| weir registry/;

/** Lines that end only when they are interrupted. */
const isEndless = (line: string) => /topic consume/.test(line) && !/-n \d|:end|-o @/.test(line);

const files = {
  'lines.txt': 'first\nsecond\nthird\n',
  'pairs.txt': 'ana:espresso\nben:latte\ncai:\n',
  'password.txt': 'secret\n',
};

const machine = await newMachine({ files, env: () => ({ WEIR_BROKERS: services().plaintext }) });

/** What every line finds: the topic with records in both partitions, and the committed offsets of the group. */
async function prepare(on: Machine): Promise<void> {
  for (const line of [
    'weir topic create orders -p 2 --if-not-exists',
    'weir topic produce orders -p 0 < lines.txt',
    'weir topic produce orders -p 1 < lines.txt',
    'weir topic consume orders -g billing -n 2',
  ])
    expect(await on.runLine(ownNames(line)), line).toMatchObject({ exitCode: 0 });
}

afterAll(async () => {
  for (const line of [
    'weir topic delete orders',
    'weir topic delete orders-copy',
    'weir group delete billing',
    'weir security user delete ana',
    'weir security acl delete --allow-principal ana --allow-principal sa-1 --yes',
  ])
    await machine.runLine(ownNames(line));
});

describe('a line of the guide for people who come from other programs', { shuffle: false }, () => {
  let isThere = false;

  const once = [...new Map(rows.map((row) => [row.weir, row])).values()];

  test.each(once.filter(({ weir }) => !elsewhere.test(weir)))('works in line $at: $weir', async ({ weir }) => {
    if (!isThere) await prepare(machine);
    const { exitCode, text } = await machine.runLine(ownNames(weir), isEndless(weir) ? '^C\n' : '');
    expect({ text, exitCode }).toEqual({ text, exitCode: isEndless(weir) ? 130 : 0 });
    isThere = !/(topic|group) (delete|offset-delete)|trim-prefix/.test(weir);
    if (/user create/.test(weir)) await machine.runLine(ownNames('weir security user delete ana'));
  });

  test.each(rows.filter(({ kcat = '' }) => /-e( |$)/.test(kcat)))(
    'prints the same as $kcat',
    async ({ weir, kcat = '' }) => {
      await prepare(machine);
      const config = join(machine.home, 'kcat.conf');
      writeFileSync(config, `bootstrap.servers=${services().plaintext}\n`);
      const { stdout } = await execa('bash', ['-c', `${ownNames(kcat)} -q`], { env: { KCAT_CONFIG: config } });
      const { text } = await machine.runLine(ownNames(weir));
      const printed = kcat.endsWith('-J') ? [stdout, text].map(valuesOf) : [stdout, text].map(sorted);
      expect(printed[1]).toEqual(printed[0]);
    },
  );
});

/** The lines of an output, whose partitions come in any order. */
function sorted(text: string): readonly string[] {
  return text.trimEnd().split('\n').sort();
}

/** The values of records in JSON, which both programs give other names. */
function valuesOf(text: string): readonly string[] {
  const values = sorted(text).map((line) => {
    const { payload, value } = JSON.parse(line);
    return String(payload ?? value);
  });
  return values.sort();
}
