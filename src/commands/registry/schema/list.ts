import { any, command, toggle } from '../../../cli/command.ts';
import { columnTable, errorColumn } from '../../../format/columns.ts';
import { ListedSchema } from '../../../registry/rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { matchingSubjects, noticeNoSubject } from '../chosen-subjects.ts';
import { subjectOrPattern } from '../kinds.ts';

/** `registry schema list` */
export const list = command({
  summary: 'List the versions of subjects',
  description: `Lists all versions of the named subjects, or of all subjects. A subject or version that cannot be read has a row with
the reason, and the exit code is not 0.`,
  examples: [
    ['All versions of all subjects', 'registry schema list'],
    ['Of two subjects, with deleted versions', 'registry schema list orders-value orders-key --deleted'],
    ['Of subjects whose names end with "-value", for a script', "registry schema list -r '.*-value' --format json"],
  ],
  aliases: ['ls'],
  apis: ['registry'],
  args: { subjects: any(subjectOrPattern, 'SUBJECT', 'names of subjects, or regular expressions with -r') },
  flags: {
    deleted: toggle({ help: 'include deleted versions' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  changes: 'reads',
  result: listOf(ListedSchema),
  async run(context, { deleted, ...choice }) {
    const subjects = await matchingSubjects(context, { ...choice, deleted });
    if (choice.regex && subjects.length === 0) await noticeNoSubject(context, { ...choice, deleted });
    return await (await context.registry()).listSchemas(subjects, deleted);
  },
  show: {
    text: (rows, view) =>
      columnTable(
        rows,
        [
          ['subject', ({ subject }) => subject],
          ['version', ({ version }) => version],
          ['id', ({ id }) => id],
          ['type', ({ type }) => type],
          ['deleted', ({ deleted }) => deleted, rows.some(({ deleted }) => deleted)],
          errorColumn(),
        ],
        view,
      ),
  },
});
