import { nameOf } from '../partitions/partition.ts';
import { newPartition } from '../reflect.ts';
import { membersOf, type World } from '../world.ts';
import { listIn, type Message, type ShadowLink, type ShadowTopic, sectionOf } from './link.ts';

/** A topic of the made-up source. */
interface SourceTopic {
  /** How far the copy of each partition is behind; null for one without a leader in the source. */
  readonly lags: readonly (number | null)[];
  readonly replicas: number;
}

const sourceTopics: Readonly<Record<string, SourceTopic>> = {
  orders: { lags: [12, 0, 5], replicas: 3 },
  payments: { lags: [3], replicas: 3 },
  sessions: { lags: [0, null], replicas: 1 },
};

/** How long a failover takes, in milliseconds. */
const failoverMs = 2_000;

/** What the source has of a partition, and what the copy has; -1 for what the link has not read. */
export interface CopiedPartition {
  readonly source: number;
  readonly copy: number;
}

/** How far a partition is copied. */
export function copiedPartition(topic: ShadowTopic, partition: number): CopiedPartition {
  const lag = sourceTopics[topic.name]?.lags[partition] ?? null;
  const source = 1_000 * (partition + 1);
  return lag === null ? { source: -1, copy: 0 } : { source, copy: source - lag };
}

/** Adds the topics that the filters of the links select, and ends failovers. */
export function progressLinks(world: World, at: number): void {
  for (const link of world.state.shadowLinks.values()) {
    addTopics(world, link, at);
    for (const topic of link.topics.values()) {
      if (topic.state !== 'FAILING_OVER' || at - topic.since < failoverMs) continue;
      topic.state = 'FAILED_OVER';
      topic.since = at;
    }
  }
}

/** A topic that the cluster has already is not copied (redpanda commit 1b95a07c: src/v/cluster_link/source_topic_syncer.cc:711). */
function addTopics(world: World, { configurations, topics }: ShadowLink, at: number): void {
  const options = sectionOf(configurations, 'topicMetadataSyncOptions');
  if (options.paused === true) return;
  for (const [name, source] of Object.entries(sourceTopics)) {
    if (world.state.partitions.has(nameOf({ ns: 'kafka', topic: name, id: 0 }))) continue;
    if (!selects(listIn(options, 'autoCreateShadowTopicFilters'), name)) continue;
    topics.set(name, { name, state: 'ACTIVE', since: at });
    createTopic(world, name, source);
  }
}

function createTopic(world: World, name: string, { lags, replicas: count }: SourceTopic): void {
  const members = membersOf(world).filter(({ alive }) => alive);
  for (const id of lags.keys()) {
    const replicas = members.map((_, index) => members[(index + id) % members.length]?.id ?? 0).slice(0, count);
    const partition = newPartition(world.state, { ns: 'kafka', name }, { id, leader: replicas[0] ?? null, replicas });
    // The view does not show it: it is the simulator's own.
    world.state.partitions.set(nameOf({ ns: 'kafka', topic: name, id }), { ...partition, seen: '' });
  }
}

/** An exclusion comes before any inclusion (redpanda commit 1b95a07c: src/v/cluster_link/model/filter_utils.cc). */
function selects(filters: readonly Message[], name: string): boolean {
  const matching = filters.filter((filter) => {
    const pattern = String(filter.name);
    if (filter.patternType === 'PATTERN_TYPE_LITERAL') return pattern === '*' || pattern === name;
    return pattern !== '' && name.startsWith(pattern);
  });
  const includes = matching.map(({ filterType }) => filterType === 'FILTER_TYPE_INCLUDE');
  return includes.length > 0 && !includes.includes(false);
}
