import type { Context } from '../../context.ts';
import { notFoundError } from '../../errors.ts';
import { partialHint } from '../not-found.ts';
import { checkTopicNames } from './topic-name.ts';

/** The topics that a command line selects. */
export interface TopicChoice {
  readonly topics: readonly string[];
  /** Whether `topics` are regular expressions that match whole names, except those of internal topics. */
  readonly regex: boolean;
}

/**
 * Returns the names of the selected topics, sorted.
 * @param verb what fails if no topic matches, for example `delete topics`
 */
export async function chosenTopics(
  context: Context,
  { topics, regex }: TopicChoice,
  verb: string,
): Promise<readonly string[]> {
  if (!regex) {
    checkTopicNames(topics);
    return [...new Set(topics)].sort();
  }
  const kafka = await context.kafka();
  const rows = await kafka.listTopics({ topics, regex, internal: false });
  if (rows.length > 0) return rows.map(({ name }) => name);
  throw notFoundError(`unable to ${verb}: no topic matches ${topics.join(' ')}`, {
    hints: [
      (await partialHint(context, 'topic', topics)) ??
        `match the whole name with a regular expression, and ${verb.split(' ')[0]} internal topics by name`,
    ],
  });
}
