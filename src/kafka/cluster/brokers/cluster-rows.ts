import { leftOut, listOf, maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';
import { type DetailedTopic, ListedTopic } from '../topics/topic-rows.ts';

/** One broker, with the listener that it advertises. */
const Broker = row({
  id: whole,
  host: string,
  port: whole,
  rack: maybe(string),
  /** Whether the answering broker reports it as the controller. */
  controller: truth,
});
export type Broker = RowOf<typeof Broker>;

/** The cluster as described by one Metadata answer; a section that was not asked for is left out. */
export const ShownCluster = row({
  cluster_id: leftOut(maybe(string)),
  /** Null when the cluster has no controller at the moment. */
  controller_id: leftOut(maybe(whole)),
  brokers: leftOut(listOf(Broker)),
  topics: leftOut(listOf(ListedTopic)),
});
export type ShownCluster = RowOf<typeof ShownCluster>;

/** The cluster as described by one Metadata answer. */
export interface ClusterInfo extends Required<ShownCluster> {
  readonly topics: readonly DetailedTopic[];
}
