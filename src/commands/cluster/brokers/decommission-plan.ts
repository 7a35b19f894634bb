import type { Broker, HeldPartition } from '../../../admin/brokers/broker-rows.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { listOf, maybe, type RowOf, row, string, whole, word } from '../../../shape/shape.ts';
import { memberOf } from '../member.ts';

/** The replicas of one topic that a decommission moves. */
const topicMove = row({
  topic: string,
  replicas: whole,
  /** Those that cannot move: their partition has a replica on every broker that remains. */
  without_place: whole,
});

/** What a decommission would do now. */
export const decommissionPlan = row({
  id: whole,
  /** `active`, `draining` (an earlier command has started it) or `removed` (it is done). */
  membership: word('active', 'draining', 'removed'),
  /** The replicas that move, by topic; null if they are not known. */
  topics: maybe(listOf(topicMove)),
});

/** What a decommission would do now. */
export type DecommissionPlan = RowOf<typeof decommissionPlan>;

/**
 * Plans a decommission without changing anything.
 * @param isForced accepts brokers that are down
 * @throws CliError (exit 3) for an unknown broker, (exit 6) for one that cannot be decommissioned in its state
 */
export async function planDecommission(context: Context, id: number, isForced: boolean): Promise<DecommissionPlan> {
  const admin = await context.admin();
  const brokers = await admin.brokers();
  if (!brokers.some((one) => one.id === id)) {
    const hasLeft = (await admin.formerBrokers()).some((one) => one.id === id);
    if (hasLeft) return { id, membership: 'removed', topics: [] };
  }
  const broker = memberOf(brokers, id);
  if (broker.membership === 'draining') return { id, membership: 'draining', topics: null };
  const remaining = brokers.filter((one) => one.id !== id && one.membership === 'active');
  check(broker, { remaining, down: isForced ? [] : brokers.filter(isDown) });
  const held = await admin.partitionsOn(id);
  return { id, membership: 'active', topics: held === undefined ? null : movesOf(held, remaining.length) };
}

function isDown({ is_alive: isAlive, version }: Broker): boolean {
  return isAlive === false || version === null;
}

function check(
  { id }: Broker,
  { remaining, down }: { readonly remaining: readonly Broker[]; readonly down: readonly Broker[] },
): void {
  const refuse = (reason: string, hint: string): CliError =>
    new CliError(exitCodes.conflict, `unable to decommission broker ${id}: ${reason}`, {
      target: String(id),
      hints: [hint],
    });
  if (remaining.length === 0) throw refuse('no other active broker would remain', 'add another broker first');
  if (down.length > 0) {
    const ids = down.map((one) => one.id);
    const who = ids.length === 1 ? `broker ${ids[0]} is` : `brokers ${ids.join(', ')} are`;
    throw refuse(`${who} down`, 'decommission it anyway with --force; replicas that exist only there are lost');
  }
}

function movesOf(held: readonly HeldPartition[], remaining: number): NonNullable<DecommissionPlan['topics']> {
  const byTopic = Map.groupBy(held, ({ topic }) => topic);
  return [...byTopic.keys()].sort().map((topic) => {
    const own = byTopic.get(topic) ?? [];
    return { topic, replicas: own.length, without_place: own.filter((one) => one.replicas.length > remaining).length };
  });
}

/** The number of replicas that move; null if it is not known. */
export function replicasOf({ topics }: Pick<DecommissionPlan, 'topics'>): number | null {
  return topics === null ? null : topics.reduce((sum, { replicas }) => sum + replicas, 0);
}

/** The replicas that move as a table; empty if there are none or they are not known. */
export function moveTable({ topics }: Pick<DecommissionPlan, 'topics'>, view: View): string {
  if (topics === null || topics.length === 0) return '';
  const rows = topics.map((one) => [one.topic, one.replicas, one.without_place]);
  return table(['topic', 'replicas', 'without place'], rows, view);
}
