import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { publishedSchema } from '../../src/cli/output/output-schema.ts';
import { commands } from '../../src/commands/index.ts';
import { exitCodeMeanings, exitCodes } from '../../src/errors.ts';
import type { JsonSchema } from '../../src/shape/shape.ts';
import { services } from '../services/services.ts';
import { openStage } from '../transcripts/stage.ts';
import { type Outcome, run, splitLine, temporaryDirectory } from '../world.ts';

// The conventions O1 to O9. Those that are not here are proved where the code is, in tests that begin with the same ids.

const leaves = leavesOf(await walkTree(commands.filter(({ hidden }) => !hidden))).filter(
  ({ command }) => !command.hidden,
);
const nowhere = '127.0.0.1:1';
const unreachable = {
  WEIR_BROKERS: nowhere,
  WEIR_ADMIN_HOSTS: nowhere,
  WEIR_REGISTRY_HOSTS: nowhere,
  WEIR_CLOUD_API_URL: `http://${nowhere}`,
  WEIR_CLOUD_INSECURE_HTTP: 'true',
  WEIR_CLOUD_TOKEN: 'token',
  WEIR_GLOBALS_RETRY_TIMEOUT: '0s',
};

/** They start services, wait for a person, look up names of the internet, or need a terminal for text. */
const notAlone = /^(sandbox start|cloud login|top$|cloud byoc (install|(aws|azure|gcp) ))/;

/** The first example of each command, as far as its first pipe, and without what the shell redirects. */
const lines = leaves
  .map(({ command }) => command.examples[0]?.[1] ?? '')
  .map((line) => line.split(/ [|<>]+ /)[0] ?? '')
  .filter((line) => !notAlone.test(line));

/** Runs a line on an empty machine from which no service can be reached. */
async function runAlone(line: string, format: string): Promise<Outcome> {
  const home = temporaryDirectory();
  return await run([...splitLine(line), '--yes', '--format', format], { home, env: { HOME: home, ...unreachable } });
}

describe('O1, O2, O3, O5: where no service can be reached,', () => {
  test.each(lines)(
    '%s prints data or one object with an error, and the same exit code in every format',
    async (line) => {
      const text = await runAlone(line, 'text');
      const json = await runAlone(line, 'json');
      expect(json.exitCode).toBe(text.exitCode);
      expect(json.stdout + json.stderr).not.toContain('\u001b');
      for (const { stdout } of [text, json]) expect(stdout === '' || stdout.endsWith('\n')).toBe(true);
      if (json.stdout !== '') {
        expect(json.stdout.trimEnd()).not.toContain('\n');
        expect(() => JSON.parse(json.stdout)).not.toThrow();
        return;
      }
      const { error, ...rest } = JSON.parse(json.stderr);
      expect(rest).toEqual({});
      expect(Object.keys(error)).toEqual(['code', 'message', 'hint', 'target', 'retryable']);
      expect(text.stderr).toMatch(/^weir: \S/);
    },
  );

  // What prints YAML is the same for all.
  test.each(['profile list', 'topic list', 'version'])('%s prints YAML with the same content', async (line) => {
    const [json, yaml] = [await runAlone(line, 'json'), await runAlone(line, 'yaml')];
    expect(yaml.exitCode).toBe(json.exitCode);
    expect(parse(yaml.stdout + yaml.stderr)).toEqual(JSON.parse(json.stdout + json.stderr));
  });
});

const stage = await openStage(['brokers=3']);
afterAll(() => stage.close());
const on = (line: string) => run(line, { env: stage.env });
await on('topic create orders cats zebras apples -p 4 -r 2');
await on('topic create Ärger -p 1');
for (const topic of ['orders', 'apples']) {
  const records = { env: stage.env, stdin: 'a\nb\nc\nd\n' };
  await run(`topic produce ${topic} -p 1`, records);
  await run(`topic consume ${topic} -g ${topic === 'orders' ? 'a-group' : 'z-group'} -n 2`, records);
}

test.each<[number, string, Readonly<Record<string, string>>?]>([
  [exitCodes.ok, 'topic list'],
  [exitCodes.failure, 'topic create orders-5 -r 9'],
  [exitCodes.usage, 'topic create orders-5 -p many'],
  [exitCodes.notFound, 'topic describe nope'],
  [exitCodes.auth, 'topic list -X user=nobody -X pass=wrong', { WEIR_BROKERS: services().sasl }],
  [exitCodes.unreachable, 'topic list', unreachable],
  [exitCodes.conflict, 'topic create orders'],
  [exitCodes.checkFailed, 'group lag a-group --fail-above 0'],
])('O4: exit code %d, for example of %s', async (expected, line, env = stage.env) => {
  expect(exitCodeMeanings.map(([code]) => code)).toContain(expected);
  for (const format of ['text', 'json'])
    expect(await run(`${line} --format ${format} --quiet`, { env })).toMatchObject({ exitCode: expected });
});

