import { flag, one, toggle } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { SubjectVersion } from '../../../registry/rows.ts';
import { contextFlags, requireContexts, subjectIn } from '../../schema-context.ts';
import { schemaVersion, subjectName } from '../kinds.ts';
import { versionColumns } from '../schema-text.ts';

/** `registry schema references` */
export const references = listCommand({
  summary: 'List the schemas that refer to a version of a subject',
  description: 'Delete these versions first: a version that is referred to cannot be deleted.',
  examples: [
    ['What refers to the latest version', 'registry schema references money'],
    [
      'What refers to version 1, including deleted versions',
      'registry schema references money --schema-version 1 --deleted',
    ],
  ],
  apis: ['registry'],
  args: { subject: one(subjectName, 'SUBJECT', 'subject that is referred to') },
  flags: {
    schemaVersion: flag(schemaVersion, { help: 'version of the subject, or latest', fallback: 'latest' }),
    deleted: toggle({ help: 'include deleted versions' }),
    ...contextFlags,
  },
  row: SubjectVersion,
  async read(context, { subject: name, schemaVersion: version, deleted, ...values }) {
    await requireContexts(context, values);
    const { versions, others } = await (await context.registry()).referencesTo(
      subjectIn(values, name),
      version,
      deleted,
    );
    if (others.length > 0)
      context.noticeAfter(`not shown: schema ids of other contexts, or of deleted versions: ${others.join(', ')}`);
    return versions;
  },
  columns: versionColumns,
});
