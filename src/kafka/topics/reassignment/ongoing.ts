import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../../client/client.ts';
import { untilVisible } from '../../client/visibility.ts';
import { kafkaError, kafkaErrorText } from '../../errors.ts';
import { listPartitionReassignments } from '../../wire/apis/list-partition-reassignments.ts';
import { byPartition } from '../by-topic.ts';
import { readSizes } from '../sizes.ts';
import type { PartitionSizeRow } from '../topic-rows.ts';
import type { ReassignmentRow, WatchCall } from './reassignment-rows.ts';

/** A partition that is being reassigned. */
export interface OngoingReassignment {
  readonly topic: string;
  readonly partition: number;
  /** All current replicas: those that stay, are added and are removed. */
  readonly replicas: readonly number[];
  readonly adding: readonly number[];
  readonly removing: readonly number[];
}

/** How long the controller may take, in milliseconds. */
const controllerTimeoutMs = 5000;
/** The first pause between two readings and the longest one, in milliseconds. */
const firstPauseMs = 100;
const longestPauseMs = 5000;

/** Reads the reassignments in progress from the controller, sorted by topic and partition. */
export async function readOngoing(
  client: Client,
  topics: readonly string[] | undefined,
): Promise<OngoingReassignment[]> {
  const {
    errorCode,
    errorMessage,
    topics: moved,
  } = await client.request(listPartitionReassignments, {
    topics: undefined,
    timeoutMs: controllerTimeoutMs,
  });
  if (errorCode !== 0) {
    const message = `unable to list reassignments: ${kafkaErrorText(errorCode, errorMessage)}`;
    throw kafkaError(errorCode, message);
  }
  const chosen = topics === undefined ? undefined : new Set(topics);
  return moved
    .filter(({ name }) => chosen === undefined || chosen.has(name))
    .flatMap(({ name: topic, partitions }) =>
      partitions.map(({ partitionIndex: partition, replicas, addingReplicas: adding, removingReplicas: removing }) => ({
        topic,
        partition,
        replicas,
        adding,
        removing,
      })),
    )
    .sort(byPartition);
}

/** Reads the reassignments in progress, of all topics if none are named; sorted by topic and partition. */
export async function listReassignments(
  client: Client,
  topics: readonly string[] | undefined,
): Promise<ReassignmentRow[]> {
  const ongoing = await readOngoing(client, topics);
  if (ongoing.length === 0) return [];
  const sizes = await readSizes(client, await client.metadata([...new Set(ongoing.map(({ topic }) => topic))]));
  const bySize = new Map([...sizes].map(([topic, own]) => [topic, new Map(own.map((row) => [row.partition, row]))]));
  return ongoing.map((one) => ({ ...one, ...progressOf(one, bySize.get(one.topic)?.get(one.partition)) }));
}

type Progress = Pick<ReassignmentRow, 'copied_bytes' | 'total_bytes'>;

function progressOf({ adding }: OngoingReassignment, size: PartitionSizeRow | undefined): Progress {
  const { bytes: leader = null, replicas = [] } = size ?? {};
  const copied = adding.map((id) => replicas.find(({ broker }) => broker === id)?.bytes ?? null);
  if (leader === null) return { copied_bytes: null, total_bytes: null };
  const sum = copied.reduce<bigint | null>((all, own) => {
    return all === null || own === null ? null : all + (own < leader ? own : leader);
  }, 0n);
  return { copied_bytes: sum, total_bytes: leader * BigInt(adding.length) };
}

/**
 * The same again and again, until none is in progress and a broker shows where the replicas are, or the time is up; the last
 * rows are what is in progress then. The command timeout is paused.
 */
export async function* watchReassignments(
  client: Client,
  { topics, forMs = Number.POSITIVE_INFINITY }: WatchCall,
): AsyncGenerator<readonly ReassignmentRow[]> {
  const { deadline } = client.options;
  const endMs = deadline.clock.now() + forMs;
  const end = Promise.withResolvers<void>();
  const phase = deadline.openEnded(() => end.promise);
  const seen = new Map<string, OngoingReassignment>();
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const rows = await listReassignments(client, topics);
      for (const row of rows) seen.set(partitionName(row), row);
      yield rows;
      if (rows.length === 0) return await untilSettled(client, [...seen.values()], hasEnded);
      const leftMs = endMs - deadline.clock.now();
      if (leftMs <= 0) return;
      await deadline.clock.sleep(Math.min(pauseMs, leftMs), deadline.signal);
    }
  } finally {
    end.resolve();
    await phase;
  }
}

/**
 * Waits until a broker shows where the replicas of reassignments are that have ended. Brokers learn of that after the
 * controller, and until then they count the replicas of before and after together.
 * @param isSettled whether that is where they may be after the end
 */
export async function untilSettled(
  client: Client,
  ended: readonly OngoingReassignment[],
  isSettled: (one: OngoingReassignment, replicas: readonly number[]) => boolean,
): Promise<void> {
  if (ended.length === 0) return;
  const names = [...new Set(ended.map(({ topic }) => topic))];
  await untilVisible(client, async () => {
    const { topics } = await client.metadata(names);
    const shown = new Map(
      topics.flatMap(({ name: topic, partitions }) =>
        partitions.map(({ partition, replicas }) => [partitionName({ topic, partition }), replicas] as const),
      ),
    );
    return ended.every((one) => isSettled(one, shown.get(partitionName(one)) ?? []));
  });
}

/** Whether replicas are those of after a reassignment, or of before if it was canceled. */
function hasEnded({ adding, removing }: OngoingReassignment, replicas: readonly number[]): boolean {
  const isThere = (id: number): boolean => replicas.includes(id);
  return !removing.some(isThere) || (adding.length > 0 && !adding.some(isThere));
}

/** Whether replicas are those of before a reassignment that was canceled. */
export function isCanceled({ adding }: OngoingReassignment, replicas: readonly number[]): boolean {
  return !adding.some((id) => replicas.includes(id));
}
