import { leftOut, listOf, maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';
import { type DetailedTopicRow, listedTopic } from '../topics/topic-rows.ts';

/** One broker, with the listener that it advertises. */
const listedBroker = row({
  id: whole,
  host: string,
  port: whole,
  rack: maybe(string),
  /** Whether the answering broker reports it as the controller. */
  controller: truth,
});

/** One broker, with the listener that it advertises. */
export type BrokerRow = RowOf<typeof listedBroker>;

/** The cluster as described by one Metadata answer; a section that was not asked for is left out. */
export const shownCluster = row({
  cluster_id: leftOut(maybe(string)),
  /** Null when the cluster has no controller at the moment. */
  controller_id: leftOut(maybe(whole)),
  brokers: leftOut(listOf(listedBroker)),
  topics: leftOut(listOf(listedTopic)),
});

/** The cluster, or sections of it. */
export type ShownCluster = RowOf<typeof shownCluster>;

/** The cluster as described by one Metadata answer. */
export interface ClusterInfo extends Required<ShownCluster> {
  readonly topics: readonly DetailedTopicRow[];
}
