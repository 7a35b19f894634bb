import { command } from '../../../cli/command.ts';
import { arrayOf, itemErrorSchema, nullable, object, string } from '../../../cli/output/schema.ts';
import { exitCodeOfItems } from '../../../errors.ts';
import { scopeArgs, scopeFlags, scopesOf, settingTable, sourceFields } from '../scopes.ts';

/** `registry compatibility-level get` */
export const get = command({
  summary: 'Show compatibility levels',
  description: `The compatibility level decides which new versions a subject accepts. A subject without a level of its own has the
global one; the column SOURCE tells which it is.`,
  examples: [
    ['The global level', 'registry compatibility-level get'],
    ['Of two subjects, and the global one', 'registry compatibility-level get orders-value orders-key --global'],
  ],
  apis: ['registry'],
  args: scopeArgs,
  flags: scopeFlags,
  changes: 'reads',
  async run(context, values) {
    return await (await context.registry()).levels(scopesOf(values));
  },
  output: {
    schema: arrayOf(object({ ...sourceFields, level: nullable(string), error: itemErrorSchema })),
    text: (rows, view) => settingTable(rows, { name: 'level', value: ({ level }) => level, purpose: 'list' }, view),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  },
});
