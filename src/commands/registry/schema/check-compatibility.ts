import { flag, one } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { exitCodes } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { CompatibilityCheck } from '../../../registry/rows.ts';
import { contextFlags, requireContexts, subjectIn } from '../../schema-context.ts';
import { schemaVersion, subjectName } from '../kinds.ts';
import { readSchema, schemaFile, schemaFlags } from '../schema-input.ts';

/** `registry schema check-compatibility` */
export const checkCompatibility = getCommand({
  summary: 'Check whether a schema is compatible with a version of a subject',
  description: `Asks the registry, which decides by the compatibility level of the subject. If the schema is not compatible, prints
the registry's reasons, and the exit code is 10. With the level NONE, everything is compatible. Nothing is registered.`,
  examples: [
    ['With the latest version', 'registry schema check-compatibility orders-value --schema order.avsc'],
    ['With version 1', 'registry schema check-compatibility orders-value --schema order.avsc --schema-version 1'],
  ],
  apis: ['registry'],
  args: { subject: one(subjectName, 'SUBJECT', 'subject to compare with') },
  flags: {
    schema: schemaFile,
    schemaVersion: flag(schemaVersion, { help: 'version to compare with, or latest', fallback: 'latest' }),
    ...schemaFlags,
    ...contextFlags,
  },
  row: CompatibilityCheck,
  async read(context, { subject: name, schemaVersion: version, ...values }) {
    await requireContexts(context, values);
    const schema = await readSchema(context, values);
    return await (await context.registry()).checkCompatibility(subjectIn(values, name), version, schema);
  },
  text: ({ compatible, messages, level }) =>
    [`Schema is ${compatible ? 'compatible' : 'not compatible'}${byLevel(level)}.`, ...messages.map(printable)]
      .map((line) => `${line}\n`)
      .join(''),
  exitCode: ({ compatible }) => (compatible ? exitCodes.ok : exitCodes.checkFailed),
});

function byLevel(level: string | null): string {
  if (level === null) return '';
  return ` (level ${printable(level)}${level === 'NONE' ? ' checks nothing' : ''})`;
}
