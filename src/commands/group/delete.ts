import { many, toggle } from '../../cli/command.ts';
import { change, ifExists } from '../../cli/forms/change.ts';
import { countAndNames, inNumber } from '../../format/name-lists.ts';
import { row, string } from '../../shape/shape.ts';
import { groupOrPattern } from '../group-name.ts';
import { matchesIfAny, missingIn, suggestGroups } from '../not-found.ts';
import { chosenGroups } from './chosen-groups.ts';

const nameOf = ({ group }: { readonly group: string }) => group;

/** `group delete` */
export const deleteCommand = change({
  summary: 'Delete groups with their committed offsets',
  description: `A group with members cannot be deleted (exit code 6): stop its members first. Consumers that join a
deleted group again begin where their auto.offset.reset says.

With -r, deletes every group whose whole name matches one of the regular expressions. Only the groups that the
question names are deleted.`,
  examples: [
    ['Two groups', 'group delete billing reports'],
    ['Groups whose names begin with "tmp-", without a prompt', "group delete -r 'tmp-.*' --yes"],
    ['Show what would be deleted', "group delete -r 'tmp-.*' --dry-run"],
  ],
  apis: ['kafka'],
  args: { groups: many(groupOrPattern, 'GROUP', 'names of groups, or regular expressions with -r') },
  flags: {
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
    ifExists,
  },
  changes: 'destroys',
  namesAll: ({ regex }) => !regex,
  noun: 'group',
  item: row({ group: string }),
  async plan(context, values) {
    const groups = await matchesIfAny(values.ifExists, chosenGroups(context, values, 'delete groups'));
    return await (await context.kafka()).checkDeletable(groups);
  },
  asks: (groups) =>
    `Delete ${countAndNames('group', groups.map(nameOf))} and ${inNumber(groups, 'its', 'their')} committed offsets`,
  apply: async (context, groups) => (await context.kafka()).deleteGroups(groups.map(nameOf)),
  would: 'be deleted',
  after: (context, groups) => suggestGroups(context, missingIn(groups, nameOf)),
});
