import { command, many, toggle } from '../../cli/command.ts';
import { arrayOf, booleanSchema, itemErrorSchema, object, string, wordOf } from '../../cli/output/schema.ts';
import { exitCodeOfItems } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { statusCell } from '../../format/status.ts';
import { table } from '../../format/table.ts';
import { suggestGroups } from '../missing.ts';
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
  flags: { regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }) },
  changes: 'destroys',
  namesAll: ({ regex }) => !regex,
  async confirm(context, values) {
    const names = await chosenGroups(context, values, 'delete groups');
    const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : '';
    const list = `${names.slice(0, shownNames).join(', ')}${more}`;
    const offsets = names.length === 1 ? 'its committed offsets' : 'their committed offsets';
    const name = names.length === 1 ? String(names[0]) : count(names.length, 'group');
    return { question: `Delete ${count(names.length, 'group')} (${list}) and ${offsets}`, name };
  },
  async run(context, values) {
    const groups = await chosenGroups(context, values, 'delete groups');
    const kafka = await context.kafka();
    const rows = await kafka.deleteGroups({ groups, dryRun: values.dryRun });
    await suggestGroups(
      context,
      rows.map(({ group, error }) => [group, error]),
    );
    return rows;
  },
  output: {
    schema: arrayOf(
      object({ group: string, status: wordOf('OK', 'ERROR'), dry_run: booleanSchema, error: itemErrorSchema }),
    ),
    text: (rows, view) =>
      table(
        ['group', 'status'],
        rows.map(({ group, dry_run: isDryRun, error }) => [
          group,
          statusCell(error, isDryRun ? 'OK (dry run: would be deleted)' : 'OK'),
        ]),
        view,
      ),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  },
});
