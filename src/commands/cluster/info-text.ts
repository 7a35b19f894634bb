import { type Section, sections } from '../../format/sections.ts';
import { table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { BrokerRow, ShownCluster } from '../../kafka/cluster/cluster-rows.ts';
import { topicListing } from '../topic/topic-text.ts';

/** The sections of the result as text. */
export function clusterText(cluster: ShownCluster, view: View, wide: boolean): string {
  return sections(sectionsOf(cluster, view, wide), view);
}

function sectionsOf(cluster: ShownCluster, view: View, wide: boolean): Section[] {
  const { cluster_id: id, brokers, topics } = cluster;
  const parts: Section[] = [];
  if (typeof id === 'string') parts.push({ title: 'cluster', body: `${id}\n` });
  if (brokers) parts.push({ title: 'brokers', body: brokersText(brokers, view) });
  if (topics) parts.push({ title: 'topics', body: topicListing(topics, view, { joiner: '-', wide }) });
  return parts;
}

function brokersText(brokers: readonly BrokerRow[], view: View): string {
  const withRacks = brokers.some(({ rack }) => rack !== null);
  const rows = brokers.map(({ id, host, port, rack, controller }) => [
    controller ? `${id}*` : String(id),
    host,
    port,
    ...(withRacks ? [rack] : []),
  ]);
  const text = table(['id', 'host', 'port', ...(withRacks ? ['rack'] : [])], rows, view);
  // Scripts read every line of a pipe as a broker.
  const isLegendShown = view.columns !== undefined && !view.noHeaders && brokers.some(({ controller }) => controller);
  return isLegendShown ? `${text}* the controller, according to the answering broker\n` : text;
}
