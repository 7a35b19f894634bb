import { list as listFlag } from '../../cli/command.ts';
import { type Column, errorIfAny } from '../../cli/forms/columns.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { ListedGroup } from '../../kafka/cluster/groups/group-rows.ts';
import { type Kind, oneOf } from '../../kinds.ts';
import { adviseTopic } from '../not-found.ts';
import { topicName } from '../topic/topic-name.ts';

/** The states of all types of groups; too many for the placeholder in the help. */
const stateKind: Kind<string> = {
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
const typeKind = oneOf('type', ['classic', 'consumer', 'share', 'streams']);

/** Left out if there are groups, and no broker reports their states. */
const state: Column<ListedGroup> = [
  'state',
  (group) => group.state,
  (groups) => groups.length === 0 || groups.some((group) => group.state !== null),
];

/** `group list` */
export const list = listCommand({
  summary: 'List groups with their states and coordinators',
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
    states: listFlag(stateKind, { short: 's', help: 'only groups in one of these states', splits: true }),
    types: listFlag(typeKind, { short: 't', help: 'only groups of these types', splits: true }),
  },
  row: ListedGroup,
  async read(context, { states, types, topics }) {
    const kafka = await context.kafka();
    const groups = await kafka.listGroups({ states, types, topics }).catch(async (error: unknown) => {
      throw await adviseTopic(error, context);
    });
    if (groups.length === 0 && topics.length > 0) context.notice(`no group reads ${topics.join(' or ')}`);
    return groups;
  },
  columns: ['broker', 'group', state, errorIfAny()],
  wide: ['broker', 'group', state, 'type', ['protocol type', (group) => group.protocol_type || '-'], errorIfAny()],
});
