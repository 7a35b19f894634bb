import { listOf, maybe, type RowOf, row, string, truth, whole, word } from '../../../shape/shape.ts';

const partitions = maybe(listOf(string));

/**
 * Whether a broker can be restarted, or has recovered from its restart. Partitions are written as `topic/partition`, sorted;
 * `is_safe` and the lists are null after a restart; `recovered` and the share of replicas are null before it.
 */
export const RestartCheck = row({
  broker: whole,
  /** The API that was asked: `admin` (the check of the broker itself), or `kafka` (weir's own, from metadata and configs). */
  api: word('admin', 'kafka'),
  /** Before a restart: whether there is no risk. */
  is_safe: maybe(truth),
  /** After it: whether every replica of the broker is in sync, so that the next broker can be restarted. */
  recovered: maybe(truth),
  /** Partitions with one replica, which are offline until the broker is back. */
  rf1_offline: partitions,
  /** Partitions that would accept no records and return none, because too few other replicas are left. */
  unavailable: partitions,
  /** Partitions that would refuse records with acks=all, because too few other replicas are in sync. */
  full_acks_produce_unavailable: partitions,
  /** Partitions that may lose records which only this broker has. */
  acks1_data_loss: partitions,
  /** How many of the broker's replicas are in sync, in percent. */
  in_sync_percent: maybe(whole),
});
export type RestartCheck = RowOf<typeof RestartCheck>;

/** The partitions at risk. */
export type RestartRisks = {
  readonly [R in
    | 'rf1_offline'
    | 'unavailable'
    | 'full_acks_produce_unavailable'
    | 'acks1_data_loss']: readonly string[];
};
