import { peakMbOf, type Result } from './compare.ts';
import { spreadOf } from './measure.ts';
import type { Usage } from './usage.ts';

/** A table of Markdown; the columns after those of words have numbers, which stand on the right. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[], words = 1): string {
  const marks = head.map((_, at) => (at < words ? '---' : '---:'));
  return [head, marks, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** The medians of each case, a column for each program; of seconds, also the most memory that each program took. */
export function mediansTable(results: readonly Result[], unit: 'ms' | 's'): string {
  const programs = [...new Set(results.flatMap(({ runs }) => [...runs.keys()]))];
  const rows = results.map((result) => [result.name, ...programs.map((program) => cellOf(result, program, unit))]);
  // Memory is looked at every 20 ms, which is too seldom for short runs.
  if (unit === 'ms') return markdown(['', ...programs], rows);
  const peaks = programs.map((program) => peakMbOf(results.flatMap(({ runs }) => runs.get(program) ?? [])));
  const memory = peaks.map((peak) => (peak === undefined ? '–' : `${peak.toFixed(0)} MB`));
  return markdown(['', ...programs], [...rows, ['most memory', ...memory]]);
}

/** The median of a program in a case; a dash where it was not measured. */
export function cellOf({ runs, failures }: Result, program: string, unit: 'ms' | 's'): string {
  const usages = runs.get(program);
  if (usages !== undefined)
    return unit === 's' ? `${(medianMs(usages) / 1000).toFixed(2)} s` : `${medianMs(usages).toFixed(0)} ms`;
  return failures.has(program) ? 'failed' : '–';
}

/** The median of the wall times, in milliseconds. */
export function medianMs(usages: readonly Usage[]): number {
  return spreadOf(usages.map(({ wallMs }) => wallMs)).median;
}
