import type { ItemError } from '../../../errors.ts';
import { int64, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';
import type { TopicSelection } from './group-rows.ts';

/** Where to move the committed offsets of a group. */
export type SeekTarget =
  | { readonly to: 'start' | 'end' }
  /** The first record at or after this time, in milliseconds since the epoch; the log end if there is none. */
  | { readonly to: 'time'; readonly timestamp: number }
  /** This offset, in every partition; the nearest one where the log does not have it. */
  | { readonly to: 'offset'; readonly offset: bigint }
  /** So many offsets after the committed one, or before it; within the log. */
  | { readonly to: 'shift'; readonly by: bigint }
  /** The offsets that another group has committed. */
  | { readonly to: 'group'; readonly group: string }
  /** These offsets; null removes the committed offset. */
  | {
      readonly to: 'offsets';
      readonly offsets: readonly {
        readonly topic: string;
        readonly partition: number;
        readonly offset: bigint | null;
        /** The id of the topic that the offset belongs to; left out if it is not known. */
        readonly topicId?: string;
      }[];
    };

/** A call to move the committed offsets of a group. */
export interface SeekCall {
  readonly group: string;
  readonly target: SeekTarget;
  /** Empty: the topics that the group has committed offsets of, or all topics of the target. */
  readonly topics: readonly TopicSelection[];
  /** Whether `topics` may name topics that the group has no committed offset of. */
  readonly allowNewTopics: boolean;
  /** Whether to create the group if it does not exist. */
  readonly allowNewGroup: boolean;
}

/** The planned move of one partition. */
export interface PlannedSeek {
  readonly topic: string;
  /** The id of the topic that the offsets belong to; null if the broker reports none. */
  readonly topic_id: string | null;
  readonly partition: number;
  /** The offset that is committed now; null for none. */
  readonly prior_offset: bigint | null;
  /** The offset to commit; null if it cannot be found and, without an error, to remove the committed offset. */
  readonly new_offset: bigint | null;
  /** The offset that was asked for, where the log does not have it, and `new_offset` is the nearest one. */
  readonly asked_offset: bigint | null;
  /** -1 when unknown. */
  readonly leader_epoch: number;
  readonly log_start_offset: bigint | null;
  readonly log_end_offset: bigint | null;
  /** Why the partition cannot be moved. */
  readonly error: ItemError | null;
}

/** What a seek will do, sorted by topic and partition. */
export interface SeekPlan {
  readonly group: string;
  readonly moves: readonly PlannedSeek[];
}

/** The move of the committed offset of a partition. */
export const SoughtOffset = row({
  group: string,
  topic: string,
  partition: whole,
  /** The offset that was committed before; null for none. */
  prior_offset: maybe(int64),
  /** The offset that is committed now (null: none, or unknown because no answer came); that of the plan in a dry run. */
  new_offset: maybe(int64),
  /** How many offsets that is after the prior one: so many are skipped, or if negative, read again; null without one of them. */
  shift: maybe(int64),
});
export type SoughtOffset = RowOf<typeof SoughtOffset>;

/** The offset of a partition after its move, or after it failed. */
export function offsetAfter(move: PlannedSeek, error: ItemError | null): Pick<SoughtOffset, 'new_offset' | 'shift'> {
  const { prior_offset: prior } = move;
  const now = error === null ? move.new_offset : priorIfFailed(move, error);
  return { new_offset: now, shift: now === null || prior === null ? null : now - prior };
}

/** The offset after a move that failed. Without an answer, the coordinator may have committed the new one. */
function priorIfFailed({ prior_offset: prior, error: planned }: PlannedSeek, error: ItemError): bigint | null {
  return planned !== null || error.number !== null ? prior : null;
}
