import { command } from '../../../cli/command.ts';
import { scopeArgs, scopeFlags, scopesOf } from '../scopes.ts';
import { modeOutput } from './mode-output.ts';

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
  async run(context, values) {
    return await (await context.registry()).modes(scopesOf(values));
  },
  output: modeOutput('list'),
});
