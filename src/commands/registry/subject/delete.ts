import { command, many, toggle } from '../../../cli/command.ts';
import { columnTable, outcomeColumn } from '../../../format/columns.ts';
import { count } from '../../../format/count.ts';
import { shortList } from '../../../format/named.ts';
import { plainView, type View } from '../../../format/view.ts';
import { type DeletedSubjectRow, deletedSubjectRow } from '../../../registry/rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { existingRows, ifExists, matchesIfAny } from '../../missing.ts';
import { chosenSubjects } from '../chosen-subjects.ts';
import { subjectOrPattern } from '../kinds.ts';

/** `registry subject delete` */
export const deleteCommand = command({
  summary: 'Delete subjects with all their versions',
  description: `A deleted subject can no longer be found, except with --deleted, but the ids of its schemas keep working, so that
records with them can still be read. With --permanent, everything is removed for good, also of subjects that are deleted
already: records with these ids become unreadable.

Subjects whose schemas refer to one another can be deleted together, in any order. A registry that counts deleted schemas
(Apicurio) needs --permanent for that.

With -r, deletes every subject whose whole name matches. Patterns are matched once, before the confirmation prompt.`,
  examples: [
    ['One subject', 'registry subject delete orders-value'],
    ['Subjects whose names begin with "tmp-", for good', "registry subject delete -r 'tmp-.*' --permanent"],
    ['Show what would be deleted', "registry subject delete -r 'tmp-.*' --dry-run"],
  ],
  apis: ['registry'],
  args: { subjects: many(subjectOrPattern, 'SUBJECT', 'names of subjects, or regular expressions with -r') },
  flags: {
    permanent: toggle({ help: 'remove the subjects for good' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
    ifExists,
  },
  changes: 'destroys',
  result: listOf(deletedSubjectRow),
  namesAll: ({ regex }) => !regex,
  plan: (context, { subjects, regex, permanent, ifExists: isOptional }) =>
    matchesIfAny(isOptional, chosenSubjects(context, { subjects, regex, deleted: permanent }, 'delete subjects')),
  async confirm(context, { permanent }, subjects) {
    if (subjects.length === 0) return null;
    const rows = await (await context.registry()).deleteSubjects({ subjects, permanent, dryRun: true });
    const how = permanent ? 'Permanently delete' : 'Delete';
    const name = subjects.length === 1 ? String(subjects[0]) : count(subjects.length, 'subject');
    return {
      question: `${how} ${count(subjects.length, 'subject')} (${shortList(subjects)}) with all versions`,
      name,
      preview: subjectTable(rows, plainView),
    };
  },
  async run(context, { permanent, dryRun, ifExists: isOptional }, subjects) {
    if (subjects.length === 0) return [];
    const rows = await (await context.registry()).deleteSubjects({ subjects, permanent, dryRun });
    return isOptional ? existingRows(context, rows, ({ subject }) => subject) : rows;
  },
  show: { text: subjectTable },
});

function subjectTable(rows: readonly DeletedSubjectRow[], view: View): string {
  return columnTable(
    rows,
    [
      ['subject', ({ subject }) => subject],
      ['versions deleted', (row) => row.versions_deleted],
      outcomeColumn(rows, 'would be deleted'),
    ],
    view,
  );
}
