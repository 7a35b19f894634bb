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
    const { active, idle } = readers(change.name);
    const whys = [
      change.why,
      contents.get(change.name),
      active.length > 0 && `read by ${shortList(active)}`,
      idle.length > 0 && `without members, with offsets: ${shortList(idle)}`,
    ];
    const why = whys.filter(Boolean).join('; ');
    const lastWrite = writes.get(change.name);
    if (active.length === 0 || force) return { ...change, why, lastWrite };
    return refused({ ...change, action: 'blocked', why: `${why}; --force deletes it` });
  });
}

function contentsOf({ partitions, sizes = [] }: DescribedTopic, lastWrite: number | undefined): string {
  const records = partitions.reduce((sum, one) => sum + (one.records ?? 0n), 0n);
  const bytes = sizes.reduce((sum, one) => sum + (one.bytes ?? 0n), 0n);
  const write = lastWrite === undefined ? '' : `, last write ${showUtcTime(lastWrite - (lastWrite % 1000))}`;
  return `${grouped(Number(records), 'record')}, ${showSize(Number(bytes))}${write}`;
}

interface Readers {
  /** The groups whose members read it. */
  readonly active: readonly string[];
  /** The groups that have committed offsets, and no member that reads it now. */
  readonly idle: readonly string[];
}

/** The groups that read a topic. */
async function readersOf(context: Context): Promise<(topic: string) => Readers> {
  const groups = await (await context.kafka()).describeGroups({ groups: ['.*'], regex: true });
  const rows = groups.flatMap(({ group, partitions }) => partitions.map((one) => ({ group, ...one })));
  const byTopic = Map.groupBy(rows, ({ topic }) => topic);
  return (topic) => {
    const all = byTopic.get(topic) ?? [];
    const active = new Set(all.filter(({ member_id: member }) => member !== null).map(({ group }) => group));
    const idle = new Set(all.map(({ group }) => group).filter((group) => !active.has(group)));
    return { active: [...active], idle: [...idle] };
  };
}
