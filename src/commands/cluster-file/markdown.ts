import { isLikeBefore, type PlanRow, planSum, shownRow } from '../../cluster-file/plan/plan-rows.ts';
import type { CliError } from '../../errors.ts';
import { shortList } from '../../format/name-lists.ts';

/** The differences of a cluster. */
export interface ClusterReport {
  readonly profile: string | null;
  readonly rows: readonly PlanRow[];
  readonly warnings: readonly string[];
  /** Why nothing was compared, such as what is wrong with the files. */
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

/**
 * The differences as Markdown, for a comment on a pull request.
 * @param files the files and folders that were compared
 */
export function markdownOf(reports: readonly ClusterReport[], files: readonly string[]): string {
  const room = { left: mostText };
  return reports.map((report) => `${titleOf(report, files)}\n\n${sectionOf(report, room)}`).join('\n');
}

/** Tells the report from that of another cluster. */
function titleOf({ profile }: ClusterReport, files: readonly string[]): string {
  const names = shortList(files.map((file) => (file === '-' ? 'standard input' : code(file))));
  return `### ${names}${profile === null ? '' : `, profile ${code(profile)}`}`;
}

function sectionOf({ rows, warnings, faults, refusal }: ClusterReport, room: Room): string {
  const refusals = refusal === undefined ? [] : [[refusal.message, ...refusal.hints].join('; ')];
  const lists = [
    ...listIn('**Nothing was compared:**', faults, room),
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
  const sorted = [...rows.filter(isFirst), ...rows.filter((row) => !isFirst(row))];
  const lines = sorted.map((row, at) => {
    const what = isLikeBefore(sorted, at) ? ['as above', riskOf(row)] : [changesOf(row), whyOf(row)];
    return `| ${[row.kind, code(row.name), row.action, ...what].join(' | ')} |`;
  });
  const head = ['| kind | name | action | changes | why |', '| --- | --- | --- | --- | --- |'];
  return [`**${planSum(rows)}**`, '', ...head, ...fitting(lines, room), ''];
}

/** Whether a reviewer must not miss a row: it comes before the others, which are cut off first. */
function isFirst({ action, risk }: PlanRow): boolean {
  return risk !== 'none' || action === 'blocked' || action === 'delete';
}

/** The lines for which there is room, and how many there are more. */
function fitting(lines: readonly string[], room: Room): readonly string[] {
  const end = lines.findIndex((line) => {
    room.left -= line.length + 1;
    return room.left < 0;
  });
  return end < 0 ? lines : [...lines.slice(0, end), '', `and ${lines.length - end} more`];
}

function changesOf(row: PlanRow): string {
  return shownRow(row)
    .values.map(({ path, steps }) => `${code(path)}: ${steps.map(shownValue).join(' → ')}`)
    .join('<br>');
}

function riskOf({ risk }: PlanRow): string {
  return risk === 'none' ? '' : `**risk: ${risk}**`;
}

function whyOf(row: PlanRow): string {
  return [riskOf(row), escaped(row.why ?? '')].filter((text) => text !== '').join('; ');
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
