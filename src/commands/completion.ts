import { type Command, command, type Entry, type Noun, noun } from '../cli/command.ts';
import { completionScript, type Shell } from '../cli/completion/completion.ts';
import { string } from '../cli/output/schema.ts';

/** `weir completion`: the scripts carry all words that do not change, and start no process for them. */
export function completion(commands: readonly Entry[]): Noun {
  const print = (shell: Shell, description: string, file: string): Command =>
    command({
      summary: `Print the completion script of ${shell}`,
      description,
      examples: [
        ['Keep it for every new shell', `completion ${shell} > ${file}`],
        ['Look at it first', `completion ${shell} | less`],
      ],
      changes: 'reads',
      run: () => completionScript(shell, commands),
      output: { schema: string, text: (script) => script, literal: true },
    });
  return noun({
    summary: 'Print the completion script of a shell',
    commands: {
      bash: print(
        'bash',
        'For this shell only: source <(weir completion bash)',
        '~/.local/share/bash-completion/completions/weir',
      ),
      zsh: print(
        'zsh',
        'The file lies in a directory of fpath, before compinit. For this shell only: source <(weir completion zsh)',
        '~/.zfunc/_weir',
      ),
      fish: print('fish', 'For this shell only: weir completion fish | source', '~/.config/fish/completions/weir.fish'),
    },
  });
}
