import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Command, command, entry } from '../../src/cli/command.ts';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { failedItems } from '../../src/cli/output/failed-items.ts';
import { outputSchema } from '../../src/cli/output/output-schema.ts';
import { commands } from '../../src/commands/index.ts';
import type { ItemError } from '../../src/errors.ts';
import { plainView } from '../../src/format/view.ts';
import { itemError } from '../../src/shape/item-error.ts';
import { type JsonSchema, listOf, row, string } from '../../src/shape/shape.ts';
import { run } from '../world.ts';

const failure: ItemError = { code: 'X', number: null, message: 'why', retryable: false, exit_code: 1 };

let texts = 0;

const errorSchema = itemError.schema();

/** Whether a schema is that of the `error` of an item. */
function isItemError(schema: unknown): boolean {
  return isDeepStrictEqual(schema, errorSchema);
}

/** A result that fits the schema. Of each list of items, one fails after one that does not, if `fails`. */
function resultOf(schema: JsonSchema, fails: boolean): unknown {
  if (isItemError(schema)) return fails ? failure : null;
  const { anyOf, items, properties, type } = schema;
  if (Array.isArray(anyOf)) return fails ? null : resultOf(anyOf[0], fails);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (items !== undefined) return [false, fails].map((failed) => resultOf(items as JsonSchema, failed));
  if (properties !== undefined) {
    const entries = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
    return Object.fromEntries(entries.map(([key, inner]) => [key, resultOf(inner, fails)]));
  }
  if (type === 'integer' || type === 'number') return 1;
  return type === 'boolean' ? false : String(++texts);
}

function hasErrors(schema: unknown): boolean {
  if (isItemError(schema)) return true;
  return typeof schema === 'object' && schema !== null && Object.values(schema).some(hasErrors);
}

function hasItems(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('items' in schema && hasErrors(schema.items)) return true;
  return Object.values(schema).some(hasItems);
}

/** A line below a table, and not a row of it. */
function isSentence(line: string): boolean {
  return / /.test(line) && !line.includes('  ');
}

/** What the tables of a text whose last column has this name say in it. */
function lastCells(text: string, header: string): readonly string[] {
  const cells: string[] = [];
  let at = -1;
  for (const line of text.split('\n')) {
    if (line.endsWith(`  ${header}`)) at = line.length - header.length;
    else if (line === '' || isSentence(line)) at = -1;
    // What stands below a row of a plan belongs to no column.
    else if (at >= 0 && !line.startsWith('    ')) cells.push(line.slice(at));
  }
  return cells;
}

const leaves = leavesOf(await walkTree(commands)).map(({ path, command }) => ({ path: path.join(' '), command }));
const failing = leaves.filter(({ command }) => hasItems(outputSchema(command)));

/** What the texts of some commands repeat of the line. */
const given = { dryRun: false, topic: { topic: 'a' }, places: [] };

function textsOf(command: Command, fails: boolean): readonly string[] {
  const { show } = command;
  const result = resultOf(outputSchema(command), fails);
  return [show.text, show.wide ?? show.text].map((textOf) => [...textOf(result, plainView, given)].join(''));
}

test.each(failing)('$path: the first failed item is reported where the table is not seen', ({ command }) => {
  expect(failedItems(resultOf(outputSchema(command), true), 1)?.message).toMatch(/X: why( \(\d+ of \d+ failed.*\))?$/);
  expect(failedItems(resultOf(outputSchema(command), false), 1)).toBeUndefined();
});

test.each([
  [[{ topic: 'a', error: failure }], 'a: X: why'],
  [
    [
      { topic: 'a', error: null },
      { topic: 'b', error: failure },
    ],
    'b: X: why (1 of 2 failed)',
  ],
  [[...'abcde'].map((topic) => ({ topic, error: failure })), 'a: X: why (5 of 5 failed: a, b, c and 2 more)'],
  [[{ topic: 'a', partitions: [{ partition: 1, broker: 2, error: failure }] }], 'a: broker 2: X: why'],
])('%j is reported as %s', (result, message) => {
  expect(failedItems(result, 1)).toMatchObject({ message, passesLater: false });
});

test.each([
  [5, ''],
  [30, 'weir: a: X: why\n'],
])('of a result of %d lines, a terminal of 24 lines shows as well: %j', async (lines, stderr) => {
  const show = command({
    summary: 'Show',
    examples: [
      ['One', 'show'],
      ['Two', 'show -v'],
    ],
    changes: 'reads',
    result: listOf(row({ name: string, error: itemError })),
    run: () => [{ name: 'a', error: failure }],
    show: { text: () => 'x\n'.repeat(lines) },
  });
  const commands = [entry('show', 'Show', async () => show)];
  expect(await run('show', { commands, terminal: { stdout: true } })).toMatchObject({ exitCode: 1, stderr });
});

test('whether the first failed item passes later is reported', () => {
  const errors = [true, false].map((retryable) => ({ error: { ...failure, retryable } }));
  expect(failedItems(errors, 5)).toMatchObject({ passesLater: true });
});

describe('the last column of a table of items', () => {
  test.each(failing)('$path: ERROR is empty for a success, and STATUS is not', ({ command }) => {
    for (const text of textsOf(command, true)) {
      expect(text).toContain('why');
      expect(lastCells(text, 'ERROR').filter((cell) => !['', 'X: why'].includes(cell))).toEqual([]);
      expect(lastCells(text, 'STATUS')).not.toContain('');
    }
    for (const text of textsOf(command, false)) {
      expect(lastCells(text, 'ERROR').filter((cell) => cell !== '')).toEqual([]);
      expect(lastCells(text, 'STATUS')).not.toContain('');
    }
  });

  test.each([
    'topic trim-prefix',
    'cluster logdirs describe',
    'cluster txn describe-producers',
    'cluster partitions move',
    'security acl create',
    'security acl list',
    'security acl delete',
    'registry schema list',
    'registry subject delete',
    'registry compatibility-level get',
    'registry compatibility-level set',
    'registry mode get',
    'registry mode set',
    'registry mode reset',
  ])('%s: ERROR is there without a failure too, because it is in rpk', (path) => {
    const found = leaves.find((leaf) => leaf.path === path);
    expect(found && textsOf(found.command, false)[0]).toMatch(/ {2}ERROR\n/);
  });
});
