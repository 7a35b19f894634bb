import type { Output } from '../../../cli/command.ts';
import { arrayOf, booleanSchema, itemErrorSchema, nullable, object, string } from '../../../cli/output/schema.ts';
import { exitCodeOfItems } from '../../../errors.ts';
import type { ChangedModeRow, ModeRow } from '../../../registry/rows.ts';
import { type SettingPurpose, settingTable, sourceFields } from '../scopes.ts';

/** The output of the commands about modes. */
export function modeOutput(purpose: 'list'): Output<readonly ModeRow[]>;
export function modeOutput(purpose: 'set' | 'remove'): Output<readonly ChangedModeRow[]>;
export function modeOutput(purpose: SettingPurpose): Output<readonly ModeRow[]> {
  const fields = { ...sourceFields, mode: nullable(string), error: itemErrorSchema };
  return {
    schema: arrayOf(object(purpose === 'list' ? fields : { ...fields, dry_run: booleanSchema })),
    text: (rows, view) => settingTable(rows, { name: 'mode', value: ({ mode }) => mode, purpose }, view),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  };
}
