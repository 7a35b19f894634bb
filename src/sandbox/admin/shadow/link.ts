/** A JSON object of a request, whose fields are read by name. */
export type Message = Readonly<Record<string, unknown>>;

/** The state of a topic that a link copies. */
type ShadowTopicState = 'ACTIVE' | 'FAULTED' | 'PAUSED' | 'FAILING_OVER' | 'FAILED_OVER';

/** A topic that a link copies. */
export interface ShadowTopic {
  readonly name: string;
  readonly partitions: number;
  state: ShadowTopicState;
  /** The virtual time since which it has its state, in milliseconds since the epoch. */
  since: number;
}

/** A shadow link: topics of a made-up source cluster are copied to this one. */
export interface ShadowLink {
  readonly name: string;
  readonly uid: string;
  /** As it was sent, with the secrets. */
  configurations: Message;
  /** Virtual time in milliseconds since the epoch. */
  passwordSetAt: number;
  readonly topics: Map<string, ShadowTopic>;
}

/** The topics of the made-up source, and how far the copy of each partition is behind; null for one without a leader. */
const sourceTopics: Readonly<Record<string, readonly (number | null)[]>> = {
  orders: [12, 0, 5],
  payments: [3],
  sessions: [0, null],
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
  const lag = sourceTopics[topic.name]?.[partition] ?? null;
  const source = 1_000 * (partition + 1);
  return lag === null ? { source: -1, copy: 0 } : { source, copy: source - lag };
}

/** Adds the topics that the filters of a link select, and ends failovers. */
export function progressLink(link: ShadowLink, at: number): void {
  addTopics(link, at);
  for (const topic of link.topics.values()) {
    if (topic.state !== 'FAILING_OVER' || at - topic.since < failoverMs) continue;
    topic.state = 'FAILED_OVER';
    topic.since = at;
  }
}

function addTopics({ configurations, topics }: ShadowLink, at: number): void {
  const options = sectionOf(configurations, 'topicMetadataSyncOptions');
  if (options.paused === true) return;
  for (const [name, { length }] of Object.entries(sourceTopics)) {
    if (topics.has(name) || !selects(listIn(options, 'autoCreateShadowTopicFilters'), name)) continue;
    topics.set(name, { name, partitions: length, state: 'ACTIVE', since: at });
  }
}

/** A section of a configuration, or another message in one; empty if it is left out. */
export function sectionOf(message: Message, name: string): Message {
  const section = message[name];
  return typeof section === 'object' && section !== null ? (section as Message) : {};
}

/** The messages of a list; empty if it is left out. */
export function listIn(message: Message, name: string): readonly Message[] {
  const list = message[name];
  return Array.isArray(list) ? list : [];
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
