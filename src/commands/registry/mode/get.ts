import { command } from '../../../cli/command.ts';
import type { View } from '../../../format/view.ts';
import { type ModeRow, modeRow } from '../../../registry/rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { type SettingPurpose, scopeArgs, scopeFlags, scopesOf, settingTable } from '../scopes.ts';

/** `registry mode get` */
export const get = command({
  summary: 'Show modes',
  description: `A subject without a mode of its own has the global one; the column SOURCE tells which it is. In mode READONLY,
nothing can be registered or deleted.`,
  examples: [
    ['The global mode', 'registry mode get'],
    ['Of one subject, and the global one', 'registry mode get orders-value --global'],
  ],
  apis: ['registry'],
  args: scopeArgs,
  flags: scopeFlags,
  changes: 'reads',
  result: listOf(modeRow),
  async run(context, values) {
    return await (await context.registry()).modes(scopesOf(values));
  },
  show: { text: (rows, view) => modeTable(rows, 'list', view) },
});

/** One line per subject, with its mode. */
export function modeTable(rows: readonly ModeRow[], purpose: SettingPurpose, view: View): string {
  return settingTable(rows, { name: 'mode', value: ({ mode }) => mode, purpose }, view);
}
