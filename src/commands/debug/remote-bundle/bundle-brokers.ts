import type { BundleAnswer } from '../../../admin/debug/bundle-rows.ts';
import { list } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { commandText } from '../../../format/shell-word.ts';
import { brokerId, type Kind } from '../../../kinds.ts';
import { memberOf } from '../../cluster/member.ts';
import { type WaitValues, waitFor } from '../../cluster/wait.ts';
import { statesText } from './bundle-row.ts';

/** The flag that selects brokers. */
export const brokerFlag = list(brokerId, { help: 'only these brokers (default: all)', splits: true });

/** The id of a new job. */
export const newJobId: Kind<string> = {
  name: 'job id',
  hint: 'UUID',
  parse(value) {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) throw new Error('not a UUID');
    return value.toLowerCase();
  },
  show: (value) => value,
};

/** The id of a job that a broker has. */
export const jobId: Kind<string> = { ...newJobId, completes: 'bundle-job' };

/** The ids of the selected brokers, or of all; sorted. @throws CliError (exit 3) for one that is not in the cluster */
export async function bundleBrokers({ admin }: Context, chosen: readonly number[]): Promise<readonly number[]> {
  const brokers = await (await admin()).brokers();
  if (chosen.length === 0) return brokers.map(({ id }) => id);
  return [...new Set(chosen)].map((id) => memberOf(brokers, id).id).sort((a, b) => a - b);
}

/** Waits until none of the brokers collects a bundle of the job, with progress. */
export async function waitForBundles(
  context: Context,
  { brokers, job }: { readonly brokers: readonly number[]; readonly job: string | undefined },
  values: WaitValues,
): Promise<readonly BundleAnswer[]> {
  const admin = await context.admin();
  return waitFor<readonly BundleAnswer[]>(context, values, {
    what: 'the debug bundle',
    resumeWith: `weir debug remote-bundle status --wait${job === undefined ? '' : commandText` --job-id ${job}`}`,
    show: statesText,
    start: (options) => admin.waitForBundles(brokers, job, options),
  });
}
