import { command } from '../../../cli/command.ts';
import { modeRow } from '../../../registry/registry-rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { scopeArgs, scopeFlags, scopesOf, settingShow } from '../scopes.ts';

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
  show: settingShow('mode', 'list'),
});
