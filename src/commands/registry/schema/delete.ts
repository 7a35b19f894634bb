import { command, flag, one, toggle } from '../../../cli/command.ts';
import { booleanSchema, integerSchema, object, string } from '../../../cli/output/schema.ts';
import type { Context } from '../../../context.ts';
import { table } from '../../../format/table.ts';
import type { SchemaVersion } from '../../../registry/registry.ts';
import type { SchemaRow } from '../../../registry/rows.ts';
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
  namesAll: ({ schemaVersion: version }) => version !== 'latest',
  async confirm(context, values) {
    const found = await chosenVersion(context, values);
    const { subject, version, id } = found;
    const how = values.permanent ? 'Permanently delete' : 'Delete';
    return {
      question: `${how} version ${version} of "${subject}" (schema id ${id})`,
      name: subject,
      preview: shownSchema(found),
    };
  },
  async run(context, { dryRun, permanent, ...values }) {
    const { subject, version } = await chosenVersion(context, { ...values, permanent });
    return await (await context.registry()).deleteVersion({ subject, version, permanent, dryRun });
  },
  output: {
    schema: object({ subject: string, version: integerSchema, permanent: booleanSchema, dry_run: booleanSchema }),
    text: ({ subject, version, dry_run: isDryRun }, view) =>
      table(
        ['subject', 'version', 'status'],
        [[subject, version, isDryRun ? 'OK (dry run: would be deleted)' : 'OK']],
        view,
      ),
  },
});

interface Choice {
  readonly subject: string;
  readonly schemaVersion: SchemaVersion;
  readonly permanent: boolean;
}

/** The chosen version of a run, so that a version that is registered after the question is not deleted. */
const choices = new WeakMap<Context, Promise<SchemaRow>>();

function chosenVersion(context: Context, choice: Choice): Promise<SchemaRow> {
  const known = choices.get(context) ?? choose(context, choice);
  choices.set(context, known);
  return known;
}

async function choose(context: Context, { subject, schemaVersion: version, permanent }: Choice): Promise<SchemaRow> {
  return await (await context.registry()).readVersion(subject, version, permanent && version !== 'latest');
}
