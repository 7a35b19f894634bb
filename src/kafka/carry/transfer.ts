import type { Client } from '../protocol/client/client.ts';
import { type RecordOrigin, recordOrigin } from '../records/batches/cursor.ts';
import type { Fetcher } from '../streams/consume/fetcher.ts';
import { createPosition, type PartitionPosition, type PartitionStart } from '../streams/consume/position.ts';
import type { GroupMembership } from '../streams/groups/member.ts';
import type { TopicPartitions } from '../streams/groups/subscription.ts';
import type { RunProgress } from './failures.ts';
import type { WriterPool } from './packer.ts';
import type { Porter, Portion, PortionOptions } from './portions.ts';
import type { StoredOffset } from './stored-offsets.ts';
import { createTrail, type Trail } from './trail.ts';
import type { Destination, OpenBatch, Writing } from './writing.ts';

/** What copies and redrives do with the records of one topic, in the order in which it happens. */
export interface Transfer {
  readonly source: TransferSource;
  readonly records: TransferRecords;
  readonly destination: Destination;
  readonly progress: TransferProgress;
  warn(line: string): void;
  /** Says what was done before the failure, and how to go on. */
  failure(error: unknown, done: RunProgress): unknown;
  /** Called after everything up to the end of the range, or to the stop, is written and stored. */
  onEnd?(done: RunProgress): void;
}

/** What is read. */
export interface TransferSource {
  readonly topic: string;
  /** The number of topics that are carried at the same time. */
  readonly atOnce: number;
  readonly fetchMaxWaitMs: number;
  /** Whether reading goes on until `stop`. */
  readonly isEndless: boolean;
  /** Where to begin in the partitions of this process; `share` has those that its group has given to it. */
  starts(share: readonly TopicPartitions[] | undefined): Promise<readonly PartitionStart[]>;
  /** Finds partitions that the source has got since, which `starts` then has as well. */
  discover?(): Promise<readonly PartitionStart[]>;
  /** Called when records of the partition continue at another offset, where its log was cut. */
  onJump?(part: SourcePart, offset: bigint): void;
  /** Makes the error for a source that was deleted and created again. */
  recreated(): unknown;
}

/** What becomes of a record. */
export interface TransferRecords extends Omit<PortionOptions, 'pool' | 'maxBatchBytes' | 'isTransactional'> {
  /** Makes it possible to go on at the record for which one of these has thrown the error; false if that cannot be done. */
  resolves(error: unknown): Promise<boolean>;
  /** Called with every portion before it is written; returns what to do once all of it is acknowledged. */
  onPortion(part: SourcePart, portion: Portion): (() => void) | undefined;
}

/** Where progress is stored. */
export interface TransferProgress {
  /** The group that has the progress of a process that is no member of it. */
  readonly group: string;
  /** Opens the membership in the group that shares the partitions; undefined if this process has all of them. */
  readonly openMembership?: ((onChange: () => void) => GroupMembership) | undefined;
  /** Whether the members of the group have finished together. */
  isOver?(): Promise<boolean>;
  /** What to store of partitions that got further. */
  offsets(parts: readonly SourcePart[]): readonly StoredOffset[];
  /**
   * What to store after a failure: also what was written behind something that was not; undefined: as always.
   * @param open what is not acknowledged
   */
  readonly lastOffsets?:
    | ((parts: readonly SourcePart[], open: Iterable<OpenBatch>) => readonly StoredOffset[])
    | undefined;
}

/** The state of a running transfer. */
export interface TransferState {
  readonly client: Client;
  readonly transfer: Transfer;
  readonly fetcher: Fetcher;
  readonly writing: Writing;
  readonly pool: WriterPool;
  readonly porter: Porter;
  readonly membership: GroupMembership | undefined;
  readonly parts: Map<PartitionPosition, SourcePart>;
  isStopped: boolean;
  /** When progress is stored next, on the client's clock, and how long after that again. */
  storeAt: number;
  storeMs: number;
  /** When that of all partitions is stored next. */
  storeAllAt: number;
  /** When new partitions are looked for next. */
  discoverAt: number;
  /** What was acknowledged when progress was last stored. */
  stored: RunProgress['written'];
  /** Bytes of answers and rebuilt batches since garbage was collected. */
  garbage: number;
  /** Settles when nothing is being stored. */
  storing: Promise<void>;
  /** Why progress could not be stored. */
  failure: unknown;
}

/** A source partition whose records are carried. */
export interface SourcePart {
  readonly position: PartitionPosition;
  readonly trail: Trail;
  readonly origin: RecordOrigin;
  /** The position's `jumps` up to which the trail has followed them. */
  jumps: number;
  /** The offset that is stored. */
  stored: bigint;
  /** The source offset up to which everything was handed to the writing. */
  handed: bigint;
}

/** Opens a partition that is read from `start` on. */
export function openPart(start: PartitionStart): SourcePart {
  const position = createPosition(start);
  const { topic, partition, offset, jumps } = position;
  const origin = recordOrigin(topic, partition);
  return { position, trail: createTrail(offset), origin, jumps, stored: -1n, handed: offset };
}

/** Takes note that reading goes on at another offset than the one after the last record. */
export function followJump(
  { source }: Transfer,
  part: SourcePart,
  { jumps, offset }: Pick<PartitionPosition, 'jumps' | 'offset'>,
): void {
  if (part.jumps >= jumps) return;
  part.jumps = jumps;
  part.trail.jump(offset);
  source.onJump?.(part, offset);
}
