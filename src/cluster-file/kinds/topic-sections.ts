import { topicNameFault } from '../../format/topic-name-fault.ts';
import { described, leftOut, type RowOf } from '../../shape/shape.ts';
import { byName, checked, emptyIfNull, fields, wholeFrom } from '../file/fields.ts';
import { removalFault, removalFields } from '../file/removal.ts';
import { configsField } from './configs.ts';

const sizeFields = {
  partitions: leftOut(described(wholeFrom(1, 100_000), 'number of partitions; it is never made smaller')),
  replicas: leftOut(described(wholeFrom(1, 32_767), 'number of replicas of each partition; reported, not changed')),
  configs: checked(configsField, (configs = {}) =>
    Object.hasOwn(configs, 'replication.factor') ? 'write "replicas:" instead of replication.factor' : undefined,
  ),
} as const;

/** `defaults: {topic: …}` */
export const defaultsShape = fields(sizeFields);
const topicShape = checked(emptyIfNull(fields({ ...sizeFields, ...removalFields })), removalFault);
/** `topics:` */
export const topicsShape = byName(topicShape, (name) => {
  const fault = topicNameFault(name);
  return fault === undefined ? undefined : `this is no name of a topic: ${fault}`;
});

type TopicEntry = RowOf<typeof topicShape>;

/** A topic as the files want it. */
export interface WantedTopic extends TopicEntry {
  readonly name: string;
  readonly way: readonly string[];
}
