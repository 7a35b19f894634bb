import type { Kind } from '../../kinds.ts';

/** A topic with some of its partitions; undefined: those that the command means by default. */
export interface TopicSelection {
  readonly topic: string;
  readonly partitions: readonly number[] | undefined;
}

/** `TOPIC`, or `TOPIC:0,1,2`. */
export const topicPartitions: Kind<TopicSelection> = {
  name: 'topic:partitions',
  hint: 'TOPIC[:0,1,2]',
  completes: 'topic',
  parse(value) {
    const [topic = '', list, ...rest] = value.split(':');
    if (topic === '') throw new Error('it has no topic');
    if (list === undefined) return { topic, partitions: undefined };
    const numbers = list.split(',');
    if (rest.length > 0 || !numbers.every((number) => /^\d{1,9}$/.test(number))) {
      throw new Error('not of the form TOPIC:0,1,2');
    }
    return { topic, partitions: numbers.map(Number) };
  },
  show: ({ topic, partitions }) => (partitions === undefined ? topic : `${topic}:${partitions.join(',')}`),
};
