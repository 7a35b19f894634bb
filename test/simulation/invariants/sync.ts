import { joinGroup } from '../../../src/sandbox/broker/apis/join-group.ts';
import type { Consuming } from '../consuming.ts';
import { syncCodeOf } from '../exchanges.ts';
import type { World } from '../world.ts';

/** How long a member puts up with a SyncGroup that fails, in milliseconds: the rebalance timeout. */
const limitMs = 60_000;
/** The last try may begin after a pause, and its answer has its way. */
const slackMs = 5_000;

/** How SyncGroup fared, member by member. */
export interface SyncWatch {
  /** Since when each client's SyncGroup has failed without a break, on the clock. */
  readonly failingSince: ReadonlyMap<string, number>;
}

/** Looks at each SyncGroup: a member does not go on with one that has failed for longer than its limit. */
export function watchSync({ clock, onExchange }: World, failures: string[]): SyncWatch {
  const failingSince = new Map<string, number>();
  onExchange((exchange) => {
    const { client, request } = exchange;
    if (request.readInt16BE(0) === joinGroup.key) failingSince.delete(client);
    const code = syncCodeOf(exchange);
    if (code === undefined) return;
    const since = failingSince.get(client) ?? clock.now();
    if (code === 0) failingSince.delete(client);
    else failingSince.set(client, since);
    if (clock.now() - since > limitMs + slackMs) failures.push(`${client} goes on with a SyncGroup that fails`);
  });
  return { failingSince };
}

/** Whether a member has ended because its SyncGroup failed for as long as it may. */
export function hasGivenUp({ failingSince }: SyncWatch, { name, error, endedAt }: Consuming): boolean {
  const since = failingSince.get(name);
  return error !== undefined && since !== undefined && endedAt - since >= limitMs;
}
