import type { Migration, NewMigration } from '../../../admin/storage/storage-rows.ts';
import { referenceName } from '../../../admin/storage/storage-words.ts';
import type { Context } from '../../../context.ts';
import { CliError, withHints } from '../../../errors.ts';
import { healthCell } from '../../../format/style.ts';
import { type Cell, table } from '../../../format/table.ts';
import { showUtcTime } from '../../../format/time.ts';
import type { View } from '../../../format/view.ts';
import { described, listOf, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';
import { type WaitValues, waitFor } from '../waiting.ts';

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

/** The names of a mount or unmount that has not started. */
export function plannedRow({
  type,
  source,
  alias,
}: NewMigration): Pick<ShownMigration, 'type' | 'topics' | 'mounted_as'> {
  const mountedAs = type === 'inbound' ? [referenceName(alias ?? source)] : null;
  return { type, topics: [referenceName(source)], mounted_as: mountedAs };
}

/** Mounts and unmounts with the columns of rpk. A topic that a mount renames has both names: `orders → orders-2`. */
export function migrationTable(rows: readonly ShownMigration[], view: View): string {
  return table(
    ['id', 'state', 'migration', 'topics'],
    rows.map((row) => [
      ...cellsOf(row),
      row.topics.map((topic, at) => renamed(topic, row.mounted_as?.[at])).join(', '),
    ]),
    view,
  );
}

/** The same with the names after the mount in a column of their own, and times. */
export function wideMigrationTable(rows: readonly ShownMigration[], view: View): string {
  return table(
    ['id', 'state', 'migration', 'topics', 'mounted as', 'created', 'completed'],
    rows.map((row) => [
      ...cellsOf(row),
      row.topics.join(', '),
      row.mounted_as?.join(', '),
      timeCell(row.created_timestamp),
      timeCell(row.completed_timestamp),
    ]),
    view,
  );
}

function cellsOf({ id, state, type }: ShownMigration): readonly Cell[] {
  return [id, stateCell(state), type];
}

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
