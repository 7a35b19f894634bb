import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { stoppedError } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { row, string, whole } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { asConflict, memberOf } from '../member.ts';

/** `cluster brokers recommission` */
export const recommission = change({
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
  noun: 'broker',
  isOne: true,
  item: row({ id: whole, membership: string }),
  async plan(context, { broker: id }) {
    const { membership } = memberOf(await (await context.admin()).brokers(), id);
    if (membership !== 'active') return [{ id, membership }];
    context.notice(`broker ${id} is not being decommissioned`);
    return [{ id, membership, status: 'NOT_NEEDED' }];
  },
  async applyEach(context, { id }) {
    const admin = await context.admin();
    sending(context, `recommissioning broker ${id}`, `weir cluster brokers decommission-status ${id}`);
    await admin.recommission(id).catch(asConflict);
    context.onInterrupt(stoppedError(`broker ${id} has been recommissioned`, [], String(id)));
    return { membership: 'active' };
  },
  text: (brokers) =>
    brokers
      .map(({ id, membership }) =>
        membership === 'active'
          ? `Broker ${id} is an active member of the cluster.\n`
          : `Broker ${id} would be recommissioned.\n`,
      )
      .join(''),
});
