import type { Output } from '../../../cli/command.ts';
import { arrayOf, booleanSchema, itemErrorSchema, nullable, object, string } from '../../../cli/output/schema.ts';
import type { ChangedModeRow, ModeRow } from '../../../registry/rows.ts';
import { settingTable, sourceFields } from '../scopes.ts';

/** The output of the commands about modes: of a listing, or of changes. */
export function modeOutput(isListing: true): Output<readonly ModeRow[]>;
export function modeOutput(isListing: false): Output<readonly ChangedModeRow[]>;
export function modeOutput(isListing: boolean): Output<readonly ModeRow[]> {
  const fields = { ...sourceFields, mode: nullable(string), error: itemErrorSchema };
  return {
    schema: arrayOf(object(isListing ? fields : { ...fields, dry_run: booleanSchema })),
    text: (rows, view) => settingTable(rows, { name: 'mode', value: ({ mode }) => mode, isListing }, view),
  };
}
