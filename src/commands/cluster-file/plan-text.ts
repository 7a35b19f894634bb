import { type Column, tableOf } from '../../cli/forms/columns.ts';
import type { Outcome } from '../../cli/forms/outcome.ts';
import { isLikeBefore, shownRow } from '../../cluster-file/plan/plan-rows.ts';
import type { ItemError } from '../../errors.ts';
import { statusText } from '../../format/status.ts';
import { healthCell } from '../../format/style.ts';
import type { Cell } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { width } from '../../format/width.ts';
import { wrapLine } from '../../format/wrap.ts';
import type { ClusterRow } from './clusters.ts';

/** A row of a plan; after `apply`, with what became of it. */
type PlanTextRow = ClusterRow & { readonly error: ItemError | null } & Partial<Outcome>;

const indent = '    ';

/**
 * A plan as text: a line for each row, and below it its changes and why it is so, each of full width. A row that is like
 * the one before says so instead, and so does the reason of a failure. What was done already is left out.
 * @param profiles the profiles of the command line: several have a column
 * @param isEnded whether the rows show what became of them
 */
export function planText<R extends PlanTextRow>(
  rows: readonly R[],
  view: View,
  { profiles, isEnded = false }: { readonly profiles: readonly string[]; readonly isEnded?: boolean },
): string {
  const shown = rows.filter(({ status }) => status !== 'NOT_NEEDED');
  if (shown.length === 0) return '';
  const whyOf = ({ error, why }: R) => {
    if (error === null || error.code === 'BLOCKED') return why;
    return isEnded ? error.message : statusText(error);
  };
  const seen = shown.map((row) => ({ ...row, why: whyOf(row) }));
  const asAbove = new Set(shown.filter((_, at) => isLikeBefore(seen, at)));
  const failedAsAbove = new Set(
    shown.filter(({ error }, at) => isEnded && error !== null && shown[at - 1]?.error?.message === error.message),
  );
  const columns: readonly Column<R>[] = [
    ['profile', ({ profile }) => profile, new Set(profiles).size > 1],
    ['kind', ({ kind }) => kind],
    ['name', ({ name }) => name],
    ['action', (row) => actionCell(row, asAbove.has(row))],
    [
      'risk',
      ({ risk }) => (risk === 'none' ? '' : healthCell(risk, 'pending')),
      shown.some(({ risk }) => risk !== 'none'),
    ],
    ['status', statusCell, isEnded],
  ];
  return tableOf(shown, columns, view, (row) => {
    if (asAbove.has(row)) return [];
    const why = failedAsAbove.has(row) ? 'as above' : whyOf(row);
    const whyLines = why === null ? [] : linesOf(`why: ${why}`, view);
    const isBad = row.error !== null || row.action === 'blocked';
    return [...changeLines(row, view), ...whyLines.map((line) => (isBad ? healthCell(line, 'bad') : line))];
  });
}

function actionCell({ action }: PlanTextRow, isAsAbove: boolean): Cell {
  const text = isAsAbove ? `${action}, as above` : action;
  if (action === 'blocked') return healthCell(text, 'bad');
  return action === 'delete' ? healthCell(text, 'pending') : text;
}

/** The message of an error is below its row. */
function statusCell({ error, dry_run: isDryRun }: PlanTextRow): Cell {
  if (error !== null) return healthCell(error.code, 'bad');
  return isDryRun ? 'OK (dry run)' : 'OK';
}

function changeLines(row: PlanTextRow, view: View): readonly string[] {
  const { values } = shownRow(row);
  const widest = Math.max(...values.map(({ path }) => width(path)));
  return values.flatMap(({ path, steps }) => {
    const name = path + ' '.repeat(widest - width(path));
    return linesOf(`${name}  ${steps.map((value) => value ?? '-').join(' → ')}`, view);
  });
}

/** A text in lines of the width of the terminal. */
function linesOf(text: string, { columns = Infinity }: View): readonly string[] {
  const lines = wrapLine(text, columns - indent.length - 2, width);
  return lines.map((line, at) => (at === 0 ? indent : `${indent}  `) + line);
}
