import { nearest } from '../../config/nearest.ts';
import { optionAreas, optionRows, renderOptionHelp, renderOptionList } from '../../config/option-help.ts';
import { optionKeys } from '../../config/options.ts';
import type { GlobalFlags } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { toJson, toYaml } from '../output/render.ts';

/** The two values of `-X` that print options. */
export type OptionHelp = 'list' | 'help';

/** What a line that only prints options asks for. */
interface AskedOptions {
  readonly kind: OptionHelp;
  /** With what their keys begin. */
  readonly prefix: string;
}

/** Whether the whole line is `-X list`, `-X help` or `-X help PREFIX`; other lines must be parsed to find out. */
export function isOptionHelp(words: readonly string[]): AskedOptions | undefined {
  const [first = '', ...rest] = words;
  if (!/^(?:-X|--config-opt)/.test(first)) return undefined;
  const attached = first.replace(/^(?:-X=?|--config-opt=?)/, '');
  const [value = '', prefix = '', ...more] = attached === '' ? rest : [attached, ...rest];
  const kind = optionHelpIn([value]);
  if (kind === undefined || more.length > 0 || prefix.startsWith('-')) return undefined;
  return { kind, prefix: prefix.toLowerCase() };
}

/** The output of `-X help PREFIX`. */
export async function optionHelpFor({ kind, prefix }: AskedOptions): Promise<string> {
  if (optionAreas(prefix).length === 0) {
    const parts = optionKeys.flatMap((key) => key.split('.').map((_, at, all) => all.slice(0, at + 1).join('.')));
    const meant = await nearest(prefix, [...new Set(parts)]);
    throw usageError(`no option begins with "${prefix}"`, {
      target: prefix,
      hints: [meant === undefined ? 'see all options with: weir -X list' : `did you mean ${meant}?`],
    });
  }
  return kind === 'list' ? renderOptionList(prefix) : renderOptionHelp(prefix);
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
