import { command, list as listFlag } from '../../cli/command.ts';
import { columnTable, errorColumn } from '../../format/columns.ts';
import type { View } from '../../format/view.ts';
import { type ListedGroupRow, listedGroup } from '../../kafka/group-admin/group-rows.ts';
import { type Kind, oneOf } from '../../kinds.ts';
import { listOf } from '../../shape/shape.ts';

/** The states of all types of groups; too many for the placeholder in the help. */
const state: Kind<string> = {
  ...oneOf('state', [
    'PreparingRebalance',
    'CompletingRebalance',
    'Stable',
    'Empty',
    'Dead',
    'Assigning',
    'Reconciling',
    'NotReady',
  ]),
  hint: 'STATE',
};
const type = oneOf('type', ['classic', 'consumer', 'share', 'streams']);

/** `group list` */
export const list = command({
  summary: 'List groups',
  description: `Asks every broker for the groups that it coordinates. A broker that cannot be reached has a row with the reason; the
groups of the others are listed, and the exit code is 5.

States of the consumer protocol (KIP-848) are Assigning, Reconciling, Stable, Empty and Dead; those of classic groups are
PreparingRebalance, CompletingRebalance, Stable, Empty and Dead. A streams group can also be NotReady.`,
  examples: [
    ['All groups', 'group list'],
    ['Groups without members', 'group list --states Empty'],
    ['Share groups and groups of the consumer protocol', 'group list --types share,consumer --format wide'],
  ],
  aliases: ['ls'],
  apis: ['kafka'],
  flags: {
    states: listFlag(state, { short: 's', help: 'only groups in one of these states', splits: true }),
    types: listFlag(type, { short: 't', help: 'only groups of these types', splits: true }),
  },
  changes: 'reads',
  result: listOf(listedGroup),
  async run(context, { states, types }) {
    const kafka = await context.kafka();
    return kafka.listGroups({ states, types });
  },
  show: {
    text: (rows, view) => groupTable(rows, view, false),
    wide: (rows, view) => groupTable(rows, view, true),
  },
});

/** The table of groups; the column STATE is dropped if there are groups, and no broker reports their states. */
function groupTable(rows: readonly ListedGroupRow[], view: View, wide: boolean): string {
  return columnTable(
    rows,
    [
      ['broker', ({ broker }) => broker],
      ['group', ({ group }) => group],
      ['state', ({ state }) => state, rows.length === 0 || rows.some(({ state }) => state !== null)],
      ['type', ({ type }) => type, wide],
      ['protocol type', (row) => row.protocol_type || '-', wide],
      errorColumn(rows),
    ],
    view,
  );
}
