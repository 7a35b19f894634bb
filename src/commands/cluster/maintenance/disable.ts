import { command, one } from '../../../cli/command.ts';
import { stoppedError } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { sending } from '../../stopped.ts';
import { asConflict, memberOf } from '../member.ts';
import { changedMaintenance, justTurned } from './maintenance-text.ts';

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
  result: changedMaintenance,
  async plan(context, { broker: id }) {
    const before = memberOf(await (await context.admin()).maintenance(), id);
    if (!before.enabled) context.notice(`the maintenance mode of broker ${id} was off already`);
    return { ...before, changed: false };
  },
  dryRun: (_context, _values, before) => before,
  async run(context, { broker: id }, before) {
    if (!before.enabled) return before;
    const admin = await context.admin();
    sending(context, `turning the maintenance mode of broker ${id} off`, 'weir cluster maintenance status');
    try {
      await admin.setMaintenance(id, false);
    } catch (error) {
      throw asConflict(error);
    }
    context.onInterrupt(stoppedError(`the maintenance mode of broker ${id} is off`, [], String(id)));
    return { ...justTurned(id, false), changed: true };
  },
  show: {
    text({ id, enabled, changed }, _view, { dryRun }) {
      if (dryRun && enabled) return `The maintenance mode of broker ${id} would be turned off.\n`;
      return `Broker ${id} ${changed ? 'has left' : 'is not in'} maintenance mode.\n`;
    },
  },
});
