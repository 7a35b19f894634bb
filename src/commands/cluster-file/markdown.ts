import { isLikeBefore, type PlanRow } from '../../cluster-file/plan/plan-rows.ts';
import type { CliError } from '../../errors.ts';
import { count } from '../../format/count.ts';

/** The differences of a cluster. */
export interface ClusterReport {
  readonly profile: string | null;
  readonly rows: readonly PlanRow[];
  readonly warnings: readonly string[];
  /** Why the files are refused. */
  readonly faults: readonly string[];
  /** Why apply would refuse the plan as a whole. */
  readonly refusal?: CliError | undefined;
}

/** GitHub takes comments of 65,536 characters. */
const mostText = 60_000;

/** How many characters of lines still fit. */
interface Room {
  left: number;
}

/** The differences as Markdown, for a comment on a pull request; those of several clusters have titles. */
export function markdownOf(reports: readonly ClusterReport[]): string {
  const room = { left: mostText };
  if (reports.length === 1) return reports.map((report) => sectionOf(report, room)).join('');
  return reports.map((report) => `## ${escaped(report.profile ?? '')}\n\n${sectionOf(report, room)}`).join('\n');
}

function sectionOf({ rows, warnings, faults, refusal }: ClusterReport, room: Room): string {
  const refusals = refusal === undefined ? [] : [[refusal.message, ...refusal.hints].join('; ')];
  const lists = [
    ...listIn('**The files are refused:**', faults, room),
    ...listIn('**weir apply would refuse this:**', refusals, room),
    ...listIn('**Warnings:**', warnings, room),
  ];
  return [...lists, ...(faults.length > 0 ? [] : tableIn(rows, room))].join('\n');
}

function listIn(title: string, texts: readonly string[], room: Room): readonly string[] {
  if (texts.length === 0) return [];
  const items = texts.map((text) => `- ${escaped(text)}`);
  return [title, '', ...fitting(items, room), ''];
}

function tableIn(rows: readonly PlanRow[], room: Room): readonly string[] {
  if (rows.length === 0) return ['The cluster is as in the files.', ''];
  const others = rows.filter(({ action }) => action !== 'keep');
  const summary = [...Map.groupBy(others, ({ action }) => action)].map(([action, of]) => `${of.length} ${action}`);
  const kept = rows.length - others.length;
  const parts = [
    ...(others.length > 0 ? [`**${count(others.length, 'difference')}**: ${summary.join(', ')}`] : []),
    ...(kept > 0 ? [`**${kept} kept**, which the files own and do not name`] : []),
  ];
  const lines = rows.map((row, at) => {
    const what = isLikeBefore(rows, at) ? ['as above', ''] : [changesOf(row), riskOf(row)];
    return `| ${[row.kind, code(row.name), row.action, ...what].join(' | ')} |`;
  });
  const head = ['| kind | name | action | changes | why |', '| --- | --- | --- | --- | --- |'];
  return [parts.join('; '), '', ...head, ...fitting(lines, room), ''];
}

/** The lines for which there is room, and how many there are more. */
function fitting(lines: readonly string[], room: Room): readonly string[] {
  const end = lines.findIndex((line) => {
    room.left -= line.length + 1;
    return room.left < 0;
  });
  return end < 0 ? lines : [...lines.slice(0, end), '', `and ${lines.length - end} more`];
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
