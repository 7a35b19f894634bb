import { CliError } from '../../../errors.ts';
import type { Client } from './client.ts';

/** The longest wait in total, the first pause between two requests and the longest one, in milliseconds. */
const patienceMs = 5000;
const firstPauseMs = 5;
const longestPauseMs = 250;

/**
 * Waits until a broker shows a change, so that the next command sees it. Brokers learn of it some milliseconds after
 * the controller. Gives up silently after five seconds, when the check fails, or when the command is stopped, because the
 * change itself is done.
 */
export async function untilVisible(client: Client, isVisible: () => Promise<boolean>): Promise<void> {
  const { signal, clock } = client.options.deadline;
  const end = clock.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      if (await isVisible()) return;
      if (clock.now() + pauseMs > end) return;
      await clock.sleep(pauseMs, signal);
    } catch (error) {
      if (signal.aborted || error instanceof CliError) return;
      throw error;
    }
  }
}
