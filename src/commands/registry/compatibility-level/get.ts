import { command } from '../../../cli/command.ts';
import type { View } from '../../../format/view.ts';
import { type LevelRow, levelRow } from '../../../registry/rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { type SettingPurpose, scopeArgs, scopeFlags, scopesOf, settingTable } from '../scopes.ts';

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
  result: listOf(levelRow),
  async run(context, values) {
    return await (await context.registry()).levels(scopesOf(values));
  },
  show: {
    text: (rows, view) => levelTable(rows, 'list', view),
  },
});

/** One line per subject, with its compatibility level. */
export function levelTable(rows: readonly LevelRow[], purpose: SettingPurpose, view: View): string {
  return settingTable(rows, { name: 'level', value: ({ level }) => level, purpose }, view);
}
