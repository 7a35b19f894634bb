import { command, dryRun, flag, list, many, toggle } from '../../cli/command.ts';
import { count } from '../../format/count.ts';
import { statusCell } from '../../format/status.ts';
import { type Cell, table } from '../../format/table.ts';
import { type CreatedTopicRow, createdTopic } from '../../kafka/cluster/topics/topic-rows.ts';
import { integer } from '../../kinds.ts';
import { listOf } from '../../shape/shape.ts';
import { inUnitOf } from '../config-units.ts';
import { suggestConfigKeys, topicConfig } from './config-keys.ts';
import { maxPartitionCount } from './partition-count.ts';
import { newTopicName } from './topic-name.ts';
import { statusTable } from './topic-text.ts';

const maxReplicas = 32_767;

/** `topic create` */
export const create = command({
  summary: 'Create topics',
  description: `Creates all topics in one request, with the same number of partitions and replicas and the same configs. A
topic that cannot be created does not affect the others. Every topic has its own status. If all failures have the same
exit code (for example 6: the topic already exists), it is the exit code of the command; otherwise that is 1.`,
  examples: [
    ['Two topics with 20 partitions each', 'topic create -p 20 orders payments'],
    ['A compacted topic with three replicas', 'topic create users -r 3 -c cleanup.policy=compact'],
    ['Check whether a topic can be created, without creating it', 'topic create orders -p 20 --dry-run'],
    ['Succeed if the topic already exists', 'topic create orders --if-not-exists'],
  ],
  apis: ['kafka'],
  args: { topics: many(newTopicName, 'TOPIC', 'names of the topics to create') },
  flags: {
    partitions: flag(integer({ min: -1, max: maxPartitionCount }), {
      short: 'p',
      help: "number of partitions of each topic; -1 means the cluster's default",
      fallback: -1,
    }),
    replicas: flag(integer({ min: -1, max: maxReplicas }), {
      short: 'r',
      help: "number of replicas of each partition; -1 means the cluster's default",
      fallback: -1,
      aliases: ['replication-factor'],
    }),
    topicConfig: list(topicConfig, {
      short: 'c',
      help: 'config of the topics, for example retention.ms=7d or segment.bytes=64MiB',
    }),
    ifNotExists: toggle({ help: 'succeed for topics that already exist' }),
    dryRun: dryRun({ short: 'd' }),
    compact: toggle({ help: 'deprecated: use -c cleanup.policy=compact', hidden: true }),
  },
  changes: 'creates',
  result: listOf(createdTopic),
  async run(context, values) {
    const kafka = await context.kafka();
    const configs = configsOf(values.topicConfig, values.compact);
    const keys = configs.map(([key]) => key);
    const given = new Map(values.topicConfig);
    for (const [key, value] of configs) {
      const typed = given.get(key);
      if (typed !== undefined && typed !== value) context.notice(`sending ${key}=${value}`);
    }
    const rows = await kafka.createTopics({
      topics: values.topics,
      partitions: values.partitions,
      replicas: values.replicas,
      configs,
      dryRun: values.dryRun,
      ifNotExists: values.ifNotExists,
    });
    await suggestConfigKeys(context, rows, keys);
    return rows;
  },
  show: {
    text: (rows, view) => statusTable(rows, statusOf, view),
    wide: (rows, view) =>
      table(
        ['topic', 'partitions', 'replicas', 'topic id', 'status'],
        rows.map((row) => [row.topic, row.partitions, row.replicas, row.topic_id, statusOf(row)]),
        view,
      ),
  },
});

/** The configs by key: later ones override earlier ones, and all of them override `--compact`. */
function configsOf(given: readonly (readonly [string, string])[], compact: boolean): [string, string][] {
  const byKey = new Map(compact ? [['cleanup.policy', 'compact']] : []);
  for (const [key, value] of given) byKey.set(key, inUnitOf(key, value));
  return [...byKey];
}

function statusOf({ status, dry_run: isDryRun, partitions, replicas, error }: CreatedTopicRow): Cell {
  if (status === 'EXISTS') return 'OK (already exists)';
  if (!isDryRun) return statusCell(error);
  const size =
    partitions === null || replicas === null
      ? 'the requested sizes'
      : `${count(partitions, 'partition')} and ${count(replicas, 'replica')}`;
  return statusCell(error, `OK (dry run: would be created with ${size})`);
}
