import { type DecommissionState, MovingReplica, PlaceFailure } from '../../../admin/brokers/broker-rows.ts';
import { one, toggle } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { sections } from '../../../format/sections.ts';
import { showSize } from '../../../format/size.ts';
import { type Cell, table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { brokerId } from '../../../kinds.ts';
import { listOf, type RowOf, row, string, whole, word } from '../../../shape/shape.ts';
import { checkWait, waitFlags } from '../wait.ts';
import { waitUntilGone } from './decommission.ts';

/** How far a decommission is. */
const DecommissionStatus = row({
  id: whole,
  membership: word('active', 'draining', 'removed'),
  replicas_left: whole,
  /** Partitions that no other broker can take. */
  without_place: listOf(string),
  place_failures: listOf(PlaceFailure),
  replicas: listOf(row({ ...MovingReplica.fields, completion_percent: whole })),
});
type DecommissionStatus = RowOf<typeof DecommissionStatus>;

/** `cluster brokers decommission-status` */
export const decommissionStatus = getCommand({
  summary: 'Show how far the decommission of a broker is',
  description: `Lists the replicas that are moving, with the broker that each moves to, and the partitions that no other broker can
take, with the reason if the cluster names it. A broker that is not being decommissioned is not an error, unless --wait is given (exit code 6).

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
  row: DecommissionStatus,
  async read(context, { broker: id, ...values }) {
    checkWait(values);
    const first = await (await context.admin()).decommissionState(id);
    if (values.wait && first === undefined) throw notStarted(id);
    const isPending = values.wait && first !== undefined && !first.finished;
    return statusOf(id, isPending ? await waitUntilGone(context, id, values) : first);
  },
  text: (row, view, { detailed: isDetailed, humanReadable: isHuman }) =>
    progressText(row, view, { isDetailed, isHuman }),
  wide: (row, view, { humanReadable: isHuman }) => progressText(row, view, { isDetailed: true, isHuman }),
});

function notStarted(id: number): CliError {
  return new CliError(exitCodes.conflict, `broker ${id} is not being decommissioned`, {
    target: String(id),
    hints: [`start it with: weir cluster brokers decommission ${id}`],
  });
}

function statusOf(id: number, state: DecommissionState | undefined): DecommissionStatus {
  if (state === undefined)
    return { id, membership: 'active', replicas_left: 0, without_place: [], place_failures: [], replicas: [] };
  const { finished, replicas, ...rest } = state;
  const shown = replicas.map((one) => ({ ...one, completion_percent: percentOf(one) }));
  return { ...rest, membership: finished ? 'removed' : 'draining', replicas: shown };
}

/** An empty partition has nothing left to move. */
function percentOf({ size, bytes_moved: moved, bytes_left: left }: MovingReplica): number {
  const total = size > 0 ? size : moved + left;
  return total === 0 ? 100 : Math.min(100, Math.floor((moved / total) * 100));
}

/** How to show the progress of a decommission in text. */
interface StatusStyle {
  /** Whether to show the bytes moved and remaining. */
  readonly isDetailed: boolean;
  /** Whether sizes have units. */
  readonly isHuman: boolean;
}

/** How far a decommission is: a sentence, or what has no place and what moves. */
function progressText(status: DecommissionStatus, view: View, style: StatusStyle): string {
  const { id, membership, without_place: failures, replicas } = status;
  const reasons = new Map(status.place_failures.map(({ partition, reason }) => [partition, reason]));
  if (membership === 'active') return `Broker ${id} is not being decommissioned.\n`;
  if (membership === 'removed') return `Broker ${id} has left the cluster.\n`;
  const bytes = (size: number): Cell => (style.isHuman ? showSize(size) : size);
  const rows = replicas.map((one): Cell[] => [
    withNamespace(one.topic, 1),
    one.partition,
    one.to,
    one.completion_percent,
    bytes(one.size),
    ...(style.isDetailed ? [bytes(one.bytes_moved), bytes(one.bytes_left)] : []),
  ]);
  const headers = ['namespace topic', 'partition', 'moving to', 'completion %', 'partition size'];
  const all = style.isDetailed ? [...headers, 'bytes moved', 'bytes remaining'] : headers;
  const failed = {
    title: 'allocation failures',
    body: failures.map((name) => failureText(name, reasons.get(name))).join(''),
  };
  const moving = { title: 'decommission progress', body: table(all, rows, view) };
  return sections(failures.length === 0 ? [moving] : [failed, moving], view, 'always');
}

function failureText(name: string, reason: string | undefined): string {
  const partition = withNamespace(name, 2);
  return `${printable(reason === undefined ? partition : `${partition}: ${reason}`)}\n`;
}

/** Topics of Kafka clients are in the namespace `kafka`. @param parts how many parts the name has without one */
function withNamespace(name: string, parts: number): string {
  return name.split('/').length === parts ? `kafka/${name}` : name;
}
