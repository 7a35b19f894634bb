import { optionRows, renderOptionHelp, renderOptionList } from '../../config/option-help.ts';
import type { GlobalFlags } from '../../context.ts';
import { toJson, toYaml } from '../output/render.ts';
import type { OptionHelp } from '../parse/scan.ts';

/** The output of `-X list` and `-X help`. */
export async function optionHelp(
  asked: OptionHelp,
  format: GlobalFlags['format'],
  isTerminal: boolean,
): Promise<string> {
  if (format === 'json') return `${toJson(optionRows(), isTerminal)}\n`;
  if (format === 'yaml') return await toYaml(optionRows());
  return asked === 'list' ? renderOptionList() : renderOptionHelp();
}
