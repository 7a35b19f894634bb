import type { Client } from '../client/client.ts';

/** The longest wait in total, the first pause between two requests and the longest one, in milliseconds. */
const patienceMs = 5000;
const firstPauseMs = 5;
const longestPauseMs = 250;

/**
 * Calls `look` until it returns true. Brokers learn of a change some milliseconds after the controller, and the next
 * command should see it. Gives up silently after five seconds, because the change itself is done.
 */
export async function untilSeen(client: Client, look: () => Promise<boolean>): Promise<void> {
  const { signal, clock } = client.options.deadline;
  const end = clock.now() + patienceMs;
  for (let pauseMs = firstPauseMs; !(await look()); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (clock.now() + pauseMs > end) return;
    await clock.sleep(pauseMs, signal);
  }
}
