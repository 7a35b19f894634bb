import { command, one } from '../../../cli/command.ts';
import { stoppedError } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { row, string, truth, whole } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { asConflict, memberOf } from '../member.ts';

/** A broker that stays in the cluster. */
const recommissioned = row({
  id: whole,
  membership: string,
  /** Whether this command has stopped a decommission. */
  changed: truth,
});

/** `cluster brokers recommission` */
export const recommission = command({
  summary: 'Stop the decommission of a broker, so that it stays in the cluster',
  description: `Replicas that are still moving away stay on the broker; those that have moved do not come back. A broker that has left
the cluster cannot be recommissioned (exit code 3).`,
  examples: [
    ['Stop a decommission', 'cluster brokers recommission 2'],
    ['Show what would happen', 'cluster brokers recommission 2 --dry-run'],
  ],
  apis: ['admin'],
  args: { broker: one(brokerId, 'BROKER', 'id of the broker') },
  changes: 'alters',
  result: recommissioned,
  async plan(context, { broker: id }) {
    const { membership } = memberOf(await (await context.admin()).brokers(), id);
    if (membership === 'active') context.notice(`broker ${id} is not being decommissioned`);
    return { id, membership, changed: false };
  },
  dryRun: (_context, _values, plan) => plan,
  async run(context, { broker: id }, plan) {
    if (plan.membership === 'active') return plan;
    const admin = await context.admin();
    sending(context, `recommissioning broker ${id}`, `weir cluster brokers decommission-status ${id}`);
    try {
      await admin.recommission(id);
    } catch (error) {
      throw asConflict(error);
    }
    context.onInterrupt(stoppedError(`broker ${id} has been recommissioned`, [], String(id)));
    return { id, membership: 'active', changed: true };
  },
  show: {
    text: ({ id, membership }, _view, { dryRun }) =>
      dryRun && membership !== 'active'
        ? `Broker ${id} would be recommissioned.\n`
        : `Broker ${id} is an active member of the cluster.\n`,
  },
});
