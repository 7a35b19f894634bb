import { invalidError } from '../../errors.ts';
import { shellWord } from '../../format/shell-word.ts';
import { topicNameFault } from '../../format/topic-name-fault.ts';
import { withoutValue } from '../../format/without-value.ts';
import { type Kind, text } from '../../kinds.ts';

const allowed = 'use 1 to 249 of the characters a-z A-Z 0-9 . _ - for a topic name, but not "." or ".."';

/** `topic copy` takes PROFILE:TOPIC, other commands do not. */
function profileHint(name: string): string | undefined {
  const [, profile, topic] = /^([\w.-]+):([\w.-]+)$/.exec(name) ?? [];
  return profile === undefined
    ? undefined
    : `for a topic in the cluster of a profile, use: ${topic} --profile ${profile}`;
}

/** A name with `*` is meant as a pattern, and patterns are regular expressions. */
function patternHint(name: string): string | undefined {
  if (!/[*?]/.test(name)) return undefined;
  const pattern = name.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
  return `for all topics that match, use a regular expression: -r ${shellWord(pattern)}`;
}

function operatorHint(name: string): string | undefined {
  return /^[=!<>&|]+$/.test(name) ? "put the whole condition in quotes: --where 'value.total > 9'" : undefined;
}

/** The name of a new topic, checked by the rules of Kafka and Redpanda before any connection is made. */
export const newTopicName: Kind<string> = {
  name: 'topic name',
  hint: 'TOPIC',
  parse(value) {
    const fault = topicNameFault(value);
    if (fault !== undefined) throw new Error(`${fault} (${profileHint(value) ?? allowed})`);
    return value;
  },
  show: (value) => value,
};

/** The name of a topic, which usually exists. */
export const topicName: Kind<string> = { ...newTopicName, completes: 'topic' };

/** The name of a topic or, depending on the flags, a pattern; `checkTopicNames` checks a name. */
export const topicOrPattern: Kind<string> = { ...text, completes: 'topic' };

/** Checks topic names whose argument may also hold patterns, depending on the flags; `more` are hints. */
export function checkTopicNames(names: readonly string[], more: readonly string[] = []): void {
  for (const name of names) {
    const fault = topicNameFault(name);
    if (fault === undefined) continue;
    const hints = [operatorHint(name) ?? profileHint(name) ?? patternHint(name) ?? allowed, ...more];
    throw invalidError(`invalid topic name "${withoutValue(name)}": ${fault}`, { hints });
  }
}
