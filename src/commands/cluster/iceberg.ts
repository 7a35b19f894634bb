import { IcebergStatus, type IcebergTopic } from '../../admin/iceberg-rows.ts';
import { any, noun } from '../../cli/command.ts';
import { tableOf } from '../../cli/forms/columns.ts';
import { getCommand } from '../../cli/forms/read.ts';
import { exitCodes } from '../../errors.ts';
import { type Section, sections } from '../../format/sections.ts';
import { healthCell } from '../../format/style.ts';
import { table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { topicName } from '../topic/topic-name.ts';

/** `cluster iceberg status` */
const status = getCommand({
  summary: 'Check the Iceberg catalog and how far topics are committed to it',
  description: `Without a TOPIC, shows all Iceberg topics. COMMIT-LAG is the number of records written to Parquet but not yet committed to
the catalog; --format wide and json have the offsets of each partition. Records that are not yet written to Parquet are not
counted. A closed topic was deleted, but its last files are still committed; a purged topic has no state left.

Exits with 10 if the broker cannot reach the catalog, and with 3 if a TOPIC is not an Iceberg topic, or nothing of it has
been written yet. Needs Redpanda 26.2 or newer.`,
  examples: [
    ['All topics', 'cluster iceberg status'],
    ['The partitions of a topic', 'cluster iceberg status orders --format wide'],
    ['The lag of each partition, for a script', 'cluster iceberg status --format json'],
  ],
  apis: ['admin'],
  args: { topics: any(topicName, 'TOPIC', 'names of topics (default: all)') },
  row: IcebergStatus,
  async read(context, { topics }) {
    const found = await (await context.admin()).icebergStatus([...new Set(topics)]);
    for (const name of missing(found, topics)) context.noticeAfter(`topic "${name}" has no Iceberg state`);
    return found;
  },
  text: (found, view) => sections(summary(found, view), view, 'always'),
  wide: (found, view) =>
    sections([...summary(found, view), { title: 'partitions', body: partitionsText(found, view) }], view, 'always'),
  exitCode(found, { topics }) {
    if (!found.catalog.reachable) return exitCodes.checkFailed;
    return missing(found, topics).length > 0 ? exitCodes.notFound : exitCodes.ok;
  },
});

/** `cluster iceberg` */
export const iceberg = noun({
  summary: 'Show the state of Iceberg topics and their catalog',
  commands: { status },
});

function missing({ topics }: IcebergStatus, names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => !topics.some(({ topic }) => topic === name));
}

function summary({ catalog, topics }: IcebergStatus, view: View): readonly Section[] {
  const { reachable, error_code: code, error_message: message } = catalog;
  const rows = [
    ['Reachable:', healthCell(String(reachable), reachable ? 'good' : 'bad')],
    ...(reachable ? [] : [['Error:', [code, message].filter(Boolean).join(': ')]]),
  ];
  const body = tableOf(
    topics,
    [
      'topic',
      ['state', ({ lifecycle_state: state }) => state?.toLowerCase() ?? null],
      ['partitions', ({ partitions }) => partitions.length],
      ['commit lag', commitLag],
    ],
    view,
  );
  return [
    { title: 'catalog', body: table([], rows, { ...view, noHeaders: true }) },
    { title: 'topics', body },
  ];
}

function commitLag({ partitions }: IcebergTopic): bigint {
  return partitions.reduce((sum, { commit_lag: lag }) => sum + BigInt(lag), 0n);
}

function partitionsText({ topics }: IcebergStatus, view: View): string {
  return tableOf(
    topics.flatMap(({ topic, partitions }) => partitions.map((one) => ({ topic, ...one }))),
    ['topic', 'partition', 'last_translated_offset', 'last_committed_offset', 'commit_lag'],
    view,
  );
}
