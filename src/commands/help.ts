import { any, type Command, command, type Entry, toggle } from '../cli/command.ts';
import { commandHelp, exitCodesHelp, groupHelp, rootHelp } from '../cli/help/help.ts';
import { describeTree } from '../cli/help/tree.ts';
import { route } from '../cli/parse/route.ts';
import { usageError } from '../errors.ts';
import { text } from '../kinds.ts';

/** `weir help`: the same as `--help`, the exit codes, and the whole tree as data. */
export function help(commands: readonly Entry[]): Command {
  return command({
    summary: 'Show help about a command or a subject',
    description: 'The subject "exit-codes" lists what each exit code means.',
    examples: [
      ['How to create topics', 'help topic create'],
      ['What the exit codes mean', 'help exit-codes'],
      ['Every command with its flags, as data', 'help --json'],
    ],
    args: { words: any(text, 'COMMAND', 'the command, as it is typed') },
    flags: { json: toggle({ help: 'the whole command tree as JSON' }) },
    changes: 'reads',
    run: async (_, { words, json }) => (json ? await describeTree(commands) : await helpText(commands, words)),
    output: {
      schema: { description: 'the text of the help, or with --json the command tree' },
      text: (result) => (typeof result === 'string' ? result : `${JSON.stringify(result)}\n`),
    },
  });
}

async function helpText(commands: readonly Entry[], words: readonly string[]): Promise<string> {
  if (words.length === 1 && words[0] === 'exit-codes') return exitCodesHelp();
  const { path, target, unknown, rest } = await route(commands, words);
  const stray = unknown ?? rest[0];
  if (stray !== undefined) {
    throw usageError(`unknown command "${words.join(' ')}"`, { target: stray, hints: ['see weir --help'] });
  }
  if (target === undefined) return rootHelp(commands);
  return target.type === 'noun' ? groupHelp(target, path) : commandHelp(target, path);
}
