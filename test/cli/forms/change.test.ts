import { describe, expect, test } from 'vitest';
import { apiFlag } from '../../../src/cli/by-api.ts';
import { type Command, many } from '../../../src/cli/command.ts';
import { type Applied, change, changeByApi, ifExists } from '../../../src/cli/forms/change.ts';
import type { Context } from '../../../src/context.ts';
import { exitCodes, type ItemError } from '../../../src/errors.ts';
import { plainView } from '../../../src/format/view.ts';
import { text } from '../../../src/kinds.ts';
import { maybe, read, row, string, whole } from '../../../src/shape/shape.ts';

const notices: string[] = [];
const context = { noticeAfter: (line: string) => notices.push(line) } as unknown as Context;

function failed(code: string, exit_code: ItemError['exit_code']): ItemError {
  return { code, number: null, message: `it is ${code}`, retryable: false, exit_code };
}

const gone = failed('GONE', exitCodes.notFound);
const stuck = failed('STUCK', exitCodes.conflict);

/** What a command of the form is called with, and what it changed. */
interface Trial {
  readonly command: Command;
  /** The names of the doors that `apply` got, call by call. */
  readonly applied: string[][];
}

/** `door open`: `a` can be opened, `o` is open, `l` is locked (known to the plan), `g` is gone (known when it is opened). */
function trial(more: Partial<Parameters<typeof change>[0]> = {}): Trial {
  const applied: string[][] = [];
  const command = change({
    summary: 'Open doors',
    examples: [],
    args: { doors: many(text, 'DOOR') },
    flags: { ifExists },
    changes: 'alters',
    noun: 'door',
    item: row({ door: string, opened_at: maybe(whole) }),
    plan: (_context, { doors }) =>
      doors.map((door) => ({
        ...{ door, opened_at: null, secret: `key of ${door}` },
        ...(door === 'o' && { status: 'NOT_NEEDED' as const }),
        ...(door === 'l' && { error: stuck }),
      })),
    asks: (doors) => `Open ${doors.length} doors`,
    async apply(_context, doors): Promise<Applied<{ opened_at: number | null }>[]> {
      applied.push(doors.map(({ door }) => door));
      return doors.map(({ door, secret }) =>
        door === 'g' ? { error: gone } : { opened_at: secret === `key of ${door}` ? 7 : null },
      );
    },
    would: ({ door }) => `be opened with the key of ${door}`,
    notNeeded: 'is open',
    ...(more as object),
  });
  return { command, applied };
}

interface Call {
  readonly doors?: readonly string[];
  readonly dryRun?: boolean;
  readonly ifExists?: boolean;
}

async function rowsOf({ command }: Pick<Trial, 'command'>, call: Call): Promise<unknown> {
  const values = { ifExists: false, dryRun: false, ...call };
  const plan = await command.plan?.(context, values);
  const step = values.dryRun ? command.dryRun : command.run;
  return step?.(context, values, plan);
}

async function textOf({ command }: Pick<Trial, 'command'>, call: Call): Promise<string> {
  const values = { ifExists: false, dryRun: false, ...call };
  return String(command.show.text(await rowsOf({ command }, call), plainView, values));
}

async function askedOf({ command }: Pick<Trial, 'command'>, doors: readonly string[]): Promise<unknown> {
  const values = { doors, ifExists: false, dryRun: false };
  return command.confirm?.(context, values, await command.plan?.(context, values));
}

