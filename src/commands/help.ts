import { any, type Command, command, type Entry, toggle } from '../cli/command.ts';
import { commandHelp, globalFlagsHelp, groupHelp, rootHelp } from '../cli/help/help.ts';
import { isSubject, type Subject, subjectOfTool, subjectSummaries } from '../cli/help/subject-names.ts';
import { findCommand, type NamedCommand } from '../cli/parse/named-command.ts';
import { unknownCommand, unknownSubject } from '../cli/program.ts';
import { usageError } from '../errors.ts';
import { type Kind, text } from '../kinds.ts';
import { anything, described } from '../shape/shape.ts';
import { version } from '../version.ts';

const commandWord: Kind<string> = { ...text, completes: 'command', offers: Object.keys(subjectSummaries) };

/** `weir help`: the help of a command or a subject, or the whole command tree as data. */
export function help(commands: readonly Entry[]): Command {
  return command({
    summary: 'Show help for a command or a subject',
    description: `The subjects are:\n\n${Object.entries(subjectSummaries)
      .map(([name, summary]) => `    ${name.padEnd(13)}  ${summary}`)
      .join('\n')}`,
    examples: [
      ['How to create topics', 'help topic create'],
      ['All verbs of record formats', 'help formats'],
      ['Meanings of the exit codes', 'help exit-codes'],
      ['Which command resets offsets', 'help --find reset offsets'],
      ['All commands with their flags, as data', 'help --json'],
      ['The manual page of a command, for man -l or mandoc', 'help --man topic create'],
    ],
    args: { words: any(commandWord, 'COMMAND', 'words of a command, or a subject') },
    flags: {
      find: toggle({ help: 'list the commands whose help has these words, the best first' }),
      json: toggle({ help: 'print the whole command tree as JSON' }),
      man: toggle({ help: 'print the manual page of the command, in mdoc(7)' }),
    },
    changes: 'reads',
    result: described(anything, 'the help text, or the command tree with --json'),
    async run({ host }, { words, find: isSearch, json, man }) {
      if (isSearch) {
        if (words.length === 0 || json || man) throw usageError('--find needs words, and excludes --json and --man');
        return await (await import('../cli/help/search.ts')).foundHelp(commands, words, host.stdout.columns);
      }
      if (json && man) throw usageError('--json and --man exclude each other');
      if (json) {
        const { describeTree } = await import('../cli/help/described-tree.ts');
        return { version, ...(await describeTree(commands)) };
      }
      if (man) return await manualPage(commands, words);
      return await helpText(commands, words, host.stdout.columns);
    },
    show: {
      text: (result, { columns }) =>
        typeof result === 'string' ? result : `${JSON.stringify(result, undefined, columns === undefined ? 0 : 2)}\n`,
    },
  });
}

async function helpText(commands: readonly Entry[], words: readonly string[], columns?: number): Promise<string> {
  const [first = ''] = words;
  const subject = subjectOfTool(first) ?? first;
  if (words.length === 1 && isSubject(subject)) return await subjectHelp(subject, columns);
  // Whoever comes from rpk asks for its commands by their whole names.
  const names = first === 'rpk' ? words.slice(1) : words;
  const { path, target } = await find(commands, names, Object.keys(subjectSummaries));
  if (target === undefined) return rootHelp(commands, columns);
  return target.type === 'noun' ? groupHelp(target, path, columns) : commandHelp(target, path, columns);
}

async function manualPage(commands: readonly Entry[], words: readonly string[]): Promise<string> {
  const { manPage, rootPage } = await import('../cli/help/man.ts');
  const { path, target } = await find(commands, words, []);
  return target === undefined ? rootPage(commands) : manPage(target, path);
}

async function find(
  commands: readonly Entry[],
  words: readonly string[],
  subjects: readonly string[],
): Promise<NamedCommand> {
  const match = await findCommand(commands, words);
  const { path, unknown, rest } = match;
  if (unknown !== undefined && path.length > 0) throw await unknownCommand(match, { commands });
  const stray = unknown ?? rest[0];
  if (stray !== undefined) throw await unknownSubject(stray, { commands }, subjects);
  return match;
}

async function subjectHelp(subject: Subject, columns?: number): Promise<string> {
  if (subject === 'flags') return globalFlagsHelp(columns);
  if (subject === 'formats') return (await import('./topic/records/help-pages.ts')).formatsHelp(columns);
  if (subject === 'offsets') return (await import('./topic/records/help-pages.ts')).offsetsHelp(columns);
  if (subject === 'where') return (await import('./topic/records/where-help.ts')).whereHelp(columns);
  if (subject === 'permissions') return (await import('./security/permissions-help.ts')).permissionsHelp(columns);
  const tool = subjectOfTool(subject);
  if (tool !== undefined) return (await import('../cli/help/equivalents.ts')).equivalentsHelp(tool, columns);
  const { environmentHelp, exitCodesHelp } = await import('../cli/help/subjects.ts');
  return subject === 'environment' ? environmentHelp(columns) : exitCodesHelp(columns);
}
