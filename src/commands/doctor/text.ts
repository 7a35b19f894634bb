import type { Check, CheckStatus, Checkup } from '../../doctor/check-rows.ts';
import { type Section, sections } from '../../format/sections.ts';
import { type Health, healthCell } from '../../format/style.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';

const healths: Readonly<Record<CheckStatus, Health | undefined>> = {
  ok: 'good',
  warning: 'pending',
  failed: 'bad',
  skipped: undefined,
};

/** The checks as a table, and what to do about those that found something. */
export function checkupText({ checks }: Checkup, view: View): string {
  const rows = checks.map((check) => [...cells(check), check.detail]);
  return sections(
    [{ title: 'checks', body: table([...headers, 'detail'], rows, view) }, ...advice(checks, view)],
    view,
  );
}

/** The same with the time and the code of each failure. */
export function checkupWide({ checks }: Checkup, view: View): string {
  const rows = checks.map((check) => [...cells(check), check.duration_ms, check.error_code, check.detail]);
  const body = table([...headers, 'milliseconds', 'code', 'detail'], rows, view);
  return sections([{ title: 'checks', body }, ...advice(checks, view)], view);
}

const headers = ['api', 'target', 'step', 'status'];

function cells({ api, target, step, status }: Check): Cell[] {
  const health = healths[status];
  return [api, target, step, health === undefined ? status : healthCell(status, health)];
}

/** Each hint once, with the first check that gave it. */
function advice(checks: readonly Check[], view: View): readonly Section[] {
  const given = new Set<string>();
  const rows = checks.flatMap(({ api, target, step, hints }) =>
    hints
      .filter((hint) => !given.has(`${api} ${hint}`))
      .map((hint): Cell[] => {
        given.add(`${api} ${hint}`);
        return [api, target, step, hint];
      }),
  );
  if (rows.length === 0) return [];
  return [{ title: 'what to do', body: table(['api', 'target', 'step', 'advice'], rows, view) }];
}
