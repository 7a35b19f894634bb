import { command } from '../../../cli/command.ts';
import { stoppedError } from '../../../errors.ts';
import { row, truth } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { asUnsupported } from './changes.ts';

/** A start of the balancer. */
const balanced = row({
  /** Whether this command has asked the cluster to balance. */
  started: truth,
});

const status = 'weir cluster partitions balancer-status';

/** `cluster partitions balance` */
export const balance = command({
  summary: 'Balance the partitions over the brokers now',
  description: `Asks the cluster to look for partitions that are placed unevenly, and to move them in the background. Needs an enterprise
license. See the moves with cluster partitions move-status, and cancel them with cluster partitions move-cancel.`,
  examples: [
    ['Start', 'cluster partitions balance'],
    ['Check that the cluster can be reached, and start nothing', 'cluster partitions balance --dry-run'],
  ],
  apis: ['admin'],
  changes: 'alters',
  guarded: 'because moving partitions can slow producers and consumers down',
  result: balanced,
  async plan(context, { dryRun }) {
    const admin = await context.admin();
    if (dryRun) await admin.balancerStatus().catch(asUnsupported('balance partitions'));
    return admin;
  },
  confirm: () => ({ question: 'Move partitions to balance the brokers', name: 'balance' }),
  dryRun: () => ({ started: false }),
  async run(context, _values, admin) {
    sending(context, 'starting the balancer', status);
    await admin.rebalance().catch(asUnsupported('balance partitions'));
    context.onInterrupt(stoppedError('the balancer has started', [`see what it does with: ${status}`]));
    context.noticeAfter(`see what it does with: ${status}`);
    return { started: true };
  },
  show: {
    text: ({ started }) =>
      started ? 'The cluster balances its partitions.\n' : 'The cluster would balance its partitions.\n',
  },
});
