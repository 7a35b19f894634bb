import type { World } from '../world.ts';
import { copiedPartition } from './copying.ts';
import { listIn, type Message, type ShadowLink, type ShadowTopic, sectionOf } from './link.ts';

/** A link as a node returns it: every field is there, the effective values of defaults too, and no secret. */
export function shownLink(world: World, link: ShadowLink) {
  const topics = [...link.topics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const options = sectionOf(link.configurations, 'topicMetadataSyncOptions');
  const defaults = options.excludeDefault === true ? [] : defaultProperties;
  const synced = [...requiredProperties, ...defaults, ...listIn(options, 'syncedShadowTopicProperties').map(String)];
  return {
    name: link.name,
    uid: link.uid,
    configurations: shownConfigurations(link),
    status: {
      state: 'SHADOW_LINK_STATE_ACTIVE',
      taskStatuses: tasksOf(world, link),
      shadowTopics: topics.map((topic) => shownTopic(world, topic)),
      syncedShadowTopicProperties: [...new Set(synced)].sort(),
      // It is there for links without it, too.
      schemaRegistrySyncStatus: {
        inventory: {
          selectedSourceSubjects: '0',
          selectedSourceSubjectVersions: '0',
          destinationSubjects: '0',
          destinationSubjectVersions: '0',
        },
        currentSync: { syncType: 'SCHEMA_REGISTRY_SYNC_TYPE_UNSPECIFIED', summary: noSync },
        lastFullSync: noSync,
        totalsSinceTaskStart: noSync,
        lastErrorMessage: '',
      },
    },
  };
}

const epoch = '1970-01-01T00:00:00.000000000Z';

/** What the server writes for a copying of the schema registry that never ran. */
const noSync = {
  startTime: epoch,
  finishTime: epoch,
  subjectVersionsChanged: '0',
  compatibilityConfigsChanged: '0',
  modesChanged: '0',
  unsupportedFeaturesRemoved: '0',
  errors: '0',
};

const requiredProperties = ['max.message.bytes', 'cleanup.policy', 'message.timestamp.type'];
const defaultProperties = [
  'compression.type',
  'retention.bytes',
  'retention.ms',
  'replication.factor',
  'delete.retention.ms',
  'min.compaction.lag.ms',
  'max.compaction.lag.ms',
  'redpanda.storage.mode',
];

/** The tasks of a link, by name, and the section of each, which can pause it. */
const tasks: Readonly<Record<string, string>> = {
  'Consumer Group Shadowing': 'consumerOffsetSyncOptions',
  'Roles Migrator Task': 'roleSyncOptions',
  'Security Migrator Task': 'securitySyncOptions',
  'Source Topic Sync': 'topicMetadataSyncOptions',
};

function tasksOf({ state }: World, { configurations }: ShadowLink) {
  return Object.entries(tasks).map(([name, section]) => ({
    name,
    state: sectionOf(configurations, section).paused === true ? 'TASK_STATE_PAUSED' : 'TASK_STATE_ACTIVE',
    reason: '',
    brokerId: state.controller.leader ?? 0,
    shard: 0,
  }));
}

function shownTopic(world: World, topic: ShadowTopic) {
  return {
    name: topic.name,
    topicId: '',
    sourceTopicName: topic.name,
    sourceTopicId: '',
    status: {
      state: `SHADOW_TOPIC_STATE_${topic.state}`,
      partitionInformation: reportedPartitions(world, topic).map((partition) => {
        const { source, copy } = copiedPartition(topic, partition);
        return {
          partitionId: String(partition),
          sourceLastStableOffset: String(source),
          sourceHighWatermark: String(source),
          highWatermark: String(copy),
          sourceLastUpdatedTimestamp: '1970-01-01T00:00:00Z',
        };
      }),
    },
  };
}

/** Those that have a leader report, while their topic is copied (redpanda commit 1b95a07c: src/v/cluster_link/link.cc:67). */
function reportedPartitions({ state }: World, { name, state: now }: ShadowTopic): readonly number[] {
  if (now !== 'ACTIVE') return [];
  const own = [...state.partitions.values()].filter(({ ns, topic }) => ns === 'kafka' && topic === name);
  return own.filter(({ leader }) => leader !== null).map(({ id }) => id);
}

function shownConfigurations(link: ShadowLink): Message {
  const { configurations } = link;
  const topics = sectionOf(configurations, 'topicMetadataSyncOptions');
  return {
    clientOptions: shownClient(link),
    topicMetadataSyncOptions: {
      ...interval(topics),
      autoCreateShadowTopicFilters: listIn(topics, 'autoCreateShadowTopicFilters'),
      syncedShadowTopicProperties: listIn(topics, 'syncedShadowTopicProperties'),
      excludeDefault: topics.excludeDefault ?? false,
      ...picked(topics, 'startAtEarliest', 'startAtLatest', 'startAtTimestamp'),
    },
    consumerOffsetSyncOptions: withList(configurations, 'consumerOffsetSyncOptions', 'groupFilters'),
    securitySyncOptions: withList(configurations, 'securitySyncOptions', 'aclFilters'),
    schemaRegistrySyncOptions: withoutSecrets(sectionOf(configurations, 'schemaRegistrySyncOptions')),
    roleSyncOptions: withList(configurations, 'roleSyncOptions', 'roleNameFilters'),
  };
}

function withList(configurations: Message, section: string, list: string): Message {
  const options = sectionOf(configurations, section);
  return { ...interval(options), [list]: listIn(options, list) };
}

function interval({ interval: given, paused }: Message): Message {
  const hasOwn = given !== undefined && given !== '0s';
  return { interval: given ?? '0s', effectiveInterval: hasOwn ? given : '30s', paused: paused ?? false };
}

function picked(message: Message, ...names: readonly string[]): Message {
  return Object.fromEntries(names.flatMap((name) => (message[name] === undefined ? [] : [[name, message[name]]])));
}

const limits: Readonly<Record<string, number>> = {
  metadataMaxAgeMs: 10_000,
  connectionTimeoutMs: 1_000,
  retryBackoffMs: 100,
  fetchWaitMaxMs: 500,
  fetchMinBytes: 5 << 20,
  fetchMaxBytes: 20 << 20,
  fetchPartitionMaxBytes: 5 << 20,
};

/** The id of the source cluster is taken, and no code of the server reads it. */
function shownClient({ name, uid, configurations, passwordSetAt }: ShadowLink): Message {
  const client = sectionOf(configurations, 'clientOptions');
  const { tlsSettings, authenticationConfiguration: login } = client;
  const effective = Object.entries(limits).flatMap(([limit, fallback]) => {
    const given = Number(client[limit] ?? 0);
    const effectiveName = `effective${limit[0]?.toUpperCase()}${limit.slice(1)}`;
    return [
      [limit, given],
      [effectiveName, given === 0 ? fallback : given],
    ];
  });
  return {
    bootstrapServers: listIn(client, 'bootstrapServers'),
    clientId: `shadow-link-${name}-${uid}`,
    sourceClusterId: '',
    ...(tlsSettings !== undefined && { tlsSettings: withoutSecrets(tlsSettings) }),
    ...(login !== undefined && { authenticationConfiguration: withoutSecrets(login, passwordSetAt) }),
    ...Object.fromEntries(effective),
  };
}

/** A message whose passwords and keys are replaced by whether they are set. */
function withoutSecrets(value: unknown, setAt = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, setAt));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): readonly [string, unknown][] => {
      if (name === 'key') return one === '' ? [] : [['keyFingerprint', 'c2hhMjU2IG9mIHRoZSBrZXk=']];
      if (name !== 'password') return [[name, withoutSecrets(one, setAt)]];
      return [
        ['passwordSet', true],
        ['passwordSetAt', new Date(setAt).toISOString()],
      ];
    }),
  );
}
