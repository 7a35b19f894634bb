import { type Asked, lineForEachChange, type Planned } from '../../cli/forms/change.ts';
import type { Column } from '../../cli/forms/columns.ts';
import { notNeededIf, type Outcome } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { type ItemError, missingError, usageError } from '../../errors.ts';
import { inUnitOf } from '../../format/config-units.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import { isErasing, riskQuestion, risks, riskyOf } from '../../kafka/cluster/config-risk-words.ts';
import { AlteredTopic, type ConfigChange } from '../../kafka/cluster/topics/topic-rows.ts';
import { missingIn, suggestTopics } from '../not-found.ts';
import { chosenTopics, type TopicChoice } from './chosen-topics.ts';
import { reportIgnoredKeys, suggestConfigs } from './config-keys.ts';

type Changes = readonly ConfigChange[];

/** A topic with the values of its configs before and after, and the changes that lead from one to the other. */
type PlannedTopic = Planned<AlteredTopic> & { readonly given: Changes; readonly ignored: readonly string[] };

/**
 * Plans the changes of a command line for the topics that it selects. For a dry run, and before a question, the brokers
 * check them.
 * @throws CliError for changes that exclude each other, and if no topic matches
 */
export async function plannedConfigs(
  context: Context,
  choice: TopicChoice & { readonly dryRun: boolean },
  changes: GivenChanges,
): Promise<readonly PlannedTopic[]> {
  const given = changesOf(changes);
  const names = await chosenTopics(context, choice, 'alter topics');
  const kafka = await context.kafka();
  const topics = (await kafka.planConfigs(names, given)).map(({ isMade, ...one }) => {
    const status = notNeededIf(isMade);
    return { ...one, given, status };
  });
  if (!choice.dryRun && !given.some(({ key }) => isErasing(key))) return topics;
  const pending = topics.filter(({ status }) => status === undefined);
  const checked = await withSuggestions(context, given, await kafka.validateConfigs(pending, given));
  const byTopic = new Map(checked.map((one) => [one.topic, one]));
  return topics.map((one) => ({ ...one, ...byTopic.get(one.topic) }));
}

const columns: readonly Column<AlteredTopic & Outcome>[] = [
  'topic',
  ['key', ({ changes: [change] }) => change?.key],
  ['old', ({ changes: [change] }) => change?.old],
  ['new', ({ changes: [change] }) => change?.new],
];

/** What the commands that change configs of topics have in common after their plan. */
export const configChange = {
  changes: 'destroys' as const,
  asksBefore: risks.ofTopic,
  noun: 'topic',
  item: AlteredTopic,
  asks: erasureOf,
  previews: true,
  async apply(context: Context, topics: readonly PlannedTopic[]) {
    const given = topics[0]?.given ?? [];
    return await withSuggestions(context, given, await (await context.kafka()).alterConfigs(topics, given));
  },
  columns,
  lines: lineForEachChange<AlteredTopic & Outcome>,
  after: (context: Context, topics: readonly (AlteredTopic & Outcome)[]) =>
    suggestTopics(
      context,
      missingIn(topics, ({ topic }) => topic),
    ),
  notNeeded: ({ changes: [change] }: AlteredTopic) => (change?.operation === 'delete' ? 'not set' : 'already set'),
};

/** Suggests the keys that were meant for unknown ones, and names those without an effect. */
async function withSuggestions<T extends { readonly ignored: readonly string[]; readonly error: ItemError | null }>(
  context: Context,
  given: Changes,
  outcomes: readonly T[],
): Promise<readonly T[]> {
  await suggestConfigs(
    context,
    outcomes,
    given.map(({ key, value }) => [key, value ?? '']),
  );
  await reportIgnoredKeys(context, outcomes);
  const isListChange = given.some(({ operation }) => operation === 'append' || operation === 'subtract');
  if (isListChange && outcomes.some(({ error }) => error?.code === 'INVALID_CONFIG')) await suggestWholeList(context);
  return outcomes;
}

/** Redpanda takes values only as a whole (`kafka/server/handlers/incremental_alter_configs.cc`). */
async function suggestWholeList(context: Context): Promise<void> {
  if ((await (await context.kafka()).isRedpanda()) === true)
    context.hintAfter('set the whole list, for example: --set cleanup.policy=compact,delete');
}

/** The question before the configs of topics are changed so that records can be erased; null if nothing can be. */
function erasureOf(topics: readonly PlannedTopic[]): Asked {
  const erasing = topics.flatMap(({ topic, changes }) =>
    riskyOf(
      changes.map(({ key, old, new: after }) => ({ topic, key, before: old ?? undefined, after: after ?? undefined })),
    ),
  );
  if (erasing.length === 0) return null;
  const affected = [...new Set(erasing.map(({ topic }) => topic))];
  const number = count(affected.length, 'topic');
  return {
    question: riskQuestion(erasing, `${number} (${shortList(affected)})`),
    name: affected.length === 1 ? String(affected[0]) : number,
  };
}

/** The changes as they were given on the command line. */
export interface GivenChanges {
  readonly set: readonly (readonly [key: string, value: string])[];
  readonly delete: readonly string[];
  readonly append: readonly (readonly [key: string, value: string])[];
  readonly subtract: readonly (readonly [key: string, value: string])[];
}

/**
 * Makes one change of each key, sorted by key: the last value that is set counts, and values for a list are joined.
 * @throws CliError (exit 2) when nothing would change, or when a key has two kinds of change
 */
function changesOf(given: GivenChanges): Changes {
  const changes = new Map<string, ConfigChange>();
  const add = (key: string, operation: ConfigChange['operation'], value: string | undefined): void => {
    const earlier = changes.get(key);
    if (earlier !== undefined && earlier.operation !== operation)
      throw usageError(`unable to both ${earlier.operation} and ${operation} the config "${key}"`, { target: key });
    const isList = operation === 'append' || operation === 'subtract';
    changes.set(key, { key, operation, value: earlier && isList ? `${earlier.value},${value}` : value });
  };
  for (const [key, value] of given.set) add(key, 'set', inUnitOf(key, value));
  for (const key of given.delete) add(key, 'delete', undefined);
  for (const [key, value] of given.append) add(key, 'append', value);
  for (const [key, value] of given.subtract) add(key, 'subtract', value);
  if (changes.size === 0)
    throw missingError('--set, --delete, --append or --subtract', ['for example --set KEY=VALUE']);
  return [...changes.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
