import { type CommonValues, command, one, toggle } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { plainView, type View } from '../../../format/view.ts';
import { brokerId } from '../../../kinds.ts';
import { row, truth } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { asConflict } from '../member.ts';
import { checkWait, waitFlags } from '../waiting.ts';
import {
  type DecommissionPlan,
  decommissionPlan,
  moveTable,
  planDecommission,
  replicasOf,
} from './decommission-plan.ts';
import { recommission, waitUntilGone } from './decommission-wait.ts';

/** A broker that is or would be decommissioned. */
const decommissioned = row({
  ...decommissionPlan.fields,
  /** Whether this command has started it. */
  started: truth,
});

/** `cluster brokers decommission` */
export const decommission = command({
  summary: 'Move all replicas away from a broker, then remove it from the cluster',
  description: `The cluster moves the replicas in the background and removes the broker when it has none left; that can take hours.
Shows the replicas that will move before it asks. With --wait, waits until the broker has left. Ctrl-C and --wait-timeout
end only the wait: repeat the command with --wait, or use cluster brokers decommission-status --wait. To stop a
decommission, use cluster brokers recommission.

Refused (exit code 6) for a broker in maintenance mode, for the last active broker, and, without --force, while a broker
is down. A replica has no place to go while its partition has one on every broker that remains; the decommission then
waits until a broker is added. For a broker that is being decommissioned or has left already, nothing is sent.`,
  examples: [
    ['Show which replicas would move', 'cluster brokers decommission 2 --dry-run'],
    ['Wait until the broker has left', 'cluster brokers decommission 2 --wait'],
    ['A broker that is down and does not come back', 'cluster brokers decommission 2 --force'],
  ],
  apis: ['admin'],
  args: { broker: one(brokerId, 'BROKER', 'id of the broker') },
  flags: {
    ...waitFlags('the broker has left the cluster'),
    force: toggle({ help: 'decommission although this broker or another one is down' }),
  },
  changes: 'destroys',
  result: decommissioned,
  namesAll: true,
  plan(context, { broker, force, ...values }) {
    checkWait(values);
    return planDecommission(context, broker, force);
  },
  confirm(_context, { broker: id }, plan) {
    if (plan.membership !== 'active') return null;
    const replicas = replicasOf(plan);
    const moving = replicas === null ? 'its replicas' : count(replicas, 'replica');
    return {
      question: `Move ${moving} away from broker ${id} and remove it from the cluster`,
      name: String(id),
      preview: moveTable(plan, plainView),
    };
  },
  async run(context, { broker: id, dryRun, ...values }, plan) {
    const { membership } = plan;
    if (membership === 'removed') context.notice(`broker ${id} has left the cluster already`);
    if (membership === 'draining') context.notice(`broker ${id} is being decommissioned already`);
    warnOfStuck(context, plan);
    if (dryRun) return { ...plan, started: false };
    if (membership === 'active') await start(context, id);
    const started = { ...plan, started: membership === 'active' };
    if (membership === 'removed') return started;
    if (!values.wait) {
      context.noticeAfter(`see how far it is with: weir cluster brokers decommission-status ${id}`);
      return { ...started, membership: 'draining' as const };
    }
    await waitUntilGone(context, id, values);
    return { ...started, membership: 'removed' as const };
  },
  show: { text: (plan, view, values) => decommissionText(plan, view, values) },
});

/** Sends the request; what a signal reports changes with it. */
async function start(context: Context, id: number): Promise<void> {
  const status = `weir cluster brokers decommission-status ${id}`;
  const admin = await context.admin();
  sending(context, `decommissioning broker ${id}`, status);
  try {
    await admin.decommission(id);
  } catch (error) {
    throw asConflict(error);
  }
  const hints = [`see how far it is with: ${status}`, `stop it with: ${recommission(id)}`];
  context.onInterrupt(stoppedError(`the decommission of broker ${id} has started`, hints, String(id)));
}

function warnOfStuck({ warn }: Context, { id, topics }: DecommissionPlan): void {
  const stuck = (topics ?? []).reduce((sum, { without_place: own }) => sum + own, 0);
  if (stuck === 0) return;
  const have = stuck === 1 ? '1 partition has a replica' : `${stuck} partitions have a replica`;
  warn(`${have} on every broker that remains: without another broker, broker ${id} cannot leave`);
}

function decommissionText(plan: DecommissionPlan, view: View, { dryRun }: CommonValues): string {
  const { id, membership } = plan;
  if (membership === 'removed') return `Broker ${id} has left the cluster.\n`;
  if (dryRun && membership === 'active') return `${moveTable(plan, view)}Broker ${id} would be decommissioned.\n`;
  const replicas = replicasOf(plan);
  return `Broker ${id} is being decommissioned${replicas === null ? '' : `: ${count(replicas, 'replica')} will move`}.\n`;
}
