import type { Confirmation } from '../../cli/command.ts';
import { tableOf } from '../../cli/forms/columns.ts';
import { type Outcome, outcomeCell } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { type ItemError, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import type { View } from '../../format/view.ts';
import { AlteredTopic, type ConfigChange } from '../../kafka/cluster/topics/topic-rows.ts';
import { erasingOf, erasureQuestion, isErasing } from '../config-erasure.ts';
import { inUnitOf } from '../config-units.ts';
import { chosenTopics, type TopicChoice } from './chosen-topics.ts';
import { suggestConfigKeys } from './config-keys.ts';

type Changes = readonly ConfigChange[];

/** A topic with the values of its configs before and after, and the changes that lead from one to the other. */
type PlannedTopic = AlteredTopic & { readonly given: Changes };

/**
 * Plans the changes of a command line for the topics that it selects.
 * @throws CliError for changes that exclude each other, and if no topic matches
 */
export async function plannedConfigs(
  context: Context,
  choice: TopicChoice,
  changes: GivenChanges,
): Promise<readonly PlannedTopic[]> {
  const given = changesOf(changes);
  const topics = await chosenTopics(context, choice, 'alter topics');
  const planned = await (await context.kafka()).planConfigs(topics, given);
  return planned.map((one) => ({ ...one, given }));
}

/** What the commands that change configs of topics have in common after their plan. */
export const configChange = {
  changes: 'destroys' as const,
  noun: 'topic',
  item: AlteredTopic,
  asks: erasureOf,
  async validate(context: Context, topics: readonly PlannedTopic[]) {
    const kafka = await context.kafka();
    return await withSuggestions(context, topics, await kafka.validateConfigs(topics, givenOf(topics)));
  },
  async apply(context: Context, topics: readonly PlannedTopic[]) {
    const kafka = await context.kafka();
    return await withSuggestions(context, topics, await kafka.alterConfigs(topics, givenOf(topics)));
  },
  text: configChangesText,
};

/** Suggests the keys that were meant for unknown ones. */
async function withSuggestions<T extends { readonly error: ItemError | null }>(
  context: Context,
  topics: readonly PlannedTopic[],
  outcomes: readonly T[],
): Promise<readonly T[]> {
  const keys = givenOf(topics).map(({ key }) => key);
  await suggestConfigKeys(context, outcomes, keys);
  return outcomes;
}

/** The changes, which are the same for every topic. */
function givenOf(topics: readonly PlannedTopic[]): Changes {
  return topics[0]?.given ?? [];
}

/** A line for each changed config, or for the topic that could not be changed. */
function configChangesText(topics: readonly (AlteredTopic & Outcome)[], view: View): string {
  const nothing = [{ key: null, old: null, new: null }];
  const lines = topics.flatMap(({ changes, ...topic }) =>
    (changes.length === 0 ? nothing : changes).map((change) => ({ ...topic, ...change })),
  );
  return tableOf(lines, ['topic', 'key', 'old', 'new', ['status', (line) => outcomeCell(line, {})]], view);
}

/**
 * The question before the configs of topics are changed so that records can be erased; null if nothing can be. Topics
 * whose changes the brokers would refuse are not asked about.
 */
async function erasureOf(topics: readonly PlannedTopic[], _: unknown, context: Context): Promise<Confirmation | null> {
  if (!givenOf(topics).some(({ key }) => isErasing(key))) return null;
  const valid = await (await context.kafka()).validateConfigs(topics, givenOf(topics));
  const erasing = erasingOf(
    valid.flatMap(({ topic, changes }) =>
      changes.map(({ key, old, new: after }) => ({
        where: [topic],
        key,
        before: old ?? undefined,
        after: after ?? undefined,
      })),
    ),
  );
  if (erasing.length === 0) return null;
  const affected = [...new Set(erasing.map(({ where }) => String(where[0])))];
  const number = count(affected.length, 'topic');
  return erasureQuestion(erasing, {
    whose: `${number} (${shortList(affected)})`,
    name: affected.length === 1 ? String(affected[0]) : number,
    columns: ['topic'],
  });
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
    throw usageError('no change was given', { hints: ['use --set KEY=VALUE, --delete KEY, --append or --subtract'] });
  return [...changes.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
