import type { Migration } from '../../../admin/storage/storage-rows.ts';
import { referenceName } from '../../../admin/storage/storage-words.ts';
import type { Column } from '../../../cli/forms/columns.ts';
import type { Context } from '../../../context.ts';
import { CliError, withHints } from '../../../errors.ts';
import { healthCell } from '../../../format/style.ts';
import type { Cell } from '../../../format/table.ts';
import { showUtcTime } from '../../../format/time.ts';
import { described, listOf, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';
import { type WaitValues, waitFor } from '../wait.ts';

/** A mount or unmount as it is printed. */
export const ShownMigration = row({
  id: whole,
  state: string,
  /** `inbound` (mount) or `outbound` (unmount). */
  type: string,
  topics: listOf(string),
  /** The names of the topics after a mount; null for an unmount. */
  mounted_as: maybe(listOf(string)),
  created_timestamp: maybe(described(whole, 'milliseconds since the epoch')),
  completed_timestamp: maybe(described(whole, 'milliseconds since the epoch')),
});
export type ShownMigration = RowOf<typeof ShownMigration>;

/** The row of a mount or unmount. */
export function migrationRow({ id, state, type, topics, created, completed }: Migration): ShownMigration {
  return {
    id,
    state,
    type,
    topics: topics.map(({ source }) => referenceName(source)),
    mounted_as: type === 'inbound' ? topics.map(({ source, alias }) => referenceName(alias ?? source)) : null,
    created_timestamp: created,
    completed_timestamp: completed,
  };
}

const firstColumns: readonly Column<ShownMigration>[] = [
  'id',
  ['state', ({ state }) => stateCell(state)],
  ['migration', ({ type }) => type],
];

/** The columns of rpk. A topic that a mount renames has both names: `orders → orders-2`. */
export const migrationColumns: readonly Column<ShownMigration>[] = [
  ...firstColumns,
  ['topics', ({ topics, mounted_as: names }) => topics.map((topic, at) => renamed(topic, names?.[at])).join(', ')],
];

/** The same with the names after the mount in a column of their own, and times. */
export const wideMigrationColumns: readonly Column<ShownMigration>[] = [
  ...firstColumns,
  ['topics', ({ topics }) => topics.join(', ')],
  ['mounted as', ({ mounted_as: names }) => names?.join(', ')],
  ['created', (one) => timeCell(one.created_timestamp)],
  ['completed', (one) => timeCell(one.completed_timestamp)],
];

function renamed(topic: string, mountedAs: string | undefined): string {
  return mountedAs === undefined || mountedAs === topic ? topic : `${topic} → ${mountedAs}`;
}

function stateCell(state: string): Cell {
  if (state === 'finished') return healthCell(state, 'good');
  return state.startsWith('cancel') ? state : healthCell(state, 'pending');
}

/** The last time that JavaScript has a date for, in milliseconds since the epoch. */
const lastDate = 8.64e15;

function timeCell(epochMs: number | null): string | null {
  return epochMs === null || Math.abs(epochMs) > lastDate ? null : showUtcTime(epochMs);
}

/** Reads a mount or unmount. */
export async function readMigration(context: Context, id: number): Promise<Migration> {
  try {
    return await (await context.admin()).migration(id);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'NOT_FOUND') throw error;
    throw withHints(error, ['see the migrations with: weir cluster storage list-mount']);
  }
}

/** States in which a migration that does not advance by itself waits for somebody. */
const resting: readonly string[] = ['planned', 'prepared', 'executed'];

/** Waits until a mount or unmount is finished. */
export async function waitUntilFinished(context: Context, id: number, values: WaitValues): Promise<Migration> {
  const admin = await context.admin();
  return waitFor<Migration>(context, values, {
    what: `migration ${id}`,
    resumeWith: `weir cluster storage status-mount ${id} --wait`,
    show: ({ state }) => state,
    start: (options) =>
      admin.waitForMigration(id, {
        ...options,
        onProgress(migration) {
          if (migration.advances === false && resting.includes(migration.state))
            context.warnOnce(`migration ${id} does not advance by itself: it waits for another tool`);
          options.onProgress(migration);
        },
      }),
  });
}

/** Waits until a mount or unmount is canceled. */
export async function waitUntilCanceled(context: Context, id: number, values: WaitValues): Promise<Migration> {
  const admin = await context.admin();
  return waitFor<Migration>(context, values, {
    what: `the cancellation of migration ${id}`,
    resumeWith: `weir cluster storage cancel-mount ${id} --wait`,
    show: ({ state }) => state,
    start: (options) => admin.waitForCancel(id, options),
  });
}
