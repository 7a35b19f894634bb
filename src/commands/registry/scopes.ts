import { any, toggle, type ValuesOf } from '../../cli/command.ts';
import { columnTable, outcomeColumn } from '../../format/columns.ts';
import type { View } from '../../format/view.ts';
import type { LevelRow, ModeRow } from '../../registry/registry-rows.ts';
import { subjectName } from './kinds.ts';

/** The argument of commands about settings of subjects. */
export const scopeArgs = { subjects: any(subjectName, 'SUBJECT', 'names of subjects (default: the global setting)') };

/** The flag that adds the global setting. */
export const scopeFlags = { global: toggle({ help: 'include the global setting as well' }) };

/** The scopes of a command line: undefined is the global setting, which comes first. */
export function scopesOf({ subjects, global }: ValuesOf<typeof scopeArgs & typeof scopeFlags>) {
  const names = [...new Set(subjects)].sort();
  return global || names.length === 0 ? [undefined, ...names] : names;
}

/** What a command does with the settings of its rows. */
type Purpose = 'list' | 'set' | 'remove';

type SettingRow = Omit<LevelRow, 'level'> & Partial<Pick<LevelRow, 'level'> & Pick<ModeRow, 'mode'>>;

/** One line per subject, with its setting; of a listing also where it is set. */
export function settingShow(name: 'level' | 'mode', purpose: Purpose) {
  return {
    text: (rows: readonly SettingRow[], view: View): string =>
      columnTable(
        rows,
        [
          ['subject', ({ subject }) => subject ?? '{GLOBAL}'],
          [purpose === 'remove' ? `${name} removed` : name, (row) => row[name]],
          ['source', ({ source }) => source, purpose === 'list'],
          outcomeColumn(rows, purpose === 'remove' ? 'would be removed' : 'would be changed'),
        ],
        view,
      ),
  };
}
