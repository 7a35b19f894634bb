import { CliError, exitCodes, type ItemError, notFoundError } from '../../../errors.ts';
import type { Client, ClusterMetadata, TopicMetadata } from '../../client/client.ts';
import { itemErrorOf, type Located, questionOf } from '../../client/question.ts';
import type { Target } from '../../client/targets.ts';
import { kafkaError, kafkaErrorText, kafkaItemError } from '../../errors.ts';
import { type AlteredReassignment, alterPartitionReassignments } from '../../protocol/alter-partition-reassignments.ts';
import { listPartitionReassignments, type OngoingReassignment } from '../../protocol/list-partition-reassignments.ts';
import { groupByTopic } from '../by-topic.ts';
import { partitionsInOrder, readSelection } from '../topic-listing.ts';
import { type Placed, place } from './placement.ts';

/** How long the controller may take, in milliseconds. */
const controllerTimeoutMs = 5000;
const [unknownPartition, invalidAssignment, inProgress] = [3, 39, 60];

/** A call to plan where replicas shall be. */
export interface PlanCall {
  readonly topics: readonly string[];
  /** Empty: every broker. */
  readonly brokers: readonly number[];
  /** Undefined: as many as each partition has. */
  readonly replicas: number | undefined;
  readonly racks: boolean;
  /** Plans what there is now. */
  readonly current: boolean;
}

/** One planned partition. */
export interface PlannedRow extends Placed {
  readonly current_replicas: readonly number[];
}

/** The result of changing or cancelling one reassignment. */
export interface ReassignedRow extends PlannedRow {
  readonly status: 'OK' | 'NOT_NEEDED' | 'ERROR';
  readonly dry_run: boolean;
  readonly error: ItemError | null;
}

/**
 * Plans where the replicas of topics shall be; returns the partitions that change (all of them with `current`).
 * @throws CliError if a topic cannot be read, or if there are too few brokers
 */
export async function planReassignment(client: Client, call: PlanCall): Promise<PlannedRow[]> {
  const metadata = await readSelection(client, { topics: call.topics, regex: false, internal: true });
  const current = metadata.topics.flatMap(placed);
  if (call.current) return current.map((one) => ({ ...one, current_replicas: one.replicas }));
  const sites = sitesOf(metadata, call.brokers);
  const most = call.replicas ?? Math.max(0, ...current.map(({ replicas }) => replicas.length));
  if (most > sites.length) {
    throw new CliError(exitCodes.conflict, `cannot place ${most} replicas on ${sites.length} brokers`, {
      code: 'INVALID_REPLICATION_FACTOR',
      hints: ['name more brokers with --brokers, or fewer replicas with --replicas'],
    });
  }
  const planned = place(current, sites, call);
  return planned.flatMap((one, at) => {
    const before = current[at]?.replicas ?? [];
    return isSame(before, one.replicas) ? [] : [{ ...one, current_replicas: before }];
  });
}

function placed(topic: TopicMetadata): Placed[] {
  const { name, errorCode } = topic;
  if (errorCode !== 0)
    throw kafkaError(errorCode, `unable to read topic "${name}": ${kafkaErrorText(errorCode)}`, {
      target: name,
      retryable: false,
    });
  return partitionsInOrder(topic).map(({ partition, replicas }) => ({ topic: name, partition, replicas }));
}

function sitesOf({ brokers }: ClusterMetadata, chosen: readonly number[]) {
  const missing = chosen.find((id) => !brokers.some((broker) => broker.id === id));
  if (missing !== undefined)
    throw notFoundError(`broker ${missing} is not in the cluster`, { target: String(missing) });
  return brokers
    .filter(({ id }) => chosen.length === 0 || chosen.includes(id))
    .map(({ id, rack }) => ({ broker: id, rack }));
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}

/** A call to move replicas. */
export interface ReassignCall {
  readonly partitions: readonly Placed[];
  /** Accepts partitions that are being reassigned already. */
  readonly additional: boolean;
  /** Checks the plan against the cluster without changing anything. */
  readonly dryRun: boolean;
}

