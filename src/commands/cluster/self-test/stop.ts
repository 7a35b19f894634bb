import { change } from '../../../cli/forms/change.ts';
import { stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { described, listOf, row, whole } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { runningOn } from './status.ts';

/** `cluster self-test stop` */
export const stop = change({
  summary: 'Stop the running self-test on all brokers',
  description: `Tests that were running keep what they have measured, and tests that had not started have no numbers: both have a warning.
If a broker cannot be stopped, for example because it is down, the command fails after some attempts (exit code 5); the
others have stopped.`,
  examples: [
    ['End the load', 'cluster self-test stop'],
    ['Show which brokers are testing', 'cluster self-test stop --dry-run'],
  ],
  apis: ['admin'],
  changes: 'alters',
  noun: 'self-test',
  isOne: true,
  item: row({ nodes: described(listOf(whole), 'ids of the brokers that were testing') }),
  async plan(context) {
    const brokers = await (await context.admin()).selfTest();
    // A broker that cannot be asked now may be testing.
    const isIdle = brokers.every(({ status }) => status === 'idle');
    return [{ nodes: runningOn(brokers), status: isIdle ? 'NOT_NEEDED' : undefined }];
  },
  async applyEach(context) {
    const admin = await context.admin();
    sending(context, 'stopping the self-test', 'weir cluster self-test status');
    await admin.stopSelfTest();
    context.onInterrupt(stoppedError('the self-test has been stopped', []));
    return {};
  },
  text: (tests) =>
    tests
      .map(({ nodes, status, dry_run: isDryRun }) => {
        if (status === 'NOT_NEEDED' || (isDryRun && nodes.length === 0)) return 'No self-test is running.\n';
        return `The self-test ${isDryRun ? 'would be' : 'was'} stopped on ${count(nodes.length, 'broker')}.\n`;
      })
      .join(''),
});
