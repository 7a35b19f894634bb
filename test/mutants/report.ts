import type { Verdict } from './judge.ts';

/** The lines of a change that are shown. */
const shownLines = 6;
/** The test files that are named. */
const shownTests = 8;

/** What is printed of a mutant: one line if it was noticed, else also the change and what was run. */
export function verdictText(verdict: Verdict): string {
  const { mutant, outcome, reason, seconds } = verdict;
  const word = outcome === 'missed' ? 'MISSED' : outcome;
  const head = `${word.padEnd(10)} ${mutant.file}:${mutant.start.line} ${mutant.kind}, ${seconds.toFixed(0)} s`;
  if (outcome === 'noticed') return `${head}, ${reason}`;
  if (outcome === 'refused') return `${head}, by the compiler`;
  return [head, ...changeText('-', verdict.removed), ...changeText('+', verdict.added), whyText(verdict)].join('\n');
}

function changeText(sign: string, lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, shownLines).map((line) => `  ${sign} ${line}`);
  const rest = lines.length - shownLines;
  return rest > 0 ? [...shown, `  ${sign} … ${rest} more lines`] : shown;
}

function whyText({ outcome, reason, ran, candidates, isLineCovered }: Verdict): string {
  if (outcome === 'equivalent') return `  ${reason}`;
  const uncovered = isLineCovered ? '' : 'no recorded test runs this line; ';
  if (ran.length === 0) return `  ${uncovered}no test file was run`;
  const rest = ran.length - shownTests;
  const names = ran.slice(0, shownTests).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `  ${uncovered}ran ${ran.length} of ${candidates} test files that may notice it: ${names}`;
}

/** The share of what was noticed, with the range in which it lies with a confidence of 95 % (by Wilson). */
export function shareOf(noticed: number, total: number): { share: number; from: number; to: number } {
  if (total === 0) return { share: 1, from: 0, to: 1 };
  const z = 1.96;
  const share = noticed / total;
  const middle = share + z ** 2 / (2 * total);
  const width = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const scale = 1 + z ** 2 / total;
  return { share, from: Math.max(0, (middle - width) / scale), to: Math.min(1, (middle + width) / scale) };
}

/** The last line: counts and the share of what was noticed of what can be noticed. */
export function summaryText(verdicts: readonly Verdict[]): string {
  const count = (outcome: Verdict['outcome']): number => verdicts.filter((one) => one.outcome === outcome).length;
  const [noticed, missed] = [count('noticed'), count('missed')];
  const { share, from, to } = shareOf(noticed, noticed + missed);
  const percent = (value: number): string => `${(value * 100).toFixed(0)} %`;
  const seconds = verdicts.reduce((sum, one) => sum + one.seconds, 0) / Math.max(1, verdicts.length);
  return (
    `${verdicts.length} mutants: ${noticed} noticed, ${missed} missed, ${count('refused')} refused by the compiler, ` +
    `${count('equivalent')} equivalent; ` +
    `noticed ${percent(share)} (95 % confidence: ${percent(from)} to ${percent(to)}), ${seconds.toFixed(0)} s each`
  );
}
