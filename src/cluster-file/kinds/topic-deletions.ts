import type { Context } from '../../context.ts';
import { grouped } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import { showSize } from '../../format/size.ts';
import { showUtcTime } from '../../format/time.ts';
import type { DescribedTopic } from '../../kafka/cluster/topics/topic-rows.ts';
import type { Change, PlanOptions } from './kind.ts';
import { refused } from './refusal.ts';

/** Says what a deletion takes away, and refuses that of a topic that is read. */
export async function judgeDeletions(
  context: Context,
  { changes }: { readonly changes: readonly Change[] },
  { force }: Pick<PlanOptions, 'force'>,
): Promise<readonly Change[]> {
  const names = changes.filter(({ action }) => action === 'delete').map(({ name }) => name);
  if (names.length === 0) return changes;
  const kafka = await context.kafka();
  const call = { topics: names, regex: false, configs: false, partitions: true, stable: false, sizes: true };
  const [topicRows, writes, readers] = await Promise.all([
    kafka.describeTopics(call),
    // Brokers before Kafka 3.0 cannot say it.
    kafka.lastWrites(names).catch(() => new Map<string, number>()),
    readersOf(context),
  ]);
  const contents = new Map(
    topicRows.map((topic) => [topic.summary.name, contentsOf(topic, writes.get(topic.summary.name))]),
  );
  return changes.map((change): Change => {
    if (change.action !== 'delete') return change;
    const groups = readers(change.name);
    const whys = [change.why, contents.get(change.name), groups.length > 0 && `read by ${shortList(groups)}`];
    const why = whys.filter(Boolean).join('; ');
    if (groups.length === 0 || force) return { ...change, why };
    return refused({ ...change, action: 'blocked', why: `${why}; --force deletes it` });
  });
}

function contentsOf({ partitions, sizes = [] }: DescribedTopic, lastWrite: number | undefined): string {
  const records = partitions.reduce((sum, one) => sum + (one.records ?? 0n), 0n);
  const bytes = sizes.reduce((sum, one) => sum + (one.bytes ?? 0n), 0n);
  const write = lastWrite === undefined ? '' : `, last write ${showUtcTime(lastWrite - (lastWrite % 1000))}`;
  return `${grouped(Number(records), 'record')}, ${showSize(Number(bytes))}${write}`;
}

/** The groups with members that read a topic. */
async function readersOf(context: Context): Promise<(topic: string) => readonly string[]> {
  const groups = await (await context.kafka()).describeGroups({ groups: ['.*'], regex: true });
  const byTopic = new Map<string, string[]>();
  for (const { group, partitions } of groups)
    for (const topic of new Set(partitions.filter((one) => one.member_id !== null).map((one) => one.topic)))
      byTopic.set(topic, [...(byTopic.get(topic) ?? []), group]);
  return (topic) => byTopic.get(topic) ?? [];
}
