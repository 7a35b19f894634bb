import type { RestoreState } from './storage-rows.ts';

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
  return isOver(state) && (state.error !== null || state.topics.some((one) => one.failed > 0));
}
