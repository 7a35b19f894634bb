import { deprecatedFor } from '../src/cli/parse/deprecation.ts';
import { flagSet } from '../src/cli/parse/flag-set.ts';
import { parseLine } from '../src/cli/parse/parse.ts';
import { route } from '../src/cli/parse/route.ts';
import { readValues } from '../src/cli/parse/values.ts';
import { commands } from '../src/commands/index.ts';

/**
 * Parses a command line as weir would, without running it, and returns the path of its command.
 * @throws an error for an unknown command or flag, a missing argument, or an invalid value
 */
export async function parsedPath(words: readonly string[]): Promise<string> {
  const { target, path, rest, unknown } = await route(commands, words);
  if (target?.type !== 'command') throw new Error(`no command: ${words.join(' ')} (${unknown})`);
  const entries = flagSet(target, deprecatedFor(target));
  const parsed = await parseLine(rest, entries);
  if (!target.passThrough) {
    if (parsed.unknown.length > 0) throw new Error(`unknown flags: ${parsed.unknown.join(' ')}`);
    readValues(entries, parsed.uses, target.args, parsed.operands);
  }
  return path.join(' ');
}
