import type { ReportFlags } from '../output/report.ts';

/** Every word before `--`. */
function before(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** Whether `-X list` or `-X help`, in any of its spellings, stands anywhere on the line. */
export function optionHelpAsked(words: readonly string[]): 'list' | 'help' | undefined {
  const line = before(words);
  for (const [at, word] of line.entries()) {
    const value =
      word === '-X' || word === '--config-opt'
        ? line[at + 1]
        : /^(?:-X=?|--config-opt=)(?<value>.*)$/s.exec(word)?.groups?.['value'];
    if (value === 'list' || value === 'help') return value;
  }
  return undefined;
}

/** The flags that decide how an error is written, guessed from a line that has not been read or cannot be. */
export function guessReportFlags(words: readonly string[]): ReportFlags {
  const line = before(words);
  const lastValue = (name: string) =>
    line.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ??
    (line.includes(name) ? line[line.lastIndexOf(name) + 1] : undefined);
  const format = lastValue('--format')?.toLowerCase();
  const color = lastValue('--color');
  return {
    format: format === 'json' || format === 'yaml' ? format : 'text',
    verbosity: line.filter((word) => word === '-v' || word === '--verbose').length + (line.includes('-vv') ? 2 : 0),
    quiet: line.includes('-q') || line.includes('--quiet'),
    color: color === 'always' || color === 'never' ? color : 'auto',
  };
}
