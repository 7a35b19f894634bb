import { command, flag, list, many, toggle } from '../../cli/command.ts';
import {
  arrayOf,
  booleanSchema,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  string,
  wordOf,
} from '../../cli/output/schema.ts';
import { exitCodeOfItems } from '../../errors.ts';
import { type Cell, table } from '../../format/table.ts';
import type { CreatedTopicRow } from '../../kafka/topics/topic-rows.ts';
import { integer, keyValue } from '../../kinds.ts';
import { topicName } from './topic-name.ts';
import { count, statusCell } from './topic-text.ts';

const maxPartitions = 2_147_483_647;
const maxReplicas = 32_767;

/** `topic create` */
export const create = command({
  summary: 'Create topics',
  description: `All topics get the same number of partitions and replicas and the same configs, in one request.
A topic that cannot be created does not keep the others from being created: every topic has its own status,
and the exit code is that of the failed ones where they agree (6: exists already), else 1.`,
  examples: [
    ['Two topics with 20 partitions each', 'topic create -p 20 orders payments'],
    ['A compacted topic with three replicas', 'topic create users -r 3 -c cleanup.policy=compact'],
    ['Only check whether it could be created', 'topic create orders -p 20 --dry-run'],
    ['In a script that may run again', 'topic create orders --if-not-exists'],
  ],
  apis: ['kafka'],
  args: { topics: many(topicName, 'TOPIC', 'names of the topics to create') },
  flags: {
    partitions: flag(integer({ min: -1, max: maxPartitions }), {
      short: 'p',
      help: 'number of partitions of each topic; -1: the default of the cluster',
      fallback: -1,
    }),
    replicas: flag(integer({ min: -1, max: maxReplicas }), {
      short: 'r',
      help: 'number of replicas of each partition; -1: the default of the cluster',
      fallback: -1,
    }),
    topicConfig: list(keyValue, { short: 'c', help: 'a config of the topics, for example retention.ms=3600000' }),
    ifNotExists: toggle({ help: 'a topic that exists already is no failure' }),
    dry: toggle({ short: 'd', help: 'the same as --dry-run', hidden: true }),
    compact: toggle({ help: 'deprecated: use -c cleanup.policy=compact', hidden: true }),
  },
  changes: 'creates',
  async run(context, values) {
    const kafka = await context.kafka();
    if (values.dry && !values.dryRun) context.notice('dry run: nothing was changed');
    return kafka.createTopics({
      topics: values.topics,
      partitions: values.partitions,
      replicas: values.replicas,
      configs: configsOf(values.topicConfig, values.compact),
      dryRun: values.dryRun || values.dry,
      ifNotExists: values.ifNotExists,
    });
  },
  output: {
    schema: arrayOf(
      object({
        topic: string,
        status: wordOf('OK', 'EXISTS', 'ERROR'),
        topic_id: nullable(string),
        partitions: nullable(integerSchema),
        replicas: nullable(integerSchema),
        dry_run: booleanSchema,
        error: itemErrorSchema,
      }),
    ),
    text: (rows, view) =>
      table(
        ['topic', 'status'],
        rows.map((row) => [row.topic, statusOf(row)]),
        view,
      ),
    wide: (rows, view) =>
      table(
        ['topic', 'partitions', 'replicas', 'topic id', 'status'],
        rows.map((row) => [row.topic, row.partitions, row.replicas, row.topic_id, statusOf(row)]),
        view,
      ),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  },
});

/** The configs by key: a later one wins, `--compact` loses to all. */
function configsOf(given: readonly (readonly [string, string])[], compact: boolean): [string, string][] {
  const byKey = new Map(compact ? [['cleanup.policy', 'compact']] : []);
  for (const [key, value] of given) byKey.set(key, value);
  return [...byKey];
}

function statusOf({ status, dry_run: isDryRun, partitions, replicas, error }: CreatedTopicRow): Cell {
  if (status === 'EXISTS') return 'OK (exists already)';
  if (!isDryRun) return statusCell(error);
  const size =
    partitions === null || replicas === null
      ? 'the sizes asked for'
      : `${count(partitions, 'partition')} and ${count(replicas, 'replica')}`;
  return statusCell(error, `OK (dry run: would be created with ${size})`);
}