/** Starts to move replicas, with one request; returns rows in the order of the call. */
export async function reassign(client: Client, call: ReassignCall): Promise<ReassignedRow[]> {
  const names = [...new Set(call.partitions.map(({ topic }) => topic))];
  const [metadata, ongoing] = await Promise.all([
    readSelection(client, { topics: names, regex: false, internal: true }),
    readOngoing(client),
  ]);
  const moving = new Set(ongoing.map(nameOf));
  const rows = call.partitions.map((one) => checked(one, metadata, { moving, call }));
  if (call.dryRun) return rows;
  const due = rows.filter(({ status }) => status === 'OK');
  const errors = await alter(
    client,
    due.map((row) => ({ ...row, target: row.replicas })),
  );
  return rows.map((row) => withError(row, errors.get(nameOf(row)) ?? row.error));
}

function checked(
  one: Placed,
  { brokers, topics }: ClusterMetadata,
  { moving, call }: { readonly moving: ReadonlySet<string>; readonly call: ReassignCall },
): ReassignedRow {
  const topic = topics.find(({ name }) => name === one.topic);
  const known = topic?.partitions.find(({ partition }) => partition === one.partition);
  const foreign = one.replicas.filter((id) => !brokers.some((broker) => broker.id === id));
  const isMoving = moving.has(nameOf(one));
  const error =
    topic === undefined || topic.errorCode !== 0 || known === undefined
      ? kafkaItemError(topic?.errorCode || unknownPartition)
      : foreign.length > 0
        ? kafkaItemError(invalidAssignment, `not in the cluster: broker ${foreign.join(', ')}`)
        : isMoving && !call.additional
          ? kafkaItemError(inProgress)
          : null;
  const current = known?.replicas ?? [];
  const isNeeded = isMoving || !isSame(current, one.replicas);
  const status = error !== null ? 'ERROR' : isNeeded ? 'OK' : 'NOT_NEEDED';
  return { ...one, current_replicas: current, status, dry_run: call.dryRun, error };
}

/** Cancels reassignments: of some topics, or of all (`undefined`). Returns rows sorted by topic and partition. */
export async function cancelReassignments(
  client: Client,
  { topics, dryRun }: { readonly topics: readonly string[] | undefined; readonly dryRun: boolean },
): Promise<ReassignedRow[]> {
  const ongoing = (await readOngoing(client)).filter(({ topic }) => topics === undefined || topics.includes(topic));
  const rows = ongoing.map(({ topic, partition, replicas, adding }): ReassignedRow => {
    const back = replicas.filter((id) => !adding.includes(id));
    return { topic, partition, replicas: back, current_replicas: replicas, status: 'OK', dry_run: dryRun, error: null };
  });
  const errors = dryRun
    ? new Map()
    : await alter(
        client,
        rows.map((row) => ({ ...row, target: undefined })),
      );
  return rows.map((row) => withError(row, errors.get(nameOf(row)) ?? null));
}

function withError(row: ReassignedRow, error: ItemError | null): ReassignedRow {
  return error === null ? row : { ...row, status: 'ERROR', error };
}

/** A partition with its new replicas; undefined cancels. */
interface Change {
  readonly topic: string;
  readonly partition: number;
  readonly target: readonly number[] | undefined;
}

async function alter(client: Client, changes: readonly Change[]): Promise<ReadonlyMap<string, ItemError>> {
  const outcomes = await client.ask(alteration, changes);
  return new Map(
    outcomes.flatMap((outcome) => {
      const error = itemErrorOf(outcome);
      return error === null ? [] : [[nameOf(outcome.item), error] as const];
    }),
  );
}

const alteration = questionOf({
  api: alterPartitionReassignments,
  what: ({ topic, partition }: Change) => `reassign topic "${topic}" partition ${partition}`,
  target: (): Target => 'controller',
  keyOf: (item: Change) => nameOf(item),
  request: (items: readonly Located<Change>[]) => ({
    topics: groupByTopic(items.map(({ item }) => item)).map(([name, own]) => ({
      name,
      partitions: own.map(({ partition, target }) => ({ partition, replicas: target })),
    })),
    timeoutMs: controllerTimeoutMs,
  }),
  rows: ({ partitions }) => partitions.map((row): [string, AlteredReassignment] => [nameOf(row), row]),
});

/** Reads the reassignments in progress, sorted by topic and partition. */
export async function readOngoing(client: Client): Promise<OngoingReassignment[]> {
  const { errorCode, errorMessage, partitions } = await client.request(listPartitionReassignments, {
    topics: undefined,
    timeoutMs: controllerTimeoutMs,
  });
  if (errorCode !== 0)
    throw kafkaError(errorCode, `unable to list reassignments: ${kafkaErrorText(errorCode, errorMessage)}`);
  return [...partitions].sort((a, b) => (a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1));
}

function nameOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}
