import { any, toggle } from '../../../cli/command.ts';
import { errorAlways } from '../../../cli/forms/columns.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { ListedSchema } from '../../../registry/rows.ts';
import { contextFlags } from '../../schema-context.ts';
import { matchingSubjects, noticeNoSubject } from '../chosen-subjects.ts';
import { subjectOrPattern } from '../kinds.ts';

/** `registry schema list` */
export const list = listCommand({
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
    ...contextFlags,
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  row: ListedSchema,
  async read(context, { deleted, ...choice }) {
    const subjects = await matchingSubjects(context, { ...choice, deleted });
    if (choice.regex && subjects.length === 0) await noticeNoSubject(context, { ...choice, deleted });
    return await (await context.registry()).listSchemas(subjects, deleted);
  },
  columns: [
    'subject',
    'version',
    'id',
    'type',
    ['deleted', ({ deleted }) => deleted, (rows) => rows.some(({ deleted }) => deleted)],
    errorAlways(),
  ],
});
