import { command, flag, one, toggle } from '../../../cli/command.ts';
import { table } from '../../../format/table.ts';
import { row, string, truth, whole } from '../../../shape/shape.ts';
import { schemaVersion, subjectName } from '../kinds.ts';
import { shownSchema } from '../schema-text.ts';

/** `registry schema delete` */
export const deleteCommand = command({
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
  },
  changes: 'destroys',
  result: row({ subject: string, version: whole, permanent: truth, dry_run: truth }),
  namesAll: ({ schemaVersion: version }) => version !== 'latest',
  // A version that is registered after the question is not deleted.
  plan: async (context, { subject, schemaVersion: version, permanent }) =>
    (await context.registry()).readVersion(subject, version, permanent && version !== 'latest'),
  confirm(_context, { permanent }, found) {
    const { subject, version, id } = found;
    const how = permanent ? 'Permanently delete' : 'Delete';
    return {
      question: `${how} version ${version} of "${subject}" (schema id ${id})`,
      name: subject,
      preview: shownSchema(found),
    };
  },
  async run(context, { dryRun, permanent }, { subject, version }) {
    return await (await context.registry()).deleteVersion({ subject, version, permanent, dryRun });
  },
  show: {
    text: ({ subject, version, dry_run: isDryRun }, view) =>
      table(
        ['subject', 'version', 'status'],
        [[subject, version, isDryRun ? 'OK (dry run: would be deleted)' : 'OK']],
        view,
      ),
  },
});
