import type { Client } from '../../protocol/client/client.ts';
import type { Overview } from './overview-rows.ts';
import { type GroupMarks, groupMarks, overviewOf } from './rates.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';

/** How many rounds the rates of groups are measured over. */
const window = 6;

/** Reads a cluster again and again. */
export interface Rounds {
  /**
   * Reads everything once and compares it with the rounds before. The retry rule applies to the first round only: a later one that fails is
   * repeated by whoever asks for the next.
   * @throws CliError if no broker answers
   */
  next(): Promise<Overview>;
}

/** Creates the rounds of one watch. */
export function createRounds(client: Client): Rounds {
  const earlier: GroupMarks[] = [];
  let last: Snapshot | undefined;
  return {
    async next() {
      const now = await readSnapshot(client, last);
      const shown = overviewOf(now, { last, oldest: earlier.at(0) });
      last = now;
      earlier.push(groupMarks(now));
      if (earlier.length > window) earlier.shift();
      return shown;
    },
  };
}
