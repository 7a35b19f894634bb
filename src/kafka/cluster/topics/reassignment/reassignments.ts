import { exitCodes, type ItemError } from '../../../../errors.ts';
import { partitionName } from '../../../../format/partition-name.ts';
import type { Client, ClusterMetadata, PartitionMetadata } from '../../../protocol/client/client.ts';
import { itemErrorOf, questionOf } from '../../../protocol/client/question.ts';
import { untilVisible } from '../../../protocol/client/visibility.ts';
import { kafkaItemError } from '../../../protocol/errors.ts';
import { groupByTopic, rowsByPartition } from '../../../protocol/partitions/by-topic.ts';
import { readSelection } from '../../../protocol/partitions/topic-selection.ts';
import { alterPartitionReassignments } from '../../../protocol/wire/apis/alter-partition-reassignments.ts';
import { codes } from '../../../protocol/wire/error-codes.ts';
import { readOngoing } from './ongoing.ts';
import type { Placed } from './placement.ts';
import { isSame } from './plan.ts';
import type { CancelCall, MovesCall, ReassignCall, ReassignedRow } from './reassignment-rows.ts';
import { throttle } from './throttle.ts';
import { unthrottle } from './unthrottle.ts';

/** How long the controller may take, in milliseconds. */
const controllerTimeoutMs = 5000;

/** Compares new places with the cluster: what would be moved, what is there already, what cannot be moved. */
export async function planMoves(client: Client, call: MovesCall): Promise<readonly ReassignedRow[]> {
  const names = topicsOf(call.partitions);
  const known = knownPlaces(await readSelection(client, { topics: names, regex: false, internal: true }));
  const moving = new Set((await readOngoing(client, names)).map(partitionName));
  return call.partitions.map((one) => checked(one, known, { moving, call }));
}

/**
 * Starts to move the replicas of a plan, with one request; returns rows in the order of the call.
 * @throws CliError before anything moves if the throttle cannot be set
 */
export async function reassign(client: Client, call: ReassignCall): Promise<readonly ReassignedRow[]> {
  const { rows } = call;
  const due = rows.filter(({ status }) => status === 'OK');
  if (due.length === 0) return rows;
  const names = topicsOf(due);
  if (call.throttle !== undefined) await throttle(client, due, { ...call.throttle, dryRun: call.dryRun });
  if (call.dryRun) return rows;
  const release = async (): Promise<void> => {
    if (call.throttle !== undefined) await unthrottle(client, { topics: names, memory: call.throttle.memory });
  };
  try {
    await call.beforeMoves?.(due);
  } catch (error) {
    await release();
    throw error;
  }
  const errors = await alter(
    client,
    due.map(({ new_replicas: target, ...row }) => ({ ...row, target })),
  );
  if (errors.size > 0) await release();
  return rows.map((row) => withError(row, errors.get(partitionName(row)) ?? row.error));
}

/** What a plan is compared with; a plan may have 100,000 partitions, so each is looked up once. */
interface KnownPlaces {
  readonly brokers: ReadonlySet<number>;
  /** The error codes of topics, by name. */
  readonly codes: ReadonlyMap<string, number>;
  /** By `partitionName`. */
  readonly partitions: ReadonlyMap<string, PartitionMetadata>;
}

function knownPlaces({ brokers, topics }: ClusterMetadata): KnownPlaces {
  const named = topics.flatMap(({ name: topic, partitions }) =>
    partitions.map((one) => [partitionName({ topic, partition: one.partition }), one] as const),
  );
  return {
    brokers: new Set(brokers.map(({ id }) => id)),
    codes: new Map(topics.map(({ name, errorCode }) => [name, errorCode])),
    partitions: new Map(named),
  };
}

