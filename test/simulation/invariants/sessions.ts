import type { Consuming, Printed } from '../consuming.ts';
import { heartbeatCodeOf, syncCodeOf } from '../exchanges.ts';
import type { World } from '../world.ts';

/** How long a member can know that it is one, in milliseconds: the session timeout. */
const sessionMs = 45_000;

interface Confirmation {
  /** When the coordinator said so, or was asked at the latest, on the clock. */
  readonly at: number;
  readonly arrivedAt: number;
}

/** When coordinators have told each client that it is a member. */
export type SessionWatch = ReadonlyMap<string, readonly Confirmation[]>;

/** Watches the answers that tell members that they still are members. */
export function watchSessions({ clock, onArrival }: World): SessionWatch {
  const confirmed = new Map<string, Confirmation[]>();
  onArrival((exchange) => {
    const { client } = exchange;
    const isAssigned = syncCodeOf(exchange) === 0;
    if (!isAssigned && heartbeatCodeOf(exchange) !== 0) return;
    const own = confirmed.get(client) ?? [];
    confirmed.set(client, own);
    own.push({ at: isAssigned ? clock.now() : exchange.at, arrivedAt: clock.now() });
  });
  return confirmed;
}

/** Checks that no member prints what others have printed after a time in which the group may have removed it. */
export function checkSessions(members: readonly Consuming[], watch: SessionWatch, failures: string[]): void {
  const nameOf = ({ topic, partition, offset, value }: Printed): string => `${topic}/${partition}/${offset}/${value}`;
  const all = members.flatMap(({ name, printed }) => printed.map((record) => ({ name, record })));
  const byPlace = Map.groupBy(all, ({ record }) => nameOf(record));
  for (const { name, record } of all) {
    const { writtenAt, value } = record;
    const other = byPlace.get(nameOf(record))?.find((one) => one.name !== name && one.record.at < writtenAt);
    if (other === undefined) continue;
    const last = watch.get(name)?.findLast(({ arrivedAt }) => arrivedAt <= writtenAt);
    const silentMs = writtenAt - (last?.at ?? 0);
    if (silentMs < sessionMs) continue;
    failures.push(`${name} prints ${value} after ${other.name}, ${silentMs} ms after its coordinator has confirmed it`);
    return;
  }
}
