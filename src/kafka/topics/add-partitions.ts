import { CliError, exitCodes } from '../../errors.ts';
import type { Client, TopicMetadata } from '../client/client.ts';
import { answered, itemErrorOf, type Located, questionOf } from '../client/question.ts';
import type { Target } from '../client/targets.ts';
import { untilVisible } from '../client/visibility.ts';
import { kafkaItemError } from '../errors.ts';
import { createPartitions } from '../wire/apis/create-partitions.ts';
import { readSelection } from './topic-listing.ts';
import type { AddPartitionsCall, GrownTopicRow } from './topic-rows.ts';

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
 * Adds partitions to topics with one request; returns rows sorted by name.
 * @throws CliError (exit 6) before any change if a topic is protected and `force` is not set
 */
export async function addPartitions(client: Client, call: AddPartitionsCall): Promise<GrownTopicRow[]> {
  const { topics } = await readSelection(client, { topics: call.topics, regex: false, internal: true });
  if (!call.force) refuseProtected(topics);
  const growing = topics.filter(({ errorCode }) => errorCode === 0);
  const grown = await grow(client, growing, call);
  if (!call.dryRun) await untilGrown(client, [...grown.values()]);
  return topics.map(({ name, errorCode }) => grown.get(name) ?? unread(name, errorCode, call));
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

async function grow(
  client: Client,
  topics: readonly TopicMetadata[],
  { add, dryRun }: AddPartitionsCall,
): Promise<ReadonlyMap<string, GrownTopicRow>> {
  const question = questionOf({
    api: { ...createPartitions, changes: !dryRun },
    what: ({ name }: TopicMetadata) => `add partitions to topic "${name}"`,
    target: (): Target => 'controller',
    keyOf: ({ name }) => name,
    request: (items: readonly Located<TopicMetadata>[]) => ({
      topics: items.map(({ item }) => ({ name: item.name, count: item.partitions.length + add })),
      timeoutMs: controllerTimeoutMs,
      validateOnly: dryRun,
    }),
    rows: ({ results }) => results.map((row) => [row.name, row] as const),
  });
  const outcomes = answered(await client.ask(question, topics));
  return new Map(
    outcomes.map((outcome) => {
      const { name: topic, partitions } = outcome.item;
      const error = itemErrorOf(outcome);
      const isDone = error === null;
      const counts = { old_partitions: partitions.length, new_partitions: isDone ? partitions.length + add : null };
      return [topic, { topic, status: isDone ? 'OK' : 'ERROR', ...counts, dry_run: dryRun, error }];
    }),
  );
}

function unread(topic: string, errorCode: number, { dryRun }: AddPartitionsCall): GrownTopicRow {
  const counts = { old_partitions: null, new_partitions: null };
  return { topic, status: 'ERROR', ...counts, dry_run: dryRun, error: kafkaItemError(errorCode) };
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