function checked(
  { topic: name, partition, replicas }: Placed,
  { brokers, codes: topicCodes, partitions }: KnownPlaces,
  { moving, call }: { readonly moving: ReadonlySet<string>; readonly call: MovesCall },
): ReassignedRow {
  const known = partitions.get(partitionName({ topic: name, partition }));
  const foreign = replicas.filter((id) => !brokers.has(id));
  const isMoving = moving.has(partitionName({ topic: name, partition }));
  const old = known?.replicas ?? [];
  const row = { topic: name, partition, old_replicas: old, new_replicas: replicas, dry_run: call.dryRun };
  const failed = (code: number, text?: string): ReassignedRow => {
    return { ...row, status: 'ERROR', error: kafkaItemError(code, text) };
  };
  if (known === undefined) return failed(topicCodes.get(name) || codes.UNKNOWN_TOPIC_OR_PARTITION);
  if (foreign.length > 0)
    return failed(codes.INVALID_REPLICA_ASSIGNMENT, `not in the cluster: broker ${foreign.join(', ')}`);
  if (isMoving && !call.additional) return failed(codes.REASSIGNMENT_IN_PROGRESS);
  return { ...row, status: isMoving || !isSame(old, replicas) ? 'OK' : 'NOT_NEEDED', error: null };
}

const elsewhere: ItemError = {
  code: 'NOT_REASSIGNED',
  number: null,
  message: 'the replicas are elsewhere: the reassignment was canceled or replaced',
  retryable: false,
  exit_code: exitCodes.conflict,
};

/** Adds an error to the rows of reassignments that have ended without their new replicas. */
export async function settledReassignments(
  client: Client,
  rows: readonly ReassignedRow[],
): Promise<readonly ReassignedRow[]> {
  const partitions = rows.map(({ new_replicas: replicas, ...row }) => ({ ...row, replicas }));
  const call = { partitions, additional: true, dryRun: true };
  let now: readonly ReassignedRow[] = [];
  // Brokers learn of the end of a reassignment after the controller.
  await untilVisible(client, async () => {
    now = await planMoves(client, call);
    return now.every((row, at) => row.status !== 'OK' || rows[at]?.status !== 'OK');
  });
  // Without an answer, all that is known is that they ended.
  if (now.length === 0 || client.options.deadline.signal.aborted) return rows;
  return rows.map((row, at) => {
    if (row.status !== 'OK' || now[at]?.status === 'NOT_NEEDED') return row;
    return withError(row, now[at]?.error ?? elsewhere);
  });
}

/** Cancels reassignments; returns rows sorted by topic and partition. */
export async function cancelReassignments(client: Client, { topics, dryRun }: CancelCall): Promise<ReassignedRow[]> {
  const rows = (await readOngoing(client, topics)).map(({ topic, partition, replicas, adding }): ReassignedRow => {
    const back = replicas.filter((id) => !adding.includes(id));
    const places = { topic, partition, old_replicas: replicas, new_replicas: back };
    return { ...places, status: 'OK', dry_run: dryRun, error: null };
  });
  if (dryRun) return rows;
  const errors = await alter(
    client,
    rows.map((row) => ({ ...row, target: undefined })),
  );
  return rows.map((row) => withError(row, errors.get(partitionName(row)) ?? null));
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
      return error === null ? [] : [[partitionName(outcome.item), error] as const];
    }),
  );
}

const alteration = questionOf({
  api: alterPartitionReassignments,
  what: ({ topic, partition }: Change) => `reassign topic "${topic}" partition ${partition}`,
  keyOf: (item: Change) => partitionName(item),
  request: (items: readonly Change[]) => ({
    topics: groupByTopic(items).map(([name, own]) => ({
      name,
      partitions: own.map(({ partition, target }) => ({ partitionIndex: partition, replicas: target })),
    })),
    timeoutMs: controllerTimeoutMs,
  }),
  rows: ({ responses }) => rowsByPartition(responses),
});

function topicsOf(rows: readonly { readonly topic: string }[]): readonly string[] {
  return [...new Set(rows.map(({ topic }) => topic))];
}
