import { flag, one, toggle } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { row, string, truth, whole } from '../../../shape/shape.ts';
import { contextFlags, requireContexts, subjectIn } from '../../schema-context.ts';
import { schemaVersion, subjectName } from '../kinds.ts';
import { shownSchema } from '../schema-text.ts';

/** `registry schema delete` */
export const deleteCommand = change({
  summary: 'Delete a version of a subject',
  description: `A deleted version can no longer be found, except with --deleted, but its id keeps working, so that records with
it can still be read. With --permanent, the version is removed for good, and the id as well if no other version has it:
records with it become unreadable.

A version that another schema refers to cannot be deleted (exit code 6).`,
  examples: [
    ['One version', 'registry schema delete orders-value --schema-version 2'],
    ['The latest version, for good', 'registry schema delete orders-value --schema-version latest --permanent'],
    ['Show what would be deleted', 'registry schema delete orders-value --schema-version 2 --dry-run'],
  ],
  apis: ['registry'],
  args: { subject: one(subjectName, 'SUBJECT', 'subject of the version') },
  flags: {
    schemaVersion: flag(schemaVersion, { help: 'version to delete, or latest', required: true }),
    permanent: toggle({ help: 'remove the version for good' }),
    ...contextFlags,
  },
  changes: 'destroys',
  namesAll: ({ schemaVersion: version }) => version !== 'latest',
  noun: 'version',
  isOne: true,
  item: row({ subject: string, version: whole, permanent: truth }),
  // A version that is registered after the question is not deleted.
  async plan(context, { subject: name, schemaVersion: version, permanent, ...values }) {
    await requireContexts(context, values);
    const subject = subjectIn(values, name);
    const isDeleted = permanent && version !== 'latest';
    return [{ ...(await (await context.registry()).readVersion(subject, version, isDeleted)), permanent }];
  },
  asks: ([schema], { permanent }) =>
    schema === undefined
      ? null
      : {
          question: `${permanent ? 'Permanently delete' : 'Delete'} version ${schema.version} of "${schema.subject}" (schema id ${schema.id})`,
          name: schema.subject,
          preview: shownSchema(schema),
        },
  async applyEach(context, { subject, version, permanent }) {
    await (await context.registry()).deleteVersion(subject, version, permanent);
    return {};
  },
  columns: ['subject', 'version'],
  would: 'be deleted',
});
