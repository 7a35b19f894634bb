import { any, toggle } from '../../cli/command.ts';
import { type ItemError, usageError } from '../../errors.ts';
import { columnTable, outcomeColumn } from '../../format/columns.ts';
import type { View } from '../../format/view.ts';
import type { Kind } from '../../kinds.ts';
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

/**
 * The value of a setting and its scopes: the value is that of the flag, or the last word, as in `set orders FULL`.
 * @throws CliError (exit 2) if it is neither
 */
export function settingOf(
  { kind, name, given }: { readonly kind: Kind<string>; readonly name: string; readonly given: string | undefined },
  values: { readonly subjects: readonly string[]; readonly global: boolean },
): { readonly value: string; readonly scopes: readonly (string | undefined)[] } {
  if (given !== undefined) return { value: given, scopes: scopesOf(values) };
  const last = values.subjects.at(-1);
  try {
    if (last !== undefined)
      return { value: kind.parse(last), scopes: scopesOf({ ...values, subjects: values.subjects.slice(0, -1) }) };
  } catch {
    // It is a subject.
  }
  const choices = kind.choices?.join(', ') ?? '';
  throw usageError(`--${name} is required`, {
    target: `--${name}`,
    hints: [`name it last, or with --${name}: ${choices}`],
  });
}

/** The scopes in a question. */
export function scopeText(scopes: readonly (string | undefined)[]): string {
  return scopes.map((subject) => subject ?? 'the registry').join(', ');
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
