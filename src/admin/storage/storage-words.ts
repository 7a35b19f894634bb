import type { Migration, NewMigration, RestoreState, TopicReference } from './storage-rows.ts';

/** Whether a migration is canceled, or being canceled; servers differ in the spelling. */
export function isCanceled({ state }: Migration): boolean {
  return state.startsWith('cancel');
}

/** Whether a migration goes on, so that its topics cannot be in another one. */
export function isRunning({ state }: Migration): boolean {
  return !['finished', 'cancelled', 'canceled', 'deleted'].includes(state);
}

/** Whether a migration does what is wanted, and nothing else. */
export function isAbout({ type, topics }: Migration, request: NewMigration): boolean {
  const [only] = topics;
  if (only === undefined || topics.length > 1 || type !== request.type) return false;
  return isSame(only.source, request.source) && isSame(only.alias ?? only.source, request.alias ?? request.source);
}

/** Whether two references are about the same topic. */
export function isSame(a: TopicReference, b: TopicReference): boolean {
  return a.ns === b.ns && a.topic === b.topic;
}

/** The name of a topic, with its namespace unless it is that of Kafka clients. */
export function referenceName({ ns, topic }: TopicReference): string {
  return ns === 'kafka' ? topic : `${ns}/${topic}`;
}

/** Whether a restore is running. */
export function isRestoring(state: RestoreState): boolean {
  return !isOver(state) && !isFailed(state);
}

/** Whether no restore is running. */
export function isOver({ state, topics }: RestoreState): boolean {
  return (state === 'inactive' || state === 'complete') && topics.every(({ pending }) => pending === 0);
}

/** Whether the last restore has failed, as a whole or for some topics. */
export function isFailed(state: RestoreState): boolean {
  if (state.state === 'failed') return true;
  return isOver(state) && (state.reason !== null || state.topics.some((one) => one.failed > 0));
}
