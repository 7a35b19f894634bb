import { MaintenanceState } from '../../../admin/brokers/broker-rows.ts';
import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import type { Outcome } from '../../../cli/forms/outcome.ts';
import { stoppedError } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { sending } from '../../interruption.ts';
import { asConflict, memberOf } from '../member.ts';
import { unknownDrain } from './enable.ts';

/** `cluster maintenance disable` */
export const disable = change({
  summary: 'Turn the maintenance mode of a broker off',
  description: `The broker may lead partitions again. The cluster moves leaderships back by itself, if its leader balancer is on.`,
  examples: [
    ['After a restart', 'cluster maintenance disable 1'],
    ['Show what would happen', 'cluster maintenance disable 1 --dry-run'],
  ],
  apis: ['admin'],
  args: { broker: one(brokerId, 'BROKER', 'id of the broker') },
  changes: 'alters',
  noun: 'broker',
  isOne: true,
  item: MaintenanceState,
  async plan(context, { broker: id }) {
    const broker = memberOf(await (await context.admin()).maintenance(), id);
    if (broker.enabled) return [broker];
    context.notice(`the maintenance mode of broker ${id} was off already`);
    return [{ ...broker, status: 'NOT_NEEDED' }];
  },
  async applyEach(context, { id }) {
    const admin = await context.admin();
    sending(context, `turning the maintenance mode of broker ${id} off`, 'weir cluster maintenance status');
    await admin.setMaintenance(id, false).catch(asConflict);
    context.onInterrupt(stoppedError(`the maintenance mode of broker ${id} is off`, [], String(id)));
    return { ...unknownDrain, enabled: false };
  },
  text: (brokers) => brokers.map(outcomeText).join(''),
});

function outcomeText({ id, dry_run: isDryRun, status }: MaintenanceState & Outcome): string {
  if (status === 'NOT_NEEDED') return `Broker ${id} is not in maintenance mode.\n`;
  return isDryRun
    ? `The maintenance mode of broker ${id} would be turned off.\n`
    : `Broker ${id} has left maintenance mode.\n`;
}
