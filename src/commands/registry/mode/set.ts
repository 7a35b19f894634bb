import { command, flag, toggle } from '../../../cli/command.ts';
import { changedModeRow } from '../../../registry/rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { schemaMode } from '../kinds.ts';
import { scopeArgs, scopeFlags, scopeText, settingOf } from '../scopes.ts';
import { modeTable } from './get.ts';

/** `registry mode set` */
export const set = command({
  summary: 'Set modes',
  description: `READWRITE is the usual mode. In READONLY, nothing can be registered or deleted.

Not every registry has the other modes. In IMPORT, schemas are registered with ids and versions of your choice. FORWARD is
for a registry that another one copies its schemas to. READONLY_OVERRIDE, for the registry as a whole, also applies to
subjects with a mode of their own.`,
  examples: [
    ['Keep the registry from being changed', 'registry mode set --mode READONLY'],
    ['Open one subject again', 'registry mode set orders-value READWRITE'],
    ['Show what would be set', 'registry mode set orders-value --mode READONLY --dry-run'],
  ],
  apis: ['registry'],
  args: scopeArgs,
  flags: {
    mode: flag(schemaMode, { help: 'mode to set (default: the last argument)' }),
    force: toggle({ help: 'allow the mode IMPORT although schemas are registered' }),
    ...scopeFlags,
  },
  changes: 'alters',
  guarded: 'because it decides which schemas producers can register',
  result: listOf(changedModeRow),
  plan: (_context, { mode, ...values }) => settingOf({ kind: schemaMode, name: 'mode', given: mode }, values),
  confirm: (_context, _values, { value, scopes }) => ({
    question: `Set the mode of ${scopeText(scopes)} to ${value}`,
    name: value,
  }),
  run: async (context, { force, dryRun }, { value, scopes }) =>
    (await context.registry()).setModes(scopes, value, { force, dryRun }),
  show: { text: (rows, view) => modeTable(rows, 'set', view) },
});
