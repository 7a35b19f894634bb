import { CliError, exitCodes, type ItemError } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { readSelection } from '../../protocol/partitions/topic-selection.ts';
import { createPartitions } from '../../protocol/wire/apis/create-partitions.ts';
import type { GrownTopicRow, GrowthCall, TopicGrowth } from './topic-rows.ts';

/** How long the controller waits for the new partitions, in milliseconds. */
const controllerTimeoutMs = 5000;

/** Topics of which a program relies on the number of partitions, besides those that the broker reports as internal. */
const protectedTopics: ReadonlySet<string> = new Set([
  '__consumer_offsets',
  '__transaction_state',
  '__share_group_state',
  '_schemas',
  'coprocessor_internal_topic',
]);

/**
 * Reads how many partitions topics have, and plans how many they get; returns rows sorted by name.
 * @throws CliError (exit 6) if a topic is protected and `force` is not set
 */
export async function planGrowth(
  client: Client,
  { topics: names, to, add, force }: GrowthCall,
): Promise<TopicGrowth[]> {
  const { topics } = await readSelection(client, { topics: names, regex: false, internal: true });
  if (!force) refuseProtected(topics);
  return topics.map(({ name: topic, errorCode, partitions: { length: old } }) => {
    if (errorCode !== 0) return { topic, old: null, new: null, error: kafkaItemError(errorCode) };
    const error = to !== undefined && to < old ? tooMany(old) : null;
    return { topic, old, new: error === null ? (to ?? old + (add ?? 0)) : null, error };
  });
}

function tooMany(count: number): ItemError {
  const message = `the topic has ${count} partitions already, and partitions cannot be removed`;
  return { code: 'INVALID_PARTITIONS', number: null, message, retryable: false, exit_code: exitCodes.conflict };
}

/** Adds the planned partitions with one request, and waits until a broker reports them; the request of a dry run only validates. */
export async function addPartitions(
  client: Client,
  plan: readonly TopicGrowth[],
  dryRun: boolean,
): Promise<GrownTopicRow[]> {
  const growing = plan.flatMap(({ topic, old, new: count }) => {
    return old === null || count === null || count === old ? [] : [{ topic, count }];
  });
  const errors = await grow(client, growing, dryRun);
  const rows = plan.map(({ topic, old, new: count, ...planned }): GrownTopicRow => {
    const error = errors.get(topic) ?? planned.error;
    const counts = { old_partitions: old, new_partitions: error === null ? count : null };
    return { topic, status: error === null ? 'OK' : 'ERROR', ...counts, dry_run: dryRun, error };
  });
  if (!dryRun) await untilGrown(client, rows);
  return rows;
}

function refuseProtected(topics: readonly TopicMetadata[]): void {
  const names = topics.filter(({ name, internal }) => internal || protectedTopics.has(name)).map(({ name }) => name);
  if (names.length === 0) return;
  throw new CliError(exitCodes.conflict, `unable to add partitions to internal topics: ${names.join(', ')}`, {
    code: 'INTERNAL_TOPIC',
    ...(names[0] !== undefined && { target: names[0] }),
    hints: ['the programs that own them rely on the number of partitions; use --force to add some anyway'],
  });
}

interface GrowingTopic {
  readonly topic: string;
  readonly count: number;
}

/** Why topics did not get their partitions. */
async function grow(
  client: Client,
  topics: readonly GrowingTopic[],
  dryRun: boolean,
): Promise<ReadonlyMap<string, ItemError>> {
  const question = questionOf({
    api: { ...createPartitions, changes: !dryRun },
    what: ({ topic }: GrowingTopic) => `add partitions to topic "${topic}"`,
    keyOf: ({ topic }) => topic,
    request: (items: readonly GrowingTopic[]) => ({
      topics: items.map((item) => ({ name: item.topic, count: item.count })),
      timeoutMs: controllerTimeoutMs,
      validateOnly: dryRun,
    }),
    rows: ({ results }) => results.map((row) => [row.name, row] as const),
  });
  return new Map(
    answered(await client.ask(question, topics)).flatMap((outcome) => {
      const error = itemErrorOf(outcome);
      return error === null ? [] : [[outcome.item.topic, error] as const];
    }),
  );
}

/** Waits until a broker reports the new partitions with their leaders. */
async function untilGrown(client: Client, rows: readonly GrownTopicRow[]): Promise<void> {
  const pending = new Map(rows.flatMap(({ topic, new_partitions: count }) => (count === null ? [] : [[topic, count]])));
  await untilVisible(client, async () => {
    if (pending.size === 0) return true;
    for (const { name, partitions } of (await client.metadata([...pending.keys()])).topics) {
      const led = partitions.filter(({ leader }) => leader >= 0).length;
      if (led >= (pending.get(name) ?? 0)) pending.delete(name);
    }
    return pending.size === 0;
  });
}
