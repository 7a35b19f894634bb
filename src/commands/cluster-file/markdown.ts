import type { PlanRow } from '../../cluster-file/plan/plan-rows.ts';
import { count } from '../../format/count.ts';

/** The differences of a cluster. */
export interface ClusterReport {
  readonly profile: string | null;
  readonly rows: readonly PlanRow[];
}

/** The differences as Markdown, for a comment on a pull request; those of several clusters have titles. */
export function markdownOf(reports: readonly ClusterReport[]): string {
  if (reports.length === 1) return reports.map(({ rows }) => tableIn(rows)).join('');
  return reports.map(({ profile, rows }) => `## ${escaped(profile ?? '')}\n\n${tableIn(rows)}`).join('\n');
}

function tableIn(rows: readonly PlanRow[]): string {
  if (rows.length === 0) return 'The cluster is as in the files.\n';
  const counts = Map.groupBy(rows, ({ action }) => action);
  const summary = [...counts].map(([action, of]) => `${of.length} ${action}`).join(', ');
  const lines = rows.map(
    (row) => `| ${[row.kind, code(row.name), row.action, changesOf(row), riskOf(row)].join(' | ')} |`,
  );
  return [
    `**${count(rows.length, 'difference')}**: ${summary}`,
    '',
    '| kind | name | action | changes | |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

function changesOf({ changes }: PlanRow): string {
  return changes.map(({ path, from, to }) => `${code(path)}: ${shownValue(from)} → ${shownValue(to)}`).join('<br>');
}

function riskOf({ risk, why }: PlanRow): string {
  return [...(risk === 'none' ? [] : [`**risk: ${risk}**`]), ...(why === null ? [] : [escaped(why)])].join(' ');
}

function shownValue(value: string | null): string {
  return value === null ? '–' : code(value);
}

/** Text as code: what ends it, or a cell, is replaced. */
function code(text: string): string {
  return `\`${text.replace(/[`\r\n]/g, "'").replaceAll('|', '\\|')}\``;
}

function escaped(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[|<>*_`[\]\\]/g, '\\$&');
}
