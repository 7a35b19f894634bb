import { command, one } from '../../../cli/command.ts';
import { booleanSchema, integerSchema, object, string } from '../../../cli/output/schema.ts';
import { stoppedError } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { sending, untouched } from '../../stopped.ts';
import { asConflict, memberOf } from '../member.ts';

/** A broker that stays in the cluster. */
interface RecommissionedRow {
  readonly id: number;
  readonly membership: string;
  /** Whether this command has stopped a decommission. */
  readonly changed: boolean;
  readonly dry_run?: true;
}

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
  async run(context, { broker: id, dryRun }): Promise<RecommissionedRow> {
    untouched(context);
    const admin = await context.admin();
    const { membership } = memberOf(await admin.brokers(), id);
    if (membership === 'active') context.notice(`broker ${id} is not being decommissioned`);
    if (dryRun) return { id, membership, changed: false, dry_run: true };
    if (membership === 'active') return { id, membership, changed: false };
    sending(context, `recommissioning broker ${id}`, `weir cluster brokers decommission-status ${id}`);
    try {
      await admin.recommission(id);
    } catch (error) {
      throw asConflict(error);
    }
    context.onInterrupt(stoppedError(`broker ${id} has been recommissioned`, [], String(id)));
    return { id, membership: 'active', changed: true };
  },
  output: {
    schema: object({ id: integerSchema, membership: string, changed: booleanSchema }),
    text: ({ id, membership, dry_run: isDryRun }) =>
      isDryRun && membership !== 'active'
        ? `Broker ${id} would be recommissioned.\n`
        : `Broker ${id} is an active member of the cluster.\n`,
  },
});
