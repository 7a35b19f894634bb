import type { Kind } from '../../kinds.ts';
import { newTopicName } from './topic-name.ts';

/** A topic of a profile; without one, of the profile of the command. */
export interface CopyPlace {
  readonly profile: string | undefined;
  /** '' for topics of the same names. */
  readonly topic: string;
}

/** `[PROFILE:]TOPIC`, or `PROFILE:` alone. The names of topics have no colon. */
export const copyPlace: Kind<CopyPlace> = {
  name: 'place of a topic',
  hint: '[PROFILE:]TOPIC',
  completes: 'topic',
  parse(value) {
    const colon = value.lastIndexOf(':');
    const profile = colon < 0 ? undefined : value.slice(0, colon);
    if (profile === '') throw new Error('the name of the profile before ":" is missing');
    const topic = value.slice(colon + 1);
    if (profile === undefined || topic !== '') newTopicName.parse(topic);
    return { profile, topic };
  },
  show: ({ profile, topic }) => (profile === undefined ? topic : `${profile}:${topic}`),
};