test('O4: weir help exit-codes has a line for each code, and no other', async () => {
  const { stdout } = await run('help exit-codes');
  const shown = [...stdout.matchAll(/^ +(\d+) /gm)].map(([, code]) => Number(code));
  expect(shown).toEqual(Object.values(exitCodes).sort((one, other) => one - other));
});

test.each([
  'topic list',
  'topic list -d',
  'topic describe -r .*',
  'cluster info -b -d',
  'group list',
  'group describe -r .*',
])('O6: %s prints the same bytes twice, sorted', async (line) => {
  for (const format of ['text', 'json', 'yaml']) {
    const first = await on(`${line} --format ${format}`);
    expect(first).toMatchObject({ exitCode: 0 });
    expect(await on(`${line} --format ${format}`)).toEqual(first);
  }
  const rows: unknown = JSON.parse((await on(`${line} --format json`)).stdout);
  for (const list of listsIn(rows)) expect(list).toEqual(list.toSorted(inOrder));
});

/** The names, or the numbers, of the items of every list in a value. */
function listsIn(value: unknown): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value)) return Object.values(value).flatMap(listsIn);
  const names = value.map((item) => item?.partition ?? item?.name ?? item?.group ?? item?.node_id ?? item);
  const areNames = names.every((name) => typeof name === 'string' || typeof name === 'number');
  // Configs keep the order of their sources; partitions are sorted within their topic.
  const one = areNames && new Set(value.map((item) => item?.topic)).size <= 1;
  return [...(one ? [names] : []), ...value.flatMap(listsIn)];
}

function inOrder(one: string | number, other: string | number): number {
  return one < other ? -1 : Number(one > other);
}

test('O7: every size, time and duration of JSON is a number whose unit is in its name or its description, or RFC 3339', () => {
  const faults = leaves.flatMap(({ path, command }) =>
    scalarsIn(publishedSchema(path, command))
      .filter(([name, schema]) => {
        if (!/(^|_)(size|time|timestamp|duration)$/.test(name) || schema.type === 'string') return false;
        return !/byte|second|epoch/.test(String(schema.description));
      })
      .map(([name, schema]) => `${path.join(' ')}: ${name} is ${JSON.stringify(schema)}`),
  );
  expect(faults).toEqual([]);
});

/** The fields of a schema that are numbers or texts, by name, without what else they may be, such as null. */
function scalarsIn(schema: JsonSchema, name = ''): readonly (readonly [string, JsonSchema])[] {
  const { properties = {}, items, anyOf, type, description } = schema as SchemaParts;
  return [
    ...Object.entries(properties).flatMap(([key, value]) => scalarsIn(value, key)),
    ...(items === undefined ? [] : scalarsIn(items)),
    ...(anyOf ?? []).flatMap((choice) => scalarsIn({ description, ...choice }, name)),
    ...(type === 'integer' || type === 'number' || type === 'string' ? [[name, schema] as const] : []),
  ];
}

interface SchemaParts extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

test('O7: -H changes the sizes of text only', async () => {
  const env = { WEIR_BROKERS: services().plaintext };
  await run('topic create manners-sizes', { env });
  const sizes = async (flag: string) => {
    const line = `cluster logdirs describe --topics manners-sizes --format json ${flag}`;
    return JSON.parse((await run(line, { env })).stdout).map(({ size }: { size: unknown }) => size);
  };
  await expect.poll(() => sizes(''), { timeout: 60_000 }).toEqual([0]);
  expect(await sizes('-H')).toEqual([0]);
});

test.each(['topic list', 'group list', 'topic describe orders -p'])(
  'O9: %s has headers without spaces, and --no-headers leaves them out',
  async (line) => {
    const [header = '', ...rows] = (await on(line)).stdout.trimEnd().split('\n');
    expect(header).toMatch(/^[A-Z0-9-]+( {2,}[A-Z0-9-]+)*$/);
    expect(rows).not.toEqual([]);
    const bare = (await on(`${line} --no-headers`)).stdout.trimEnd().split('\n');
    expect(bare.map(cells)).toEqual(rows.map(cells));
  },
);

function cells(row: string): readonly string[] {
  return row.trim().split(/ {2,}/);
}
