import { command } from '../../../cli/command.ts';
import { stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { listOf, row, truth, whole } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { runningOn } from './status.ts';

/** A self-test that was or would be stopped. */
const stoppedSelfTest = row({
  /** The brokers that were testing. */
  nodes: listOf(whole),
  /** Whether this command has stopped it. */
  changed: truth,
});

/** `cluster self-test stop` */
export const stop = command({
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
  result: stoppedSelfTest,
  plan: async (context) => (await context.admin()).selfTest(),
  dryRun: (_context, _values, found) => ({ nodes: runningOn(found), changed: false }),
  async run(context, _values, found) {
    const nodes = runningOn(found);
    // A broker that cannot be asked now may be testing.
    if (found.every(({ status }) => status === 'idle')) return { nodes, changed: false };
    const admin = await context.admin();
    sending(context, 'stopping the self-test', 'weir cluster self-test status');
    await admin.stopSelfTest();
    context.onInterrupt(stoppedError('the self-test has been stopped', []));
    return { nodes, changed: true };
  },
  show: {
    text({ nodes, changed }, _view, { dryRun }) {
      if (dryRun && nodes.length > 0) return `The self-test would be stopped on ${count(nodes.length, 'broker')}.\n`;
      if (changed) return `The self-test was stopped on ${count(nodes.length, 'broker')}.\n`;
      return 'No self-test is running.\n';
    },
  },
});
