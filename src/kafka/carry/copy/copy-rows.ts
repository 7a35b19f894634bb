import { itemError } from '../../../shape/item-error.ts';
import { described, int64, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';

/** A topic and what was copied of it, or would be in a dry run. */
export const CopiedTopic = row({
  topic: described(string, 'the topic in its cluster, without the profile'),
  destination: described(string, 'the topic in the cluster of the destination, without the profile'),
  partitions: whole,
  records: described(
    whole,
    'records that were copied; in a dry run the offsets left to copy, of which some may have no record',
  ),
  bytes: described(maybe(whole), 'size of the batches written, in bytes; null in a dry run'),
  error: itemError,
});
export type CopiedTopic = RowOf<typeof CopiedTopic>;

/** The committed offset of a group, and where the group continues in the destination. */
export const TranslatedOffset = row({
  group: string,
  topic: string,
  destination: string,
  partition: whole,
  source_offset: described(int64, 'what the group has committed in the source'),
  prior_offset: described(maybe(int64), 'what it had committed in the destination; null for nothing'),
  offset: described(
    maybe(int64),
    'what it has committed in the destination now, or would have in a dry run; null for nothing, or for what is not copied yet',
  ),
  error: itemError,
});
export type TranslatedOffset = RowOf<typeof TranslatedOffset>;
