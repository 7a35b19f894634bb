import { command, flag } from '../../../cli/command.ts';
import { changedLevelRow } from '../../../registry/rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { compatibilityLevel, compatibilityLevels } from '../kinds.ts';
import { scopeArgs, scopeFlags, scopeText, settingOf } from '../scopes.ts';
import { levelTable } from './get.ts';

/** `registry compatibility-level set` */
export const set = command({
  summary: 'Set compatibility levels',
  description: `Levels: ${compatibilityLevels.join(', ')}.

BACKWARD lets consumers with the new schema read old records, FORWARD lets consumers with the old schema read new records,
FULL means both. The transitive levels compare with all earlier versions instead of the latest one.`,
  examples: [
    ['Of the registry', 'registry compatibility-level set --level BACKWARD'],
    ['Of one subject', 'registry compatibility-level set orders-value full_transitive'],
    ['Show what would be set', 'registry compatibility-level set orders-value --level none --dry-run'],
  ],
  apis: ['registry'],
  args: scopeArgs,
  flags: { level: flag(compatibilityLevel, { help: 'level to set (default: the last argument)' }), ...scopeFlags },
  changes: 'alters',
  guarded: 'because it decides which schemas producers can register',
  result: listOf(changedLevelRow),
  plan: (_context, { level, ...values }) =>
    settingOf({ kind: compatibilityLevel, name: 'level', given: level }, values),
  confirm: (_context, _values, { value, scopes }) => ({
    question: `Set the compatibility level of ${scopeText(scopes)} to ${value}`,
    name: value,
  }),
  run: async (context, { dryRun }, { value, scopes }) =>
    (await context.registry()).setLevels(scopes, value, { dryRun }),
  show: { text: (rows, view) => levelTable(rows, 'set', view) },
});
