import { any, toggle } from '../../cli/command.ts';
import { getCommand } from '../../cli/forms/read.ts';
import { type Section, sections } from '../../format/sections.ts';
import { table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { type Broker, type ClusterInfo, ShownCluster } from '../../kafka/cluster/brokers/cluster-rows.ts';
import { checkTopicNames, topicOrPattern } from '../topic/topic-name.ts';
import { listedTopics, topicListing } from '../topic/topic-text.ts';

/** `cluster info` */
export const info = getCommand({
  summary: 'Print the cluster id, the brokers and the topics',
  description: `Without a section flag, all three sections are printed, including internal topics. A "*" marks the broker that
the answering broker reports as the controller. In KRaft clusters, that is any broker that is online, so the mark moves
from run to run without an election.`,
  examples: [
    ['Everything', 'cluster info'],
    ['Only the brokers, for a script', 'cluster info -b --format json'],
    ['Two topics with their partitions', 'cluster info -d orders payments'],
  ],
  aliases: ['status', 'metadata'],
  apis: ['kafka'],
  args: { topics: any(topicOrPattern, 'TOPIC', 'topics to show (default: all)') },
  flags: {
    printCluster: toggle({ short: 'c', help: 'print the section CLUSTER' }),
    printBrokers: toggle({ short: 'b', help: 'print the section BROKERS' }),
    printTopics: toggle({ short: 't', help: 'print the section TOPICS (implied by TOPIC, -d and -i)' }),
    printInternalTopics: toggle({ short: 'i', help: 'include internal topics' }),
    printDetailedTopics: toggle({ short: 'd', help: 'include the partitions of each topic' }),
  },
  row: ShownCluster,
  async read(context, { topics, ...flags }) {
    checkTopicNames(topics);
    const wantsTopics =
      flags.printTopics || flags.printDetailedTopics || flags.printInternalTopics || topics.length > 0;
    const all = !(flags.printCluster || flags.printBrokers || wantsTopics);
    const kafka = await context.kafka();
    const selection = { topics, regex: false, internal: all || flags.printInternalTopics };
    const answer = await kafka.clusterInfo(all || wantsTopics ? selection : 'none');
    return {
      ...(all || flags.printCluster ? clusterOf(answer) : {}),
      ...(all || flags.printBrokers ? { brokers: answer.brokers } : {}),
      ...(all || wantsTopics ? { topics: listedTopics(answer.topics, flags.printDetailedTopics) } : {}),
    };
  },
  text: (cluster, view) => clusterText(cluster, view, false),
  wide: (cluster, view) => clusterText(cluster, view, true),
});

function clusterOf({ cluster_id, controller_id }: ClusterInfo): ShownCluster {
  return { cluster_id, controller_id };
}

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

function brokersText(brokers: readonly Broker[], view: View): string {
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
