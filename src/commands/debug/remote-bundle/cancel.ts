import type { BundleJob } from '../../../admin/debug/bundle-rows.ts';
import { command, flag } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { type ItemError, itemErrorOf } from '../../../errors.ts';
import { columnTable, errorColumn } from '../../../format/columns.ts';
import { itemError } from '../../../shape/item-error.ts';
import { listOf, maybe, row, string, truth, whole } from '../../../shape/shape.ts';
import { sending } from '../../stopped.ts';
import { brokerFlag, bundleBrokers, jobId } from './bundle-brokers.ts';
import { type BundleRow, bundleRow } from './bundle-row.ts';

/** The bundle of one broker, which is or would be canceled if it is being collected. */
const canceledRow = row({ broker: whole, job_id: maybe(string), canceled: truth, error: itemError });

/** `debug remote-bundle cancel` */
export const cancel = command({
  summary: 'Stop the brokers that are collecting a debug bundle',
  description: `What was collected so far is lost. Brokers that are not collecting a bundle are left alone; finished bundles stay.`,
  examples: [
    ['On all brokers', 'debug remote-bundle cancel'],
    [
      'One job only, without a prompt',
      'debug remote-bundle cancel --job-id 3f2504e0-4f89-41d3-9a0c-0305e82c3301 --yes',
    ],
    ['Show what is being collected', 'debug remote-bundle cancel --dry-run'],
  ],
  apis: ['admin'],
  flags: {
    jobId: flag(jobId, { help: 'cancel only this job (default: every job)' }),
    broker: brokerFlag,
  },
  changes: 'destroys',
  result: listOf(canceledRow),
  namesAll: ({ jobId }) => jobId !== undefined,
  plan: (context, { broker }) => rowsOf(context, broker),
  confirm(_context, { jobId: job }, rows) {
    const jobs = jobsIn(rows, job);
    if (jobs.length === 0) return null;
    const on = `broker${jobs.length === 1 ? '' : 's'} ${jobs.map((one) => one.broker).join(', ')}`;
    return { question: `Cancel the debug bundle of ${on}`, name: 'cancel' };
  },
  async run(context, { jobId: job, dryRun }, rows) {
    const jobs = jobsIn(rows, job);
    if (jobs.length === 0) context.notice('no broker is collecting a debug bundle');
    const failed = dryRun ? new Map<number, ItemError>() : await canceled(context, jobs);
    return rows.map((bundle) => {
      const isChosen = jobs.some((one) => one.broker === bundle.broker);
      const error = bundle.status === null ? bundle.error : (failed.get(bundle.broker) ?? null);
      const isCanceled = isChosen && error === null && !dryRun;
      return { broker: bundle.broker, job_id: isChosen ? bundle.job_id : null, canceled: isCanceled, error };
    });
  },
  show: {
    text: (rows, view) =>
      columnTable(
        rows,
        [
          ['broker', ({ broker }) => broker],
          ['job id', (row) => row.job_id],
          ['canceled', ({ canceled }) => canceled],
          errorColumn(rows),
        ],
        view,
      ),
  },
});

async function rowsOf(context: Context, chosen: readonly number[]): Promise<readonly BundleRow[]> {
  const brokers = await bundleBrokers(context, chosen);
  return (await (await context.admin()).bundles(brokers)).map((answer) => bundleRow(answer));
}

function jobsIn(rows: readonly BundleRow[], only: string | undefined): readonly BundleJob[] {
  return rows.flatMap(({ broker, status, job_id: id }) =>
    status === 'running' && id !== null && (only === undefined || only === id) ? [{ broker, jobId: id }] : [],
  );
}

/** Cancels jobs, and returns the errors by broker. */
async function canceled(context: Context, jobs: readonly BundleJob[]): Promise<ReadonlyMap<number, ItemError>> {
  if (jobs.length === 0) return new Map();
  sending(context, 'canceling the debug bundle', 'weir debug remote-bundle status');
  const changes = await (await context.admin()).cancelBundles(jobs);
  return new Map(changes.flatMap(({ broker, error }) => (error === null ? [] : [[broker, itemErrorOf(error)]])));
}
