import { command, one } from '../../../cli/command.ts';
import { booleanSchema, object } from '../../../cli/output/schema.ts';
import { stoppedError } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { sending, untouched } from '../../stopped.ts';
import { asConflict, memberOf } from '../member.ts';
import { type ChangedMaintenance, maintenanceFields } from './maintenance-text.ts';

/** `cluster maintenance disable` */
export const disable = command({
  summary: 'Turn the maintenance mode of a broker off',
  description: `The broker may lead partitions again. The cluster moves leaderships back by itself, if its leader balancer is on.`,
  examples: [
    ['After a restart', 'cluster maintenance disable 1'],
    ['Show what would happen', 'cluster maintenance disable 1 --dry-run'],
  ],
  apis: ['admin'],
  args: { broker: one(brokerId, 'BROKER', 'id of the broker') },
  changes: 'alters',
  async run(context, { broker: id, dryRun }): Promise<ChangedMaintenance> {
    untouched(context);
    const admin = await context.admin();
    const before = memberOf(await admin.maintenance(), id);
    if (!before.enabled) context.notice(`the maintenance mode of broker ${id} was off already`);
    if (dryRun) return { ...before, changed: false, dry_run: true };
    if (!before.enabled) return { ...before, changed: false };
    sending(context, `turning the maintenance mode of broker ${id} off`, 'weir cluster maintenance status');
    try {
      await admin.setMaintenance(id, false);
    } catch (error) {
      throw asConflict(error);
    }
    context.onInterrupt(stoppedError(`the maintenance mode of broker ${id} is off`, [], String(id)));
    return {
      ...{ id, enabled: false, finished: null, errors: null },
      ...{ partitions: null, eligible: null, transferring: null, failed: null, changed: true },
    };
  },
  output: {
    schema: object({ ...maintenanceFields, changed: booleanSchema }),
    text: ({ id, enabled, dry_run: isDryRun }) =>
      isDryRun && enabled
        ? `The maintenance mode of broker ${id} would be turned off.\n`
        : `Broker ${id} is not in maintenance mode.\n`,
  },
});
