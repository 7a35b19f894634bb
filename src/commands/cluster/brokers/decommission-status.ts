import { type DecommissionState, type MovingReplica, movingReplica } from '../../../admin/brokers/broker-rows.ts';
import { command, one, toggle } from '../../../cli/command.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { listOf, type RowOf, row, string, whole, word } from '../../../shape/shape.ts';
import { checkWait, waitFlags } from '../waiting.ts';
import { progressText } from './decommission-text.ts';
import { waitUntilGone } from './decommission-wait.ts';

/** How far a decommission is. */
const decommissionState = row({
  id: whole,
  membership: word('active', 'draining', 'removed'),
  replicas_left: whole,
  /** Partitions for which no other broker has room. */
  without_place: listOf(string),
  replicas: listOf(row({ ...movingReplica.fields, completion_percent: whole })),
});

/** How far a decommission is. */
export type DecommissionStatus = RowOf<typeof decommissionState>;

/** `cluster brokers decommission-status` */
export const decommissionStatus = command({
  summary: 'Show how far the decommission of a broker is',
  description: `Lists the replicas that are moving, with the broker that each moves to, and the partitions for which no other broker has
room. A broker that is not being decommissioned is not an error, unless --wait is given (exit code 6).

With --wait, waits until the broker has left the cluster. Ctrl-C and --wait-timeout end only the wait.`,
  examples: [
    ['Once', 'cluster brokers decommission-status 2'],
    ['With bytes moved and remaining', 'cluster brokers decommission-status 2 -d -H'],
    ['Wait until the broker has left', 'cluster brokers decommission-status 2 --wait'],
  ],
  apis: ['admin'],
  args: { broker: one(brokerId, 'BROKER', 'id of the broker') },
  flags: {
    detailed: toggle({ short: 'd', help: 'show bytes moved and remaining in text' }),
    humanReadable: toggle({ short: 'H', help: 'print sizes like 1.7GB in text' }),
    ...waitFlags('the broker has left the cluster'),
  },
  changes: 'reads',
  result: decommissionState,
  async run(context, { broker: id, ...values }) {
    checkWait(values);
    const first = await (await context.admin()).decommissionState(id);
    if (values.wait && first === undefined) throw notStarted(id);
    const isPending = values.wait && first !== undefined && !first.finished;
    return statusOf(id, isPending ? await waitUntilGone(context, id, values) : first);
  },
  show: {
    text: (row, view, { detailed: isDetailed, humanReadable: isHuman }) =>
      progressText(row, view, { isDetailed, isHuman }),
    wide: (row, view, { humanReadable: isHuman }) => progressText(row, view, { isDetailed: true, isHuman }),
  },
});

function notStarted(id: number): CliError {
  return new CliError(exitCodes.conflict, `broker ${id} is not being decommissioned`, {
    target: String(id),
    hints: [`start it with: weir cluster brokers decommission ${id}`],
  });
}

function statusOf(id: number, state: DecommissionState | undefined): DecommissionStatus {
  if (state === undefined) return { id, membership: 'active', replicas_left: 0, without_place: [], replicas: [] };
  const { finished, replicas, ...rest } = state;
  const shown = replicas.map((one) => ({ ...one, completion_percent: percentOf(one) }));
  return { ...rest, membership: finished ? 'removed' : 'draining', replicas: shown };
}

/** An empty partition has nothing left to move. */
function percentOf({ size, bytes_moved: moved, bytes_left: left }: MovingReplica): number {
  const total = size > 0 ? size : moved + left;
  return total === 0 ? 100 : Math.min(100, Math.floor((moved / total) * 100));
}
