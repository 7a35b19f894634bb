import type { Migration, MountableTopic, NewMigration } from '../../../admin/storage/storage-rows.ts';
import { isAbout, isCanceled, isRunning, isSame, referenceName } from '../../../admin/storage/storage-words.ts';
import type { Outcome } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, notFoundError, stoppedError, withHints } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { asConflict } from '../member.ts';
import type { WaitValues } from '../wait.ts';
import { migrationRow, ShownMigration, waitUntilFinished } from './migrations.ts';

/** A mount or unmount that a command has or would have started; a dry run has no id and state. */
const StartedMigration = row({ ...ShownMigration.fields, id: maybe(whole), state: maybe(string) });
type StartedMigration = RowOf<typeof StartedMigration>;

/** A mount or unmount to start, or an earlier one that does the same and goes on, or has done it. */
interface PlannedMigration extends StartedMigration {
  readonly request: NewMigration;
  /** The migrations that there were before. */
  readonly before: readonly Migration[];
  readonly status: 'NOT_NEEDED' | undefined;
}

const list = 'weir cluster storage list-mount';
const seeMountable = 'see what can be mounted with: weir cluster storage list-mountable';

/** What both commands are, besides their texts, flags and questions. */
export const startsMigration = {
  noun: 'migration',
  isOne: true,
  item: StartedMigration,
  async applyEach(context: Context, { request, before }: PlannedMigration) {
    return { id: await start(context, request, before), state: 'planned' };
  },
  text: (migrations: readonly (StartedMigration & Outcome)[]) => migrations.map(startedText).join(''),
} as const;

/**
 * Looks for what has been done, without changing anything.
 * @throws CliError (exit 6) if the topic is in another migration, (exit 3) if there is no such topic to mount or to unmount
 */
export async function planMigration(context: Context, request: NewMigration): Promise<readonly PlannedMigration[]> {
  const { type, source, alias } = request;
  const before = await (await context.admin()).migrations();
  const earlier = await earlierMigration(context, request, before);
  if (earlier !== undefined) {
    context.notice(earlierText(request, earlier));
    return [{ ...migrationRow(earlier), request, before, status: 'NOT_NEEDED' }];
  }
  if (type === 'inbound') await checkStored(context, source);
  const topic = { source, alias };
  const migration = { id: 0, state: '', type, topics: [topic], advances: null, created: null, completed: null };
  return [{ ...migrationRow(migration), id: null, state: null, request, before, status: undefined }];
}

async function earlierMigration(
  context: Context,
  request: NewMigration,
  before: readonly Migration[],
): Promise<Migration | undefined> {
  const running = before.findLast(
    (one) => isRunning(one) && one.topics.some((topic) => isSame(topic.source, request.source)),
  );
  if (running !== undefined) {
    if (isCanceled(running) || !isAbout(running, request)) throw inAnother(request, running);
    return running;
  }
  const isMount = request.type === 'inbound';
  const done = before.findLast((one) => one.state === 'finished' && isAbout(one, request));
  if (isMount && done === undefined) return undefined;
  const partitions = await (await context.admin()).partitionCount(request.alias ?? request.source);
  const isDone = isMount === (partitions !== undefined);
  if (isDone && done !== undefined) return done;
  if (!isMount && partitions === undefined) throw noTopic(request);
  return undefined;
}

/** Sends the request; what a signal reports changes with it. */
async function start(context: Context, request: NewMigration, before: readonly Migration[]): Promise<number> {
  const admin = await context.admin();
  const isMount = request.type === 'inbound';
  sending(context, `${isMount ? 'mounting' : 'unmounting'} ${topicText(request)}`, list);
  const id = await admin
    .startMigration(request, before)
    .catch(storageConflict)
    .catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      throw error.exitCode === exitCodes.unreachable ? withHints(error, [`check with: ${list}`]) : error;
    });
  const hints = [
    `wait for its end with: weir cluster storage status-mount ${id} --wait`,
    `cancel it with: weir cluster storage cancel-mount ${id}`,
  ];
  context.onInterrupt(stoppedError(`migration ${id} has started`, hints, String(id)));
  return id;
}

/** Waits for a mount or unmount if that is asked for, or says how to. */
export async function followMigration(
  context: Context,
  migrations: readonly PlannedMigration[],
  values: WaitValues,
): Promise<readonly Partial<ShownMigration>[]> {
  const [migration] = migrations;
  if (migration === undefined || migration.id === null || migration.state === 'finished') return [];
  if (values.wait) return [migrationRow(await waitUntilFinished(context, migration.id, values))];
  context.noticeAfter(`see how far it is with: weir cluster storage status-mount ${migration.id}`);
  return [];
}

/**
 * The cluster does not check this: it accepts the mount, and looks for the topic again and again
 * (redpanda src/v/cluster/data_migration_backend.cc, `create_topic`).
 */
async function checkStored(context: Context, source: NewMigration['source']): Promise<void> {
  const isStored = (await readMountable(context)).some(
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

function earlierText(request: NewMigration, { id, state }: Migration): string {
  const verb = request.type === 'inbound' ? 'mounted' : 'unmounted';
  if (state === 'finished') return `migration ${id} has ${verb} ${topicText(request)} already`;
  return `${topicText(request)} is being ${verb} already by migration ${id}`;
}

function inAnother(request: NewMigration, { id }: Migration): CliError {
  const verb = request.type === 'inbound' ? 'mount' : 'unmount';
  return new CliError(exitCodes.conflict, `unable to ${verb} ${topicText(request)}: it is in migration ${id}`, {
    target: referenceName(request.source),
    hints: [`see it with: weir cluster storage status-mount ${id}`],
  });
}

function noTopic(request: NewMigration): CliError {
  return notFoundError(`unable to unmount ${topicText(request)}: the cluster has no such topic`, {
    target: referenceName(request.source),
  });
}

/** A sentence about what was or would be started. */
function startedText({ id, topics, mounted_as: names, state }: StartedMigration): string {
  const isMount = names !== null;
  const verb = isMount ? 'mounted' : 'unmounted';
  const name = names !== null && names.join() !== topics.join() ? ` as ${names.join(', ')}` : '';
  const topic = `Topic ${topics.join(', ')}`;
  if (id === null) return printable(`${topic} would be ${verb}${name}.`).concat('\n');
  if (state === 'finished') return printable(`${topic} is ${verb}${name} (migration ${id}).`).concat('\n');
  return printable(`${topic} is being ${verb}${name}: migration ${id}.`).concat('\n');
}

/**
 * Reads which topics in object storage can be mounted.
 * @throws CliError (exit 6) if the cluster has no tiered storage: the request has no parameters, so that a refusal can only
 * be about the state of the cluster
 */
export async function readMountable(context: Context): Promise<readonly MountableTopic[]> {
  return await (await context.admin()).mountableTopics().catch(storageConflict);
}

/** Makes a refusal by the state of the cluster a conflict (exit 6), with what it may lack. @throws the error */
function storageConflict(error: unknown): never {
  if (!(error instanceof CliError) || !/feature is disabled/i.test(error.message)) return asConflict(error);
  const hint =
    'mounting needs tiered storage (cluster property cloud_storage_enabled) and a valid license: see weir cluster license info';
  return asConflict(withHints(error, [hint]));
}
