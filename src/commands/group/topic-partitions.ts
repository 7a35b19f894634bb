import type { TopicSelection } from '../../kafka/group-admin/group-rows.ts';
import type { Kind } from '../../kinds.ts';
import { topicName } from '../topic/topic-name.ts';

/** `TOPIC`, `TOPIC:0,1,2`, or several of them: `a,b:0,3`. */
export const topicPartitions: Kind<readonly TopicSelection[]> = {
  name: 'topic:partitions',
  hint: 'TOPIC[:0,1,2]',
  completes: 'topic',
  parse(value) {
    const found: { topic: string; partitions: readonly number[] | undefined }[] = [];
    for (const word of value.split(',')) {
      const [topic = '', first, ...rest] = word.split(':');
      const last = found.at(-1);
      if (first === undefined && last?.partitions !== undefined && /^\d*$/.test(word)) {
        last.partitions = [...last.partitions, partitionOf(word)];
        continue;
      }
      if (topic === '') throw new Error('it has no topic');
      if (rest.length > 0) throw new Error('not of the form TOPIC:0,1,2');
      found.push({ topic: topicName.parse(topic), partitions: first === undefined ? undefined : [partitionOf(first)] });
    }
    return found;
  },
  show: (selections) =>
    selections
      .map(({ topic, partitions }) => (partitions === undefined ? topic : `${topic}:${partitions.join(',')}`))
      .join(','),
};

function partitionOf(word: string): number {
  if (!/^\d{1,9}$/.test(word)) throw new Error('not of the form TOPIC:0,1,2');
  return Number(word);
}
