import { nearest } from '../config/nearest.ts';
import type { Context } from '../context.ts';
import { CliError, exitCodes, type ItemError, withHints, withHintsFirst } from '../errors.ts';
import type { Kafka } from '../kafka/open.ts';
import { partialMatch } from './partial-match.ts';

/** What a command line may name although it does not exist. */
interface Sort {
  readonly word: 'group' | 'topic';
  /** How to see those that exist. */
  readonly see: string;
  /** The code of the error about a missing one. */
  readonly code: string;
  /** The names of those that exist, from one request. */
  names(kafka: Kafka): Promise<readonly string[]>;
}

const groups: Sort = {
  word: 'group',
  see: 'see the groups with: weir group list',
  code: 'GROUP_ID_NOT_FOUND',
  async names(kafka) {
    const rows = await kafka.listGroups({ states: [], types: [] });
    return rows.flatMap(({ group }) => group ?? []);
  },
};

const topics: Sort = {
  word: 'topic',
  see: 'see the topics with: weir topic list',
  code: 'UNKNOWN_TOPIC_OR_PARTITION',
  async names(kafka) {
    const rows = await kafka.listTopics({ topics: [], regex: false, internal: false });
    return rows.map(({ name }) => name);
  },
};

/** With more names, the comparison would take longer than the command. */
const mostNames = 20_000;
/** Of more names that do not exist, nobody reads the suggestions, and finding them would take minutes. */
const mostSuggestions = 20;

/** Finds what exists, for suggestions; nothing if it cannot be listed. */
async function existing(context: Context, sort: Sort): Promise<readonly string[]> {
  try {
    const names = await sort.names(await context.kafka());
    return names.length > mostNames ? [] : names;
  } catch {
    return []; // the name is missing all the same
  }
}

/** The name that was probably meant; undefined also for a name that exists, such as that of a topic without the partition. */
async function meantBy(name: string, names: readonly string[]): Promise<string | undefined> {
  return names.includes(name) ? undefined : await nearest(name, names);
}

/** Adds hints to the error of a group that does not exist: a group that was probably meant, and `more`. */
export async function adviseGroup(error: unknown, context: Context, more: readonly string[] = []): Promise<unknown> {
  if (!(error instanceof CliError) || error.code !== groups.code || error.target === undefined) return error;
  const meant = await meantBy(error.target, await existing(context, groups));
  return withHints(error, [`${meant === undefined ? '' : `did you mean "${meant}"? `}${groups.see}`, ...more]);
}

/** Adds a hint to the error of a topic that does not exist, before those to create one: a topic that was probably meant. */
export async function adviseTopic(error: unknown, context: Context): Promise<unknown> {
  if (!(error instanceof CliError) || error.code !== topics.code || error.target === undefined) return error;
  if (context.signal.aborted) return error;
  const meant = await meantBy(error.target, await existing(context, topics));
  return meant === undefined ? error : withHintsFirst(error, [`did you mean "${meant}"?`]);
}

/** Suggests a group for each name of one that does not exist, or how to see the groups. */
export async function suggestGroups(context: Context, missing: readonly string[]): Promise<void> {
  await suggest(context, groups, missing);
}

/** Suggests a topic for each name of one that does not exist, or how to see the topics. */
export async function suggestTopics(context: Context, missing: readonly string[]): Promise<void> {
  await suggest(context, topics, missing);
}

async function suggest(context: Context, sort: Sort, missing: readonly string[]): Promise<void> {
  if (missing.length === 0) return;
  const names = await existing(context, sort);
  // A topic that exists lacks a partition.
  const absent = missing.filter((name) => !names.includes(name));
  const hints: string[] = [];
  for (const name of absent.slice(0, mostSuggestions)) {
    const meant = await meantBy(name, names);
    if (meant !== undefined) hints.push(`no ${sort.word} "${name}" exists; did you mean "${meant}"?`);
  }
  if (hints.length === 0 && absent.length > 0) hints.push(sort.see);
  for (const hint of hints) context.hintAfter(hint);
}

/** The names of the items that do not exist. */
export function missingIn<T extends { readonly error: ItemError | null }>(
  rows: readonly T[],
  nameOf: (row: T) => string,
): readonly string[] {
  return rows.filter(({ error }) => error?.exit_code === exitCodes.notFound).map(nameOf);
}

/** How patterns would match topics or groups of whose names they match only a part; undefined if there are none. */
export async function partialHint(
  context: Context,
  word: 'topic' | 'group',
  patterns: readonly string[],
): Promise<string | undefined> {
  return partialMatch(patterns, await existing(context, word === 'topic' ? topics : groups));
}

/** The hint about patterns that match not even a part of a name. */
export const wholeNameHint = 'write a regular expression that matches the whole name, such as "name.*"';

/** What patterns match; with `--if-exists`, nothing instead of an error if they match nothing. */
export async function matchesIfAny(
  isOptional: boolean,
  matches: Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await matches;
  } catch (error) {
    if (isOptional && error instanceof CliError && error.exitCode === exitCodes.notFound) return [];
    throw error;
  }
}
