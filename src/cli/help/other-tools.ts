import { type CliError, usageError, withHints } from '../../errors.ts';
import { shellWord } from '../../format/shell-word.ts';
import type { Command } from '../command.ts';
import { deprecatedFor } from '../parse/deprecation.ts';
import { flagSet } from '../parse/flag-set.ts';
import type { NamedCommand } from '../parse/named-command.ts';
import { parseLine, unknownFlag } from '../parse/parse.ts';
import { kcatLine } from './kcat-line.ts';
import { subjectOfTool } from './subject-names.ts';

/** Where a line without the name of the tool leads in weir. */
export interface Followed extends NamedCommand {
  /** Why it leads to no command. */
  readonly error: CliError | undefined;
}

/** What to type in weir instead of a line that begins with the name of another tool. */
export async function otherToolError(
  tool: string,
  words: readonly string[],
  followed: () => Promise<Followed>,
): Promise<CliError> {
  const error = usageError(`unknown command "${tool}" for "weir"`, { code: 'UNKNOWN_COMMAND', target: tool });
  const subject = subjectOfTool(tool);
  const table =
    subject === undefined ? 'find the command in: weir --help' : `find each command with: weir help ${subject}`;
  if (subject === 'rpk' && words.length > 0) return withHints(error, await rpkHints(words, await followed()));
  if (subject === 'rpk') return withHints(error, ['type weir where rpk was', table]);
  if (tool === 'kcl' && words.length > 0) {
    const inner = await followed();
    if (inner.target?.type === 'command') return withHints(error, await rpkHints(words, inner));
  }
  return withHints(error, subject === 'kcat' ? kcatHints(words, table) : [table]);
}

async function rpkHints(words: readonly string[], followed: Followed): Promise<readonly string[]> {
  const { path, target, rest, error } = followed;
  if (error !== undefined) return error.hints;
  const line = mayHoldSecret(path, rest) ? ['weir', ...path, '…'] : ['weir', ...words.map(shellWord)];
  const fault = target?.type === 'command' ? await faultOf(target, path, rest) : undefined;
  return [`type: ${line.join(' ')}`, ...(fault === undefined ? [] : [`but ${fault}`])];
}

/** A line may be in a log that others read. */
function mayHoldSecret(path: readonly string[], rest: readonly string[]): boolean {
  return rest.some(
    (word) => /pass|secret|token|:\/\/[^/]*@/i.test(word) || (path.includes('user') && word.startsWith('-p')),
  );
}

/** What weir does not know of the flags after a command. */
async function faultOf(
  command: Command,
  path: readonly string[],
  rest: readonly string[],
): Promise<string | undefined> {
  const entries = flagSet(command, deprecatedFor(command));
  const { unknown } = await parseLine(rest, entries);
  const flag = unknown.find((word) => word.startsWith('-'));
  if (flag === undefined) return undefined;
  const { message, hints } = await unknownFlag(flag, ['weir', ...path].join(' '), entries);
  return [message, ...hints].join('; ');
}

function kcatHints(words: readonly string[], table: string): readonly string[] {
  const { line, rest } = kcatLine(words);
  if (line === undefined || words.length === 0) return [table];
  const without = rest.length === 0 ? [] : [`without an equivalent here: ${rest.join(' ')}; ${table}`];
  const file = words.some((word) => word.startsWith('-F'))
    ? ['for the settings of a file: weir profile create NAME --from FILE']
    : [];
  return [`type: ${line}`, ...file, ...without];
}
