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
import type { Planned } from '../topic-rows.ts';
import { readOngoing } from './ongoing.ts';
import type { Placed } from './placement.ts';
import { isSame } from './plan.ts';
import type { CanceledMove, MovesCall, ReassignCall, ReplicaMove, StartedMove } from './reassignment-rows.ts';
import { throttle } from './throttle.ts';
import { unthrottle } from './unthrottle.ts';

/** How long the controller may take, in milliseconds. */
const controllerTimeoutMs = 5000;

/** Compares new places with the cluster: what would be moved, what is there already, what cannot be moved. */
export async function planMoves(
  client: Client,
  { partitions, additional }: MovesCall,
): Promise<readonly Planned<ReplicaMove>[]> {
  const names = topicsOf(partitions);
  const existing = knownPlaces(await readSelection(client, { topics: names, regex: false, internal: true }));
  const moving = new Set((await readOngoing(client, names)).map(partitionName));
  return partitions.map((one) => plannedMove(one, existing, { isMoving: moving.has(partitionName(one)), additional }));
}

/**
 * Starts to move replicas, with one request; returns the moves in their order.
 * @throws CliError before anything moves if the throttle cannot be set
 */
export async function reassign(client: Client, call: ReassignCall): Promise<readonly StartedMove[]> {
  const { moves, beforeMoves, throttle: limit } = call;
  if (limit !== undefined) await throttle(client, moves, limit);
  const release = async (): Promise<void> => {
    if (limit !== undefined) await unthrottle(client, { topics: topicsOf(moves), memory: limit.memory });
  };
  try {
    await beforeMoves?.();
  } catch (error) {
    await release();
    throw error;
  }
  const errors = await alter(
    client,
    moves.map(({ topic, partition, new_replicas: target }) => ({ topic, partition, target })),
  );
  if (errors.some((error) => error !== null)) await release();
  return moves.map((move, at) => ({ ...move, error: errors[at] ?? null }));
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

function plannedMove(
  { topic, partition, replicas }: Placed,
  { brokers, codes: topicCodes, partitions }: KnownPlaces,
  { isMoving, additional }: { readonly isMoving: boolean; readonly additional: boolean },
): Planned<ReplicaMove> {
  const current = partitions.get(partitionName({ topic, partition }));
  const foreign = replicas.filter((id) => !brokers.has(id));
  const old = current?.replicas ?? [];
  const move = { topic, partition, old_replicas: old, new_replicas: replicas };
  const failed = (code: number, text?: string) => ({ ...move, error: kafkaItemError(code, text) });
  if (current === undefined) return failed(topicCodes.get(topic) || codes.UNKNOWN_TOPIC_OR_PARTITION);
  if (foreign.length > 0)
    return failed(codes.INVALID_REPLICA_ASSIGNMENT, `not in the cluster: broker ${foreign.join(', ')}`);
  if (isMoving && !additional) return failed(codes.REASSIGNMENT_IN_PROGRESS);
  return { ...move, status: isMoving || !isSame(old, replicas) ? undefined : 'NOT_NEEDED', error: null };
}

const elsewhere: ItemError = {
  code: 'NOT_REASSIGNED',
  number: null,
  message: 'the replicas are elsewhere: the reassignment was canceled or replaced',
  retryable: false,
  exit_code: exitCodes.conflict,
};

/** Adds an error to reassignments that have ended without their new replicas. */
export async function settledReassignments(
  client: Client,
  moves: readonly StartedMove[],
): Promise<readonly StartedMove[]> {
  const partitions = moves.map(({ new_replicas: replicas, ...move }) => ({ ...move, replicas }));
  let now: readonly Planned<ReplicaMove>[] = [];
  // Brokers learn of the end of a reassignment after the controller.
  await untilVisible(client, async () => {
    now = await planMoves(client, { partitions, additional: true });
    return now.every(({ status, error }, at) => status !== undefined || error !== null || moves[at]?.error !== null);
  });
  // Without an answer, all that is known is that they ended.
  if (now.length === 0 || client.options.deadline.signal.aborted) return moves;
  return moves.map((move, at) => {
    const isThere = now[at]?.status === 'NOT_NEEDED';
    return move.error !== null || isThere ? move : { ...move, error: now[at]?.error ?? elsewhere };
  });
}

/**
 * Reads what a cancellation of the reassignments in progress would do, sorted by topic and partition. Named topics of
 * which none is in progress follow, without a partition.
 */
export async function planCancellation(
  client: Client,
  topics: readonly string[] | undefined,
): Promise<readonly Planned<CanceledMove>[]> {
  const moves = (await readOngoing(client, topics)).map(({ topic, partition, replicas, adding }) => {
    const back = replicas.filter((id) => !adding.includes(id));
    return { topic, partition, old_replicas: replicas, new_replicas: back, error: null };
  });
  const moving = new Set(topicsOf(moves));
  const others = (topics ?? []).filter((topic) => !moving.has(topic));
  if (others.length === 0) return moves;
  const still = await readSelection(client, { topics: others, regex: false, internal: true });
  const rows = still.topics.map(({ name: topic, errorCode }) => {
    const one = { topic, partition: null, old_replicas: [], new_replicas: [] };
    return errorCode === 0
      ? { ...one, status: 'NOT_NEEDED' as const, error: null }
      : { ...one, error: kafkaItemError(errorCode) };
  });
  return [...moves, ...rows];
}

/** Cancels reassignments with one request; returns the error of each. */
export async function cancelReassignments(client: Client, moves: readonly CanceledMove[]) {
  const changes = moves.flatMap(({ topic, partition }) =>
    partition === null ? [] : [{ topic, partition, target: undefined }],
  );
  const errors = await alter(client, changes);
  return errors.map((error) => ({ error }));
}

/** A partition with its new replicas; undefined cancels. */
interface Change {
  readonly topic: string;
  readonly partition: number;
  readonly target: readonly number[] | undefined;
}

/** Changes reassignments; returns the error of each. */
async function alter(client: Client, changes: readonly Change[]): Promise<readonly (ItemError | null)[]> {
  return (await client.ask(alteration, changes)).map(itemErrorOf);
}

const alteration = questionOf({
  api: alterPartitionReassignments,
  what: ({ topic, partition }: Change) => `reassign topic "${topic}" partition ${partition}`,
  keyOf: (item: Change) => partitionName(item),
  request: (items: readonly Change[]) => ({
    topics: groupByTopic(items).map(([name, topicItems]) => ({
      name,
      partitions: topicItems.map(({ partition, target }) => ({ partitionIndex: partition, replicas: target })),
    })),
    timeoutMs: controllerTimeoutMs,
  }),
  rows: ({ responses }) => rowsByPartition(responses),
});

function topicsOf(rows: readonly { readonly topic: string }[]): readonly string[] {
  return [...new Set(rows.map(({ topic }) => topic))];
}
