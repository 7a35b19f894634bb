import type { TopicReference } from '../../../admin/storage/storage-rows.ts';
import { integer, type Kind } from '../../../kinds.ts';
import { newTopicName } from '../../topic/topic-name.ts';

/** The id of a mount or unmount. */
export const migrationId: Kind<number> = { ...integer({ min: 0 }), completes: 'migration' };

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A topic of the cluster, with its namespace before it unless it is that of Kafka clients. */
export const topicReference: Kind<TopicReference> = {
  name: 'topic reference',
  hint: '[NAMESPACE/]TOPIC',
  parse(value) {
    const parts = value.split('/');
    const [topic = '', ns = 'kafka'] = parts.reverse();
    if (parts.length > 2 || ns === '') throw new Error('not of the form [NAMESPACE/]TOPIC');
    newTopicName.parse(topic);
    newTopicName.parse(ns);
    return { ns, topic };
  },
  show: ({ ns, topic }) => `${ns}/${topic}`,
};

/** A topic of the cluster that exists. */
export const ownTopic: Kind<TopicReference> = { ...topicReference, completes: 'topic' };

/** A topic in object storage, by its name or by its location (`TOPIC/UUID/REVISION`). */
export const storedTopic: Kind<TopicReference> = {
  ...topicReference,
  hint: '[NAMESPACE/]TOPIC|LOCATION',
  completes: 'mountable-topic',
  parse(value) {
    const parts = value.split('/');
    const [revision = '', id = '', topic = '', ns = 'kafka'] = parts.toReversed();
    if (parts.length < 3 || parts.length > 4 || !uuid.test(id) || !/^\d+$/.test(revision)) {
      return topicReference.parse(value);
    }
    const named = topicReference.parse(`${ns}/${topic}`);
    return { ns: named.ns, topic: `${topic}/${id}/${revision}` };
  },
};