describe('a change', () => {
  test('applies only what needs it, and each row ends with its outcome, in the order of the plan', async () => {
    const { command, applied } = trial();
    const rows = await rowsOf({ command }, { doors: ['g', 'o', 'a', 'l'] });
    expect(applied).toEqual([['g', 'a']]);
    expect(JSON.stringify(rows)).toBe(
      JSON.stringify([
        { door: 'g', opened_at: null, status: 'ERROR', dry_run: false, error: gone },
        { door: 'o', opened_at: null, status: 'NOT_NEEDED', dry_run: false, error: null },
        { door: 'a', opened_at: 7, status: 'OK', dry_run: false, error: null },
        { door: 'l', opened_at: null, status: 'ERROR', dry_run: false, error: stuck },
      ]),
    );
    expect(read(command.result, rows)).toEqual(rows);
  });

  test('shows the plan in a dry run, and applies nothing', async () => {
    const { command, applied } = trial();
    expect(await textOf({ command }, { doors: ['a', 'o', 'l'], dryRun: true })).toBe(
      'DOOR  OPENED-AT  STATUS\n' +
        'a     -          OK (dry run: would be opened with the key of a)\n' +
        'o     -          OK (is open)\n' +
        'l     -          STUCK: it is STUCK\n',
    );
    expect(applied).toEqual([]);
  });

  test('shows in a dry run what the cluster says of what could be changed', async () => {
    const asked: string[][] = [];
    const validate = async (_context: Context, doors: readonly { readonly door: string }[]) => {
      asked.push(doors.map(({ door }) => door));
      return doors.map(() => ({ error: stuck }));
    };
    const { command, applied } = trial({ validate } as never);
    expect(await rowsOf({ command }, { doors: ['a', 'o'], dryRun: true })).toMatchObject([
      { status: 'ERROR', dry_run: true, error: { code: 'STUCK' } },
      { status: 'NOT_NEEDED', dry_run: true, error: null },
    ]);
    expect([asked, applied]).toEqual([[['a']], []]);
  });

  test('does not ask about nothing, and has the name of the only item typed, or how many there are', async () => {
    expect(await askedOf(trial(), ['o', 'l'])).toBeNull();
    expect(await askedOf(trial(), ['o', 'a'])).toEqual({ question: 'Open 1 doors', name: 'a' });
    expect(await askedOf(trial(), ['a', 'b', 'l'])).toEqual({ question: 'Open 2 doors', name: '2 doors' });
    const asks = () => ({ question: 'Really', name: 'yes' });
    expect(await askedOf(trial({ asks }), ['a'])).toEqual({ question: 'Really', name: 'yes' });
    expect(await askedOf(trial({ asks: () => null }), ['a'])).toBeNull();
  });

  test('shows the plan above the question, with what cannot be changed', async () => {
    expect(await askedOf(trial({ previews: true }), ['a', 'l'])).toMatchObject({
      preview: 'DOOR  OPENED-AT  ERROR\na     -          \nl     -          STUCK: it is STUCK\n'.replace(
        / +\n/g,
        '\n',
      ),
    });
  });

  test('has several lines for an item, in the table and above the question', async () => {
    const lines = (row: { readonly opened_at: number | null }) => [row, { ...row, opened_at: 5 }];
    const { command } = trial({ lines, previews: true } as never);
    expect(await textOf({ command }, { doors: ['a'] })).toBe(
      'DOOR  OPENED-AT  STATUS\na     7          OK\na     5          OK\n',
    );
    expect(await askedOf({ command }, ['a'])).toMatchObject({ preview: 'DOOR  OPENED-AT\na     -\na     5\n' });
  });

  test('with --if-exists, what does not exist needs no change, and other failures stay', async () => {
    const rows = await rowsOf(trial(), { doors: ['g', 'l'], ifExists: true });
    expect(rows).toMatchObject([
      { door: 'g', status: 'NOT_NEEDED', error: null },
      { door: 'l', status: 'ERROR', error: { code: 'STUCK' } },
    ]);
    expect(await textOf(trial({ notNeeded: undefined } as never), { doors: ['g'], ifExists: true })).toBe(
      'DOOR  OPENED-AT  STATUS\ng     -          OK (does not exist)\n',
    );
  });

  test('ends with a column ERROR that is empty for success, where rpk has it; a dry run has STATUS', async () => {
    const { command } = trial({ ends: 'error', columns: ['door'] } as never);
    expect(await textOf({ command }, { doors: ['a', 'l'] })).toBe('DOOR  ERROR\na\nl     STUCK: it is STUCK\n');
    expect(await textOf({ command }, { doors: ['a'], dryRun: true })).toContain('STATUS\na     OK (dry run: would');
    expect(notices).toEqual([]);
    expect(await textOf({ command }, { doors: ['a', 'o'] })).toBe('DOOR  ERROR\na\no\n');
    expect(notices).toEqual(['1 door needed no change']);
  });

  test('of one thing is one object', async () => {
    const { command } = trial({
      isOne: true,
      apply: async (_context: Context, doors: readonly { readonly door: string }[]) =>
        doors.map(({ door }) => ({ opened_at: door.length })),
    } as never);
    const result = await rowsOf({ command }, { doors: ['a'] });
    expect(result).toEqual({ door: 'a', opened_at: 1, status: 'OK', dry_run: false, error: null });
    expect(read(command.result, result)).toEqual(result);
  });

  test('that goes on by itself is followed with all its items, unless it is a dry run', async () => {
    const followed: unknown[] = [];
    const follow = async (_context: Context, doors: readonly object[]) => {
      followed.push(doors);
      return doors.map((_, at) => (at === 0 ? { error: stuck } : { opened_at: 9 }));
    };
    const { command } = trial({ follow } as never);
    await rowsOf({ command }, { doors: ['a'], dryRun: true });
    expect(followed).toEqual([]);
    expect(await rowsOf({ command }, { doors: ['a', 'o'] })).toMatchObject([
      { door: 'a', opened_at: 7, status: 'ERROR', error: stuck },
      { door: 'o', opened_at: 9, status: 'NOT_NEEDED', error: null },
    ]);
    expect(followed).toMatchObject([[{ door: 'a', secret: 'key of a', opened_at: 7 }, { door: 'o' }]]);
  });

  test('says more about its rows when they are known', async () => {
    const seen: unknown[] = [];
    const after = (_context: Context, rows: readonly object[]) => void seen.push(rows);
    await rowsOf(trial({ after } as never), { doors: ['o'] });
    expect(seen).toMatchObject([[{ door: 'o', status: 'NOT_NEEDED' }]]);
  });
});

test('a change that two APIs can make is planned, asked about and made by the chosen one', async () => {
  const command = changeByApi({
    summary: 'Name things',
    examples: [],
    args: { names: many(text, 'NAME') },
    flags: { api: apiFlag },
    changes: 'creates',
    noun: 'thing',
    item: row({ name: string, api: maybe(string) }),
    read: (_context, { names }) => ({ names: names.toSorted() }),
    kafka: {
      help: 'Over kafka.',
      plan: (_context, { names }) => names.map((name) => ({ name, api: null, topic: 'kafka' })),
      asks: () => 'Through kafka',
      apply: async (_context, items) => items.map(({ topic }) => ({ api: topic })),
    },
    admin: {
      help: 'Over admin.',
      plan: (_context, { names }) => names.map((name) => ({ name, api: null, route: 'admin' })),
      asks: () => 'Through admin',
      applyEach: async (_context, { route }) => ({ api: route }),
    },
  });
  expect(command.description).toContain('Over kafka. Over admin.');
  for (const api of ['kafka', 'admin']) {
    const values = { names: ['b', 'a'], api, dryRun: false };
    const plan = await command.plan?.(context, values);
    expect(await command.confirm?.(context, values, plan)).toMatchObject({ question: `Through ${api}`, api });
    expect(await command.run(context, values, plan)).toMatchObject([
      { name: 'a', api, status: 'OK' },
      { name: 'b', api },
    ]);
  }
});
