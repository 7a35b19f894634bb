import { joinGroup } from '../../../src/kafka/protocol/wire/apis/join-group.ts';
import type { Consuming } from '../consuming.ts';
import { syncCodeOf } from '../exchanges.ts';
import type { World } from '../world.ts';

/** How long a member retries a SyncGroup that fails, in milliseconds: the rebalance timeout. */
const limitMs = 60_000;
/** The pause before the last attempt and the latency of its answer, in milliseconds. */
const slackMs = 5_000;

/** The failures of SyncGroup, by member. */
export interface SyncWatch {
  /** When the SyncGroup of each client failed first in a row, on the clock. */
  readonly failingSince: ReadonlyMap<string, number>;
}

/** Watches each SyncGroup: a member must not repeat one that has failed for longer than its limit. */
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
    if (clock.now() - since > limitMs + slackMs) failures.push(`${client} keeps repeating a SyncGroup that fails`);
  });
  return { failingSince };
}

/** Checks whether a member has ended because its SyncGroup failed for the whole limit. */
export function hasGivenUp({ failingSince }: SyncWatch, { name, error, endedAt }: Consuming): boolean {
  const since = failingSince.get(name);
  return error !== undefined && since !== undefined && endedAt - since >= limitMs;
}
