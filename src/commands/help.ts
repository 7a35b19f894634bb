import { any, type Command, command, type Entry, toggle } from '../cli/command.ts';
import { commandHelp, globalFlagsHelp, groupHelp, rootHelp } from '../cli/help/help.ts';
import { isSubject, type Subject, subjectSummaries } from '../cli/help/subject-names.ts';
import { describeTree } from '../cli/help/tree.ts';
import { route } from '../cli/parse/route.ts';
import { usageError } from '../errors.ts';
import { text } from '../kinds.ts';

/** `weir help`: the same as `--help`, the subjects, and the whole tree as data. */
export function help(commands: readonly Entry[]): Command {
  return command({
    summary: 'Show help about a command or a subject',
    description: `The subjects are: ${Object.entries(subjectSummaries)
      .map(([name, summary]) => `${name} (${summary})`)
      .join(', ')}.`,
    examples: [
      ['How to create topics', 'help topic create'],
      ['Every verb of the record formats', 'help formats'],
      ['What the exit codes mean', 'help exit-codes'],
      ['Every command with its flags, as data', 'help --json'],
    ],
    args: { words: any(text, 'COMMAND', 'the command as it is typed, or a subject') },
    flags: { json: toggle({ help: 'print the whole command tree as JSON' }) },
    changes: 'reads',
    run: async ({ host }, { words, json }) =>
      json ? await describeTree(commands) : await helpText(commands, words, host.stdout.columns),
    output: {
      schema: { description: 'the text of the help, or with --json the command tree' },
      text: (result, { columns }) =>
        typeof result === 'string' ? result : `${JSON.stringify(result, undefined, columns === undefined ? 0 : 2)}\n`,
    },
  });
}

async function helpText(commands: readonly Entry[], words: readonly string[], columns?: number): Promise<string> {
  const [first = ''] = words;
  if (words.length === 1 && isSubject(first)) return await subjectHelp(first, columns);
  const { path, target, unknown, rest } = await route(commands, words);
  const stray = unknown ?? rest[0];
  if (stray !== undefined) {
    throw usageError(`unknown command "${words.join(' ')}"`, {
      target: stray,
      hints: [`see weir --help; subjects: ${Object.keys(subjectSummaries).join(', ')}`],
    });
  }
  if (target === undefined) return rootHelp(commands, columns);
  return target.type === 'noun' ? groupHelp(target, path, columns) : commandHelp(target, path, columns);
}

async function subjectHelp(subject: Subject, columns?: number): Promise<string> {
  if (subject === 'flags') return globalFlagsHelp(columns);
  if (subject === 'formats') return (await import('./topic/format-help.ts')).formatsHelp(columns);
  if (subject === 'offsets') return (await import('./topic/format-help.ts')).offsetsHelp(columns);
  const { environmentHelp, exitCodesHelp } = await import('../cli/help/subjects.ts');
  return subject === 'environment' ? environmentHelp(columns) : exitCodesHelp(columns);
}
