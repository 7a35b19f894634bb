import type { RedriveTarget } from '../../kafka/carry/redrive/request.ts';
import type { Kind } from '../../kinds.ts';
import { newTopicName } from './topic-name.ts';

const header = 'header:';

function topicOf(value: string): string {
  if (value.includes(':')) {
    throw new Error(
      'dead letters stay in their cluster: copy them to another one first, or use header:NAME for a header',
    );
  }
  return newTopicName.parse(value);
}

/** `origin`, `header:NAME` or a topic. The names of topics have no colon; one with the name `origin` cannot be named. */
export const redriveTarget: Kind<RedriveTarget> = {
  name: 'destination',
  hint: 'origin|header:NAME|TOPIC',
  completes: 'topic',
  offers: ['origin', header],
  parse(value) {
    if (value === 'origin') return value;
    if (!value.startsWith(header)) return { topic: topicOf(value) };
    const name = value.slice(header.length);
    if (name === '') throw new Error('the name of the header after "header:" is missing');
    return { header: name };
  },
  show: (target) => (target === 'origin' ? target : 'header' in target ? `${header}${target.header}` : target.topic),
};
