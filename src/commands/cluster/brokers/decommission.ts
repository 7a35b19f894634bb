import type { Broker, DecommissionState, HeldPartition } from '../../../admin/brokers/broker-rows.ts';
import { one, toggle } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { tableOf } from '../../../cli/forms/columns.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { plainView, type View } from '../../../format/view.ts';
import { brokerId } from '../../../kinds.ts';
import { listOf, maybe, type RowOf, row, string, whole, word } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { asConflict, memberOf } from '../member.ts';
import { checkWait, type WaitValues, waitFlags, waitFor } from '../wait.ts';

/** The replicas of one topic that a decommission moves. */
const topicMove = row({
  topic: string,
  replicas: whole,
  /** Those that cannot move: their partition has a replica on every broker that remains. */
  without_place: whole,
});

/** What a decommission would do now. */
const DecommissionPlan = row({
  id: whole,
  /** `active`, `draining` (an earlier command has started it) or `removed` (it is done). */
  membership: word('active', 'draining', 'removed'),
  /** The replicas that move, by topic; null if they are not known. */
  topics: maybe(listOf(topicMove)),
});
type DecommissionPlan = RowOf<typeof DecommissionPlan>;

/**
 * Plans a decommission without changing anything.
 * @param isForced accepts brokers that are down
 * @throws CliError (exit 3) for an unknown broker, (exit 6) for one that cannot be decommissioned in its state
 */
async function planDecommission(context: Context, id: number, isForced: boolean): Promise<DecommissionPlan> {
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
    const rows = byTopic.get(topic) ?? [];
    return {
      topic,
      replicas: rows.length,
      without_place: rows.filter((one) => one.replicas.length > remaining).length,
    };
  });
}

/** The number of replicas that move; null if it is not known. */
function replicasOf(topics: DecommissionPlan['topics']): number | null {
  return topics === null ? null : topics.reduce((sum, { replicas }) => sum + replicas, 0);
}

/** The replicas that move as a table; empty if there are none or they are not known. */
function moveTable(topics: DecommissionPlan['topics'], view: View): string {
  if (topics === null || topics.length === 0) return '';
  return tableOf(topics, ['topic', 'replicas', 'without_place'], view);
}

/** `cluster brokers decommission` */
export const decommission = change({
  summary: 'Move all replicas away from a broker, then remove it from the cluster',
  description: `The cluster moves the replicas in the background, which can take hours, and then removes the broker.
Shows the replicas that will move before it asks. --wait waits until the broker has left; Ctrl-C ends only the wait.
To stop a decommission, use cluster brokers recommission.

Refused (exit code 6) for the last active broker, and, without --force, while a broker is down. If each of the other
brokers has a replica of a partition already, the decommission waits until a broker is added.`,
  examples: [
    ['Show which replicas would move', 'cluster brokers decommission 2 --dry-run'],
    ['Wait until the broker has left', 'cluster brokers decommission 2 --wait'],
    ['A broker that is down and does not come back', 'cluster brokers decommission 2 --force'],
  ],
  apis: ['admin'],
  args: { broker: one(brokerId, 'BROKER', 'id of the broker') },
  flags: {
    ...waitFlags('the broker has left the cluster'),
    force: toggle({
      help: 'decommission although this broker or another one is down',
      aliases: ['skip-liveness-check'],
    }),
  },
  changes: 'destroys',
  namesAll: true,
  noun: 'broker',
  isOne: true,
  item: DecommissionPlan,
  async plan(context, { broker: id, force, ...values }) {
    checkWait(values);
    const broker = await planDecommission(context, id, force);
    if (broker.membership === 'removed') context.notice(`broker ${id} has left the cluster already`);
    if (broker.membership === 'draining') context.notice(`broker ${id} is being decommissioned already`);
    warnOfStuck(context, broker);
    return [broker.membership === 'active' ? broker : { ...broker, status: 'NOT_NEEDED' }];
  },
  asks: ([broker], { broker: id }) => {
    const replicas = replicasOf(broker?.topics ?? null);
    const moving = replicas === null ? 'its replicas' : count(replicas, 'replica');
    return {
      question: `Move ${moving} away from broker ${id} and remove it from the cluster`,
      preview: moveTable(broker?.topics ?? null, plainView),
    };
  },
  async applyEach(context, { id }) {
    const status = `weir cluster brokers decommission-status ${id}`;
    const admin = await context.admin();
    sending(context, `decommissioning broker ${id}`, status);
    await admin.decommission(id).catch(asConflict);
    const hints = [`see how far it is with: ${status}`, `stop it with: ${recommission(id)}`];
    context.onInterrupt(stoppedError(`the decommission of broker ${id} has started`, hints, String(id)));
    return { membership: 'draining' as const };
  },
  async follow(context, brokers, { broker: id, ...values }) {
    if (brokers.every(({ membership }) => membership === 'removed')) return brokers;
    if (values.wait) {
      await waitUntilGone(context, id, values);
      return [{ membership: 'removed' as const }];
    }
    context.noticeAfter(`see how far it is with: weir cluster brokers decommission-status ${id}`);
    return brokers;
  },
  text: (brokers, view) => brokers.map((broker) => decommissionText(broker, view)).join(''),
});

function warnOfStuck({ warn }: Context, { id, topics }: DecommissionPlan): void {
  const stuck = (topics ?? []).reduce((sum, { without_place: own }) => sum + own, 0);
  if (stuck === 0) return;
  const have = stuck === 1 ? '1 partition has a replica' : `${stuck} partitions have a replica`;
  warn(`${have} on every broker that remains: without another broker, broker ${id} cannot leave`);
}

function decommissionText({ id, membership, topics }: DecommissionPlan, view: View): string {
  if (membership === 'removed') return `Broker ${id} has left the cluster.\n`;
  // Only a dry run leaves it was.
  if (membership === 'active') return `${moveTable(topics, view)}Broker ${id} would be decommissioned.\n`;
  const replicas = replicasOf(topics);
  return `Broker ${id} is being decommissioned${replicas === null ? '' : `: ${count(replicas, 'replica')} will move`}.\n`;
}

/** Waits until a broker has left the cluster; warns once about partitions that no other broker can take. */
export async function waitUntilGone(context: Context, id: number, values: WaitValues): Promise<DecommissionState> {
  const admin = await context.admin();
  return waitFor<DecommissionState>(context, values, {
    what: `the decommission of broker ${id}`,
    resumeWith: `weir cluster brokers decommission-status ${id} --wait`,
    stopWith: recommission(id),
    show: ({ replicas_left: left }) => `${count(left, 'replica')} left`,
    start: (options) =>
      admin.waitForDecommission(id, {
        ...options,
        onProgress(state) {
          if (state.without_place.length > 0) context.warnOnce(stuckWarning(id));
          options.onProgress(state);
        },
      }),
  });
}

function stuckWarning(id: number): string {
  return `no other broker can take some replicas of broker ${id}: add a broker, or stop the decommission with: ${recommission(id)}`;
}

/** The command that stops the decommission of a broker. */
function recommission(id: number): string {
  return `weir cluster brokers recommission ${id}`;
}
