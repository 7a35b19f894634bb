import { CliError, exitCodes, type ItemError } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { readSelection } from '../../protocol/partitions/topic-selection.ts';
import { createPartitions } from '../../protocol/wire/apis/create-partitions.ts';
import type { GrownTopic, GrowthCall, Planned } from './topic-rows.ts';

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
): Promise<Planned<GrownTopic>[]> {
  const { topics } = await readSelection(client, { topics: names, regex: false, internal: true });
  if (!force) refuseProtected(topics);
  return topics.map(({ name: topic, errorCode, partitions: { length: old } }) => {
    if (errorCode !== 0) return { topic, old_partitions: null, new_partitions: null, error: kafkaItemError(errorCode) };
    const wanted = to ?? old + (add ?? 0);
    if (wanted < old) return { topic, old_partitions: old, new_partitions: null, error: tooMany(old) };
    const status = wanted === old ? 'NOT_NEEDED' : undefined;
    return { topic, old_partitions: old, new_partitions: wanted, status, error: null };
  });
}

function tooMany(count: number): ItemError {
  const message = `the topic has ${count} partitions already, and partitions cannot be removed`;
  return { code: 'INVALID_PARTITIONS', number: null, message, retryable: false, exit_code: exitCodes.conflict };
}

/** What became of a topic: without its partitions, only the error. */
type Grown = Partial<GrownTopic> & { readonly error: ItemError | null };

/** Adds the planned partitions with one request, and waits until a broker reports them. */
export async function addPartitions(client: Client, planned: readonly GrownTopic[]): Promise<Grown[]> {
  const grown = await grow(client, planned, false);
  await untilGrown(
    client,
    planned.filter((_, at) => grown[at]?.error === null),
  );
  return grown;
}

/** Lets the controller check planned partitions without adding them. */
export async function validateGrowth(client: Client, planned: readonly GrownTopic[]): Promise<Grown[]> {
  return await grow(client, planned, true);
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

async function grow(client: Client, planned: readonly GrownTopic[], validateOnly: boolean): Promise<Grown[]> {
  const outcomes = await client.ask(growth(validateOnly), planned);
  return answered(outcomes).map((outcome) => {
    const error = itemErrorOf(outcome);
    return error === null ? { error } : { new_partitions: null, error };
  });
}

function growth(validateOnly: boolean) {
  return questionOf({
    api: { ...createPartitions, changes: !validateOnly },
    what: ({ topic }: GrownTopic) => `add partitions to topic "${topic}"`,
    keyOf: ({ topic }) => topic,
    request: (items: readonly GrownTopic[]) => ({
      topics: items.map((item) => ({ name: item.topic, count: item.new_partitions ?? 0 })),
      timeoutMs: controllerTimeoutMs,
      validateOnly,
    }),
    rows: ({ results }) => results.map((row) => [row.name, row] as const),
  });
}

/** Waits until a broker reports the new partitions with their leaders. */
async function untilGrown(client: Client, grown: readonly GrownTopic[]): Promise<void> {
  const pending = new Map(grown.map(({ topic, new_partitions: count }) => [topic, count ?? 0]));
  await untilVisible(client, async () => {
    if (pending.size === 0) return true;
    for (const { name, partitions } of (await client.metadata([...pending.keys()])).topics) {
      const led = partitions.filter(({ leader }) => leader >= 0).length;
      if (led >= (pending.get(name) ?? 0)) pending.delete(name);
    }
    return pending.size === 0;
  });
}
