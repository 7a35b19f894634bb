import { optionRows, renderOptionHelp, renderOptionList } from '../../config/option-help.ts';
import type { GlobalFlags } from '../../context.ts';
import { toJson, toYaml } from '../output/render.ts';

/** The two values of `-X` that print options. */
export type OptionHelp = 'list' | 'help';

/** Whether the whole line is `-X list` or `-X help`; other lines must be parsed to find out. */
export function isOptionHelp(words: readonly string[]): OptionHelp | undefined {
  const [first = '', second] = words;
  if (words.length > 2 || !/^(?:-X|--config-opt)/.test(first)) return undefined;
  const value = second ?? first.replace(/^(?:-X=?|--config-opt=)/, '');
  return optionHelpIn([value]);
}

/** The first value of `-X` that prints options; undefined without one. */
export function optionHelpIn(values: readonly string[]): OptionHelp | undefined {
  return values.find((value): value is OptionHelp => value === 'list' || value === 'help');
}

/** The output of `-X list` and `-X help`. */
export async function optionHelp(
  kind: OptionHelp,
  format: GlobalFlags['format'],
  isTerminal: boolean,
): Promise<string> {
  if (format === 'json') return `${toJson(optionRows(), isTerminal)}\n`;
  if (format === 'yaml') return await toYaml(optionRows());
  return kind === 'list' ? renderOptionList() : renderOptionHelp();
}
