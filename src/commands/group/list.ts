import { command, list as listFlag } from '../../cli/command.ts';
import { columnTable, errorColumn } from '../../format/columns.ts';
import type { View } from '../../format/view.ts';
import { type ListedGroupRow, listedGroup } from '../../kafka/cluster/groups/group-rows.ts';
import { type Kind, oneOf } from '../../kinds.ts';
import { listOf } from '../../shape/shape.ts';
import { adviseTopic } from '../missing.ts';
import { topicName } from '../topic/topic-name.ts';

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

With --topics, lists the groups that have committed offsets of one of the topics, or have a member that reads it. group lag
shows members and lag of all groups.

States of the consumer protocol (KIP-848) are Assigning, Reconciling, Stable, Empty and Dead; those of classic groups are
PreparingRebalance, CompletingRebalance, Stable, Empty and Dead. A streams group can also be NotReady.`,
  examples: [
    ['All groups', 'group list'],
    ['Groups without members', 'group list --states Empty'],
    ['Groups that read a topic', 'group list --topic orders'],
    ['Share groups and groups of the consumer protocol', 'group list --types share,consumer --format wide'],
  ],
  aliases: ['ls'],
  apis: ['kafka'],
  flags: {
    topics: listFlag(topicName, {
      help: 'only groups that read one of these topics',
      splits: true,
      aliases: ['topic'],
    }),
    states: listFlag(state, { short: 's', help: 'only groups in one of these states', splits: true }),
    types: listFlag(type, { short: 't', help: 'only groups of these types', splits: true }),
  },
  changes: 'reads',
  result: listOf(listedGroup),
  async run(context, { states, types, topics }) {
    const kafka = await context.kafka();
    const rows = await kafka.listGroups({ states, types, topics }).catch(async (error: unknown) => {
      throw await adviseTopic(error, context);
    });
    if (rows.length === 0 && topics.length > 0) context.notice(`no group reads ${topics.join(' or ')}`);
    return rows;
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
