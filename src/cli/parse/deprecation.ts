import { deprecatedFlags, deprecationWarning } from '../../config/sources/flags.ts';
import type { GlobalFlags, Messages } from '../../context.ts';
import { text } from '../../kinds.ts';
import { type Command, type Flag, flag, list, toggle } from '../command.ts';
import { isMachine } from '../output/report.ts';
import type { FlagUse } from './parse.ts';

/** The deprecated flags that have a meaning for a command, hidden, by the APIs it talks to; all of them for none. */
export function deprecatedFor(command: Command | undefined): Readonly<Record<string, Flag<unknown>>> {
  if (command?.apis.length === 0) return {};
  const declared: Record<string, Flag<unknown>> = {};
  for (const row of deprecatedFlags) {
    if (command !== undefined && !row.apis.some((api) => command.apis.includes(api))) continue;
    const options = { help: deprecationWarning(row), hidden: true, aliases: row.aliases };
    declared[row.flag] = declare(row, options);
  }
  return declared;
}

function declare(
  row: { readonly isSwitch: boolean; readonly repeats: boolean },
  options: { help: string; hidden: boolean; aliases: readonly string[] },
): Flag<unknown> {
  if (row.isSwitch) return toggle(options);
  return row.repeats ? list(text, options) : flag(text, options);
}

/** Warns once of each deprecated flag in use, unless a program reads along. */
export function warnDeprecated(uses: readonly FlagUse[], flags: GlobalFlags, messages: Messages): void {
  if (isMachine(flags.format)) return;
  for (const { entry } of uses) if (entry.scope === 'deprecated') messages.warn(entry.flag.help);
}
