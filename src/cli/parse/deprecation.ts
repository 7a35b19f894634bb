import { envName } from '../../config/options.ts';
import { deprecatedFlags, deprecationWarning, visibleSecrets } from '../../config/sources/flags.ts';
import type { GlobalFlags, Messages } from '../../context.ts';
import { text } from '../../kinds.ts';
import { type Command, type Flag, flag, list, type Noun, toggle } from '../command.ts';
import { isMachine } from '../output/report.ts';
import { type FlagEntry, type FlagUse, flagSet } from './flag-set.ts';

/** The deprecated flags of a command, hidden: those of the APIs it calls, or all of them without a command. */
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

/**
 * The flags that are allowed before a command's name: those of the noun, the global ones, and the deprecated ones, which
 * earlier clients accepted after nouns (`topic --brokers b:9092 list`).
 */
export function earlyFlags(noun?: Noun): readonly FlagEntry[] {
  return flagSet(noun, deprecatedFor(undefined));
}

/** Warns of secrets in `-X`, except with a format for programs, as of deprecated flags. */
export function warnVisible(words: readonly string[], flags: GlobalFlags, messages: Messages): void {
  if (isMachine(flags.format)) return;
  for (const key of visibleSecrets(words))
    messages.warn(
      `other users of this machine can see -X ${key}: use ${envName(key)}, or store it with "weir profile set ${key}"`,
    );
}

/** Warns once about each deprecated flag in use, except with a format for programs. */
export function warnDeprecated(uses: readonly FlagUse[], flags: GlobalFlags, messages: Messages): void {
  if (isMachine(flags.format)) return;
  for (const { entry } of uses) if (entry.scope === 'deprecated') messages.warnOnce(entry.flag.help);
}
