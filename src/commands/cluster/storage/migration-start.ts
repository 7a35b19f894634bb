import type { Migration, MountableTopic, NewMigration } from '../../../admin/storage/storage-rows.ts';
import { isAbout, isRunning, isSame, referenceName } from '../../../admin/storage/storage-words.ts';
import type { CommonValues } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, notFoundError, stoppedError, withHints } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import type { View } from '../../../format/view.ts';
import { maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { asConflict } from '../member.ts';
import type { WaitValues } from '../waiting.ts';
import { migrationRow, plannedRow, ShownMigration, waitUntilFinished } from './migrations.ts';

/** A mount or unmount that a command has or would have started; a dry run has no id and state. */
export const StartedMigration = row({
  ...ShownMigration.fields,
  id: maybe(whole),
  state: maybe(string),
  /** Whether this command has started it. */
  started: truth,
});
export type StartedMigration = RowOf<typeof StartedMigration>;

/** What a mount or unmount finds. */
export interface MigrationPlan {
  readonly wanted: NewMigration;
  readonly before: readonly Migration[];
  /** An earlier one that does the same and goes on, or has done it. */
  readonly earlier: Migration | undefined;
}

type StartValues = WaitValues & CommonValues;

const list = 'weir cluster storage list-mount';
const seeMountable = 'see what can be mounted with: weir cluster storage list-mountable';

/**
 * Looks for what has been done, without changing anything.
 * @throws CliError (exit 6) if the topic is in another migration, (exit 3) if there is no such topic to unmount
 */
export async function planMigration(context: Context, wanted: NewMigration): Promise<MigrationPlan> {
  const admin = await context.admin();
  const before = await admin.migrations();
  const running = before.findLast(
    (one) => isRunning(one) && one.topics.some((topic) => isSame(topic.source, wanted.source)),
  );
  if (running !== undefined) {
    if (running.state.startsWith('cancel') || !isAbout(running, wanted)) throw inAnother(wanted, running);
    return { wanted, before, earlier: running };
  }
  const isMount = wanted.type === 'inbound';
  const done = before.findLast((one) => one.state === 'finished' && isAbout(one, wanted));
  if (isMount && done === undefined) return { wanted, before, earlier: undefined };
  const partitions = await admin.partitionCount(wanted.alias ?? wanted.source);
  const isDone = isMount === (partitions !== undefined);
  if (isDone && done !== undefined) return { wanted, before, earlier: done };
  if (!isMount && partitions === undefined) throw noTopic(wanted);
  return { wanted, before, earlier: undefined };
}

/** Starts what is planned, unless an earlier command has, and waits for it if that is asked for. */
export async function carryOut(
  context: Context,
  values: StartValues,
  { wanted, before, earlier }: MigrationPlan,
): Promise<StartedMigration> {
  if (earlier !== undefined) context.notice(earlierText(wanted, earlier));
  const names = { ...plannedRow(wanted), created_timestamp: null, completed_timestamp: null };
  if (values.dryRun) {
    if (earlier === undefined) await checkStored(context, wanted);
    return { ...names, id: earlier?.id ?? null, state: earlier?.state ?? null, started: false };
  }
  const started = earlier === undefined;
  const id = earlier?.id ?? (await start(context, wanted, before));
  if (earlier?.state === 'finished') return { ...migrationRow(earlier), started };
  if (values.wait) return { ...migrationRow(await waitUntilFinished(context, id, values)), started };
  context.noticeAfter(`see how far it is with: weir cluster storage status-mount ${id}`);
  return earlier === undefined ? { ...names, id, state: 'planned', started } : { ...migrationRow(earlier), started };
}

/** Sends the request; what a signal reports changes with it. */
async function start(context: Context, wanted: NewMigration, before: readonly Migration[]): Promise<number> {
  const admin = await context.admin();
  sending(context, `${wanted.type === 'inbound' ? 'mounting' : 'unmounting'} ${topicText(wanted)}`, list);
  try {
    const id = await admin.startMigration(wanted, before);
    const hints = [
      `wait for its end with: weir cluster storage status-mount ${id} --wait`,
      `cancel it with: weir cluster storage cancel-mount ${id}`,
    ];
    context.onInterrupt(stoppedError(`migration ${id} has started`, hints, String(id)));
    return id;
  } catch (error) {
    const refused = storageConflict(error);
    if (!(refused instanceof CliError)) throw refused;
    if (refused.exitCode === exitCodes.unreachable) throw withHints(refused, [`check with: ${list}`]);
    throw refused.code === 'CONFLICT' && wanted.type === 'inbound' && /not eligible/i.test(refused.message)
      ? withHints(refused, [seeMountable])
      : refused;
  }
}

/** In a dry run, so that it does not promise what the cluster would refuse. */
async function checkStored(context: Context, { type, source }: NewMigration): Promise<void> {
  if (type === 'outbound') return;
  const stored = await readMountable(context);
  const isStored = stored.some(
    ({ namespace: ns, topic, topic_location: location }) =>
      isSame({ ns, topic }, source) || isSame({ ns, topic: location }, source),
  );
  if (isStored) return;
  throw notFoundError(`object storage has no topic "${referenceName(source)}" to mount`, {
    target: referenceName(source),
    hints: [seeMountable],
  });
}

function topicText({ source }: NewMigration): string {
  return `topic "${referenceName(source)}"`;
}

function earlierText(wanted: NewMigration, { id, state }: Migration): string {
  const verb = wanted.type === 'inbound' ? 'mounted' : 'unmounted';
  if (state === 'finished') return `migration ${id} has ${verb} ${topicText(wanted)} already`;
  return `${topicText(wanted)} is being ${verb} already by migration ${id}`;
}

function inAnother(wanted: NewMigration, { id }: Migration): CliError {
  const verb = wanted.type === 'inbound' ? 'mount' : 'unmount';
  return new CliError(exitCodes.conflict, `unable to ${verb} ${topicText(wanted)}: it is in migration ${id}`, {
    target: referenceName(wanted.source),
    hints: [`see it with: weir cluster storage status-mount ${id}`],
  });
}

function noTopic(wanted: NewMigration): CliError {
  return notFoundError(`unable to unmount ${topicText(wanted)}: the cluster has no such topic`, {
    target: referenceName(wanted.source),
  });
}

/** A sentence about what was or would be started. */
export function startedText(migration: StartedMigration, _view: View, { dryRun }: CommonValues): string {
  const { id, topics, mounted_as: names, state } = migration;
  const isMount = names !== null;
  const verb = isMount ? 'mounted' : 'unmounted';
  const name = names !== null && names.join() !== topics.join() ? ` as ${names.join(', ')}` : '';
  const topic = `Topic ${topics.join(', ')}`;
  if (dryRun && id === null) return printable(`${topic} would be ${verb}${name}.`).concat('\n');
  if (state === 'finished') return printable(`${topic} is ${verb}${name} (migration ${id}).`).concat('\n');
  return printable(`${topic} is being ${verb}${name}: migration ${id}.`).concat('\n');
}

/**
 * Reads which topics in object storage can be mounted.
 * @throws CliError (exit 6) if the cluster has no tiered storage: the request has no parameters, so that a refusal can only
 * be about the state of the cluster
 */
export async function readMountable(context: Context): Promise<readonly MountableTopic[]> {
  const admin = await context.admin();
  try {
    return await admin.mountableTopics();
  } catch (error) {
    throw storageConflict(error);
  }
}

/** Makes a refusal by the state of the cluster a conflict (exit 6), with what it may lack. */
function storageConflict(error: unknown): unknown {
  const refused = asConflict(error);
  if (!(refused instanceof CliError) || !/feature is disabled/i.test(refused.message)) return refused;
  return withHints(refused, [
    'mounting needs tiered storage (cluster property cloud_storage_enabled) and a valid license: see weir cluster license info',
  ]);
}
