import { any, toggle } from '../../cli/command.ts';
import type { ItemError } from '../../errors.ts';
import { columnTable, outcomeColumn } from '../../format/columns.ts';
import type { View } from '../../format/view.ts';
import type { SettingSource } from '../../registry/rows.ts';
import { subjectName } from './kinds.ts';

/** The argument of commands about settings of subjects. */
export const scopeArgs = { subjects: any(subjectName, 'SUBJECT', 'names of subjects (default: the global setting)') };

/** The flag that adds the global setting. */
export const scopeFlags = { global: toggle({ help: 'include the global setting as well' }) };

/** The scopes of a command line: undefined is the global setting, which comes first. */
export function scopesOf({ subjects, global }: { readonly subjects: readonly string[]; readonly global: boolean }) {
  const names = [...new Set(subjects)].sort();
  return global || names.length === 0 ? [undefined, ...names] : names;
}

/** A row about a setting, whose value is under another key for each setting. */
interface SettingRow {
  readonly subject: string | null;
  readonly source: SettingSource | null;
  readonly error: ItemError | null;
  readonly dry_run?: boolean;
}

/** What a command does with the settings of its rows. */
export type SettingPurpose = 'list' | 'set' | 'remove';

/** One line per subject, with its setting; of a listing also where it is set. */
export function settingTable<T extends SettingRow>(
  rows: readonly T[],
  { name, value, purpose }: { name: string; value: (row: T) => string | null; purpose: SettingPurpose },
  view: View,
): string {
  return columnTable(
    rows,
    [
      ['subject', ({ subject }) => subject ?? '{GLOBAL}'],
      [purpose === 'remove' ? `${name} removed` : name, value],
      ['source', ({ source }) => source, purpose === 'list'],
      outcomeColumn(rows, purpose === 'remove' ? 'would be removed' : 'would be changed'),
    ],
    view,
  );
}
