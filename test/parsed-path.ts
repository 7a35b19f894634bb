import type { Command } from '../src/cli/command.ts';
import { deprecatedFor } from '../src/cli/parse/deprecation.ts';
import { flagSet } from '../src/cli/parse/flag-set.ts';
import { findCommand } from '../src/cli/parse/named-command.ts';
import { parseLine } from '../src/cli/parse/parse.ts';
import { readValues } from '../src/cli/parse/values.ts';
import { commands } from '../src/commands/index.ts';

/** A parsed command line. */
export interface ParsedLine {
  readonly path: string;
  readonly command: Command;
  /** The values of the arguments and flags; empty for a command that passes words through. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Parses a command line as weir would, without running it.
 * @throws an error for an unknown command or flag, a missing argument, or an invalid value
 */
export async function parsed(words: readonly string[]): Promise<ParsedLine> {
  const { target, path, rest, unknown } = await findCommand(commands, words);
  if (target?.type !== 'command') throw new Error(`no command: ${words.join(' ')} (${unknown})`);
  const entries = flagSet(target, deprecatedFor(target));
  const line = await parseLine(rest, entries);
  if (target.passThrough) return { path: path.join(' '), command: target, values: {} };
  if (line.unknown.length > 0) throw new Error(`unknown flags: ${line.unknown.join(' ')}`);
  const values = readValues(entries, line.uses, target.args, line.operands);
  return { path: path.join(' '), command: target, values };
}

/** Parses a command line like `parsed` and returns the path of its command. */
export async function parsedPath(words: readonly string[]): Promise<string> {
  return (await parsed(words)).path;
}
