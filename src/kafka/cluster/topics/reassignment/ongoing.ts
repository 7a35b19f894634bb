import type { Client } from '../../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../../protocol/errors.ts';
import { byPartition } from '../../../protocol/partitions/by-topic.ts';
import { listPartitionReassignments } from '../../../protocol/wire/apis/list-partition-reassignments.ts';
import { readSizes } from '../sizes.ts';
import type { PartitionSize } from '../topic-rows.ts';
import type { MovingPartition, WatchCall } from './reassignment-rows.ts';

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
        // Redpanda lists those at the end only (`kafka/server/handlers/list_partition_reassignments.cc`).
        replicas: [...new Set([...replicas, ...removing])],
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
): Promise<MovingPartition[]> {
  const ongoing = await readOngoing(client, topics);
  if (ongoing.length === 0) return [];
  const sizes = await readSizes(client, await client.metadata([...new Set(ongoing.map(({ topic }) => topic))]));
  const bySize = new Map([...sizes].map(([topic, rows]) => [topic, new Map(rows.map((row) => [row.partition, row]))]));
  return ongoing.map((one) => ({ ...one, ...progressOf(one, bySize.get(one.topic)?.get(one.partition)) }));
}

type Progress = Pick<MovingPartition, 'copied_bytes' | 'total_bytes'>;

function progressOf({ adding }: OngoingReassignment, size: PartitionSize | undefined): Progress {
  const { bytes: leader = null, replicas = [] } = size ?? {};
  const copied = adding.map((id) => replicas.find(({ broker }) => broker === id)?.bytes ?? null);
  if (leader === null) return { copied_bytes: null, total_bytes: null };
  const sum = copied.reduce<bigint | null>((all, size) => {
    return all === null || size === null ? null : all + (size < leader ? size : leader);
  }, 0n);
  return { copied_bytes: sum, total_bytes: leader * BigInt(adding.length) };
}

/**
 * The same again and again, until none is in progress or the time is up; the last rows are what is in progress then.
 * The command timeout is paused.
 */
export async function* watchReassignments(
  client: Client,
  { topics, forMs = Number.POSITIVE_INFINITY }: WatchCall,
): AsyncGenerator<readonly MovingPartition[]> {
  const { deadline } = client.options;
  const endMs = deadline.clock.now() + forMs;
  const end = Promise.withResolvers<void>();
  const phase = deadline.openEnded(() => end.promise);
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const rows = await listReassignments(client, topics);
      yield rows;
      const leftMs = endMs - deadline.clock.now();
      if (rows.length === 0 || leftMs <= 0) return;
      await deadline.clock.sleep(Math.min(pauseMs, leftMs), deadline.signal);
    }
  } finally {
    end.resolve();
    await phase;
  }
}
