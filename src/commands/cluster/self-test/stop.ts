import { command } from '../../../cli/command.ts';
import { arrayOf, booleanSchema, integerSchema, object } from '../../../cli/output/schema.ts';
import { stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { sending, untouched } from '../../stopped.ts';
import { runningOn } from './self-test-wait.ts';

/** A self-test that was or would be stopped. */
interface StoppedSelfTest {
  /** The brokers that were testing. */
  readonly nodes: readonly number[];
  /** Whether this command has stopped it. */
  readonly changed: boolean;
  readonly dry_run?: true;
}

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
  async run(context, { dryRun }): Promise<StoppedSelfTest> {
    untouched(context);
    const admin = await context.admin();
    const found = await admin.selfTest();
    const nodes = runningOn(found);
    // A broker that cannot be asked now may be testing.
    const isIdle = found.every(({ status }) => status === 'idle');
    if (dryRun) return { nodes, changed: false, dry_run: true };
    if (isIdle) return { nodes, changed: false };
    sending(context, 'stopping the self-test', 'weir cluster self-test status');
    await admin.stopSelfTest();
    context.onInterrupt(stoppedError('the self-test has been stopped', []));
    return { nodes, changed: true };
  },
  output: {
    schema: object({ nodes: arrayOf(integerSchema), changed: booleanSchema }),
    text({ nodes, changed, dry_run: isDryRun }) {
      if (isDryRun && nodes.length > 0) return `The self-test would be stopped on ${count(nodes.length, 'broker')}.\n`;
      if (changed) return `The self-test was stopped on ${count(nodes.length, 'broker')}.\n`;
      return 'No self-test is running.\n';
    },
  },
});
