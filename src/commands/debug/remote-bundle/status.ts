import { flag } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { checkWait, waitFlags } from '../../cluster/wait.ts';
import { brokerFlag, bundleBrokers, jobId, waitForBundles } from './bundle-brokers.ts';
import { bundleColumns, bundleRow, DebugBundle, wideBundleColumns } from './bundle-row.ts';

/** `debug remote-bundle status` */
export const status = listCommand({
  summary: 'Show the last debug bundle of every broker',
  description: `STATUS is none (no bundle was started since the broker was), running, success, error (it could not be collected) or
expired (the broker has deleted it). With --job-id, a broker that does not have a bundle of this job is an error (exit
code 3). With --wait, waits until no broker is collecting one any more.`,
  examples: [
    ['All brokers', 'debug remote-bundle status'],
    ['Wait until all are finished', 'debug remote-bundle status --wait'],
    ['One job, for a script', 'debug remote-bundle status --job-id 3f2504e0-4f89-41d3-9a0c-0305e82c3301 --format json'],
  ],
  apis: ['admin'],
  flags: {
    jobId: flag(jobId, { help: 'id of the job (default: the last one of each broker)' }),
    broker: brokerFlag,
    ...waitFlags('no broker is collecting its bundle any more'),
  },
  row: DebugBundle,
  async read(context, { jobId: job, broker, ...values }) {
    checkWait(values);
    const brokers = await bundleBrokers(context, broker);
    const answers = values.wait
      ? await waitForBundles(context, { brokers, job }, values)
      : await (await context.admin()).bundles(brokers);
    return answers.map((answer) => bundleRow(answer, job));
  },
  columns: bundleColumns,
  wide: wideBundleColumns,
});
