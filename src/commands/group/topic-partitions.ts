import { invalidError } from '../../errors.ts';
import type { TopicSelection } from '../../kafka/cluster/groups/group-rows.ts';
import { type Kind, text } from '../../kinds.ts';
import { topicName } from '../topic/topic-name.ts';

/** A word of a list of topics that may name partitions: `TOPIC`, `TOPIC:0` or, after such a word, another partition. */
export const topicOrPartition: Kind<string> = { ...text, hint: 'TOPIC[:0,1,2]', completes: 'topic' };

/**
 * Reads such a list, for example the words of `payments,orders:0,3`.
 * @throws CliError (exit 2) naming the flag
 */
export function selectedTopics(words: readonly string[], flagName: string): readonly TopicSelection[] {
  const topics: { topic: string; partitions: readonly number[] | undefined }[] = [];
  for (const word of words) {
    const last = topics.at(-1);
    const [, topic = word, partition] = /^(.*?):(.*)$/.exec(word) ?? [];
    try {
      if (partition === undefined && last?.partitions !== undefined && /^\d*$/.test(word)) {
        last.partitions = [...last.partitions, partitionOf(word)];
        continue;
      }
      if (topic === '') throw new Error('it has no topic');
      const partitions = partition === undefined ? undefined : [partitionOf(partition)];
      topics.push({ topic: topicName.parse(topic), partitions });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw invalidError(`invalid value "${words.join(',')}" of ${flagName}: ${reason}`, { target: flagName });
    }
  }
  return topics;
}

function partitionOf(word: string): number {
  if (!/^\d{1,9}$/.test(word)) throw new Error('not of the form TOPIC:0,1,2');
  return Number(word);
}
