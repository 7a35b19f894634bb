import { command, many, toggle } from '../../cli/command.ts';
import { count } from '../../format/count.ts';
import { statusCell } from '../../format/status.ts';
import { table } from '../../format/table.ts';
import { deletedGroup } from '../../kafka/cluster/groups/group-rows.ts';
import { listOf } from '../../shape/shape.ts';
import { existingRows, ifExists, matchesIfAny, suggestGroups } from '../missing.ts';
import { chosenGroups } from './chosen-groups.ts';
import { groupOrPattern } from './group-name.ts';

const shownNames = 10;

/** `group delete` */
export const deleteCommand = command({
  summary: 'Delete groups with their committed offsets',
  description: `A group with members cannot be deleted (exit code 6): stop its members first. Consumers that join a deleted group
again begin where their auto.offset.reset says.

With -r, deletes every group whose whole name matches one of the regular expressions. Patterns are matched once, before the
confirmation prompt: only the groups named there are deleted.`,
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
  result: listOf(deletedGroup),
  namesAll: ({ regex }) => !regex,
  plan: (context, values) => matchesIfAny(values.ifExists, chosenGroups(context, values, 'delete groups')),
  confirm(_context, _values, names) {
    if (names.length === 0) return null;
    const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : '';
    const list = `${names.slice(0, shownNames).join(', ')}${more}`;
    const offsets = names.length === 1 ? 'its committed offsets' : 'their committed offsets';
    const name = names.length === 1 ? String(names[0]) : count(names.length, 'group');
    return { question: `Delete ${count(names.length, 'group')} (${list}) and ${offsets}`, name };
  },
  async run(context, { dryRun, ifExists: isOptional }, groups) {
    if (groups.length === 0) return [];
    const kafka = await context.kafka();
    const rows = await kafka.deleteGroups({ groups, dryRun });
    if (isOptional) return existingRows(context, rows, ({ group }) => group);
    await suggestGroups(
      context,
      rows.map(({ group, error }) => [group, error]),
    );
    return rows;
  },
  show: {
    text: (rows, view) =>
      table(
        ['group', 'status'],
        rows.map(({ group, dry_run: isDryRun, error }) => [
          group,
          statusCell(error, isDryRun ? 'OK (dry run: would be deleted)' : 'OK'),
        ]),
        view,
      ),
  },
});
