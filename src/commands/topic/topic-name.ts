import { usageError } from '../../errors.ts';
import { withoutValue } from '../../format/without-value.ts';
import type { Kind } from '../../kinds.ts';

const allowed = 'a topic name is 1 to 249 of the characters a-z A-Z 0-9 . _ - and not "." or ".."';

/** The name of a topic, checked by the rules of Kafka and Redpanda before anything is dialled. */
export const topicName: Kind<string> = {
  name: 'topic name',
  hint: 'TOPIC',
  parse(value) {
    const fault = faultOf(value);
    if (fault !== undefined) throw new Error(`${fault} (${allowed})`);
    return value;
  },
  show: (value) => value,
};

/** Checks names that came as patterns or names, where only the flags say which. */
export function checkTopicNames(names: readonly string[]): void {
  for (const name of names) {
    const fault = faultOf(name);
    if (fault === undefined) continue;
    throw usageError(`the topic name "${withoutValue(name)}" is not valid: ${fault}`, { hints: [allowed] });
  }
}

function faultOf(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name === '.' || name === '..') return `it is "${name}"`;
  const foreign = /[^a-zA-Z0-9._-]/u.exec(name)?.[0];
  if (foreign !== undefined) return `it contains ${JSON.stringify(foreign)}`;
  return name.length > 249 ? `it has ${name.length} characters` : undefined;
}
