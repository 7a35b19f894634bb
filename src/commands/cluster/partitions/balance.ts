import { change } from '../../../cli/forms/change.ts';
import { CliError, rephrased, stoppedError } from '../../../errors.ts';
import { row } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { asUnsupported } from './changes.ts';

const status = 'weir cluster partitions balancer-status';

/** `cluster partitions balance` */
export const balance = change({
  summary: 'Balance the partitions over the brokers now',
  description: `Asks the cluster to look for partitions that are placed unevenly, and to move them in the background. See the moves with cluster partitions move-status, and cancel them with cluster partitions move-cancel.`,
  examples: [
    ['Start', 'cluster partitions balance'],
    ['Check that the cluster can be reached, and start nothing', 'cluster partitions balance --dry-run'],
  ],
  apis: ['admin'],
  changes: 'alters',
  guarded: 'because moving partitions can slow producers and consumers down',
  noun: 'cluster',
  isOne: true,
  item: row({}),
  plan: () => [{}],
  asks: () => ({ question: 'Move partitions to balance the brokers', name: 'balance' }),
  async validate(context) {
    await (await context.admin()).balancerStatus().catch(asUnsupported('balance partitions'));
    return [];
  },
  async applyEach(context) {
    const admin = await context.admin();
    sending(context, 'starting the balancer', status);
    await admin.rebalance().catch(asBusy).catch(asUnsupported('balance partitions'));
    context.onInterrupt(stoppedError('the balancer has started', [`see what it does with: ${status}`]));
    context.noticeAfter(`see what it does with: ${status}`);
    return {};
  },
  text: ([outcome]) =>
    outcome?.dry_run ? 'The cluster would balance its partitions.\n' : 'The cluster balances its partitions.\n',
});

/** Says what a refusal means that only names the state (exit 6). @throws the error */
function asBusy(error: unknown): never {
  if (!(error instanceof CliError) || error.code !== 'CONFLICT') throw error;
  throw rephrased(error, 'the cluster is balancing its partitions already', {
    hints: [`see what it does with: ${status}`],
  });
}
