import { flag } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { itemErrorOf } from '../../../errors.ts';
import { described, maybe, row, string, whole } from '../../../shape/shape.ts';
import { sending } from '../../interruption.ts';
import { brokerFlag, bundleBrokers, jobId } from './bundle-brokers.ts';

/** `debug remote-bundle cancel` */
export const cancel = change({
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
  namesAll: ({ jobId }) => jobId !== undefined,
  noun: 'bundle',
  item: row({ broker: whole, job_id: described(maybe(string), 'null if nothing is to be canceled') }),
  async plan(context, { jobId: only, broker: chosen }) {
    const brokers = await bundleBrokers(context, chosen);
    const answers = await (await context.admin()).bundles(brokers);
    const bundles = answers.map(({ broker, state, error }) => {
      if (state === null) return { broker, job_id: null, error: itemErrorOf(error) };
      const { status, job_id: id } = state;
      const isChosen = status === 'running' && id !== null && (only === undefined || only === id);
      return isChosen ? { broker, job_id: id } : { broker, job_id: null, status: 'NOT_NEEDED' as const };
    });
    if (bundles.every(({ job_id: id }) => id === null)) context.notice('no broker is collecting a debug bundle');
    return bundles;
  },
  asks(bundles) {
    const on = `broker${bundles.length === 1 ? '' : 's'} ${bundles.map(({ broker }) => broker).join(', ')}`;
    return { question: `Cancel the debug bundle of ${on}`, name: 'cancel' };
  },
  async apply(context, bundles) {
    sending(context, 'canceling the debug bundle', 'weir debug remote-bundle status');
    const jobs = bundles.map(({ broker, job_id: jobId }) => ({ broker, jobId: jobId ?? '' }));
    const changes = await (await context.admin()).cancelBundles(jobs);
    const errors = new Map(changes.map(({ broker, error }) => [broker, error === null ? null : itemErrorOf(error)]));
    return bundles.map(({ broker }) => ({ error: errors.get(broker) }));
  },
  would: 'be canceled',
  notNeeded: 'nothing to cancel',
});
