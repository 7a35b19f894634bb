import { itemError } from '../../shape/item-error.ts';
import { described, maybe, type RowOf, row, string, whole } from '../../shape/shape.ts';

/** A topic and what was copied of it, or would be in a dry run. */
export const copiedTopic = row({
  topic: string,
  destination: string,
  partitions: whole,
  records: described(
    whole,
    'records that were copied; in a dry run the offsets left to copy, of which some may have no record',
  ),
  bytes: described(maybe(whole), 'size of the batches written, in bytes; null in a dry run'),
  error: itemError,
});

/** A row of `topic copy`. */
export type CopiedTopic = RowOf<typeof copiedTopic>;
