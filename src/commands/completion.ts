import { type Command, command, type Entry, type Noun, noun } from '../cli/command.ts';
import { completionScript, type Shell } from '../cli/completion/completion.ts';
import { string } from '../shape/shape.ts';

/** `weir completion`: the scripts contain all fixed words, so that completing them starts no process. */
export function completion(commands: readonly Entry[]): Noun {
  const print = (shell: Shell, description: string, file: string): Command =>
    command({
      summary: `Print the completion script for ${shell}`,
      description,
      examples: [
        ['Install it for every new shell', `completion ${shell} > ${file}`],
        ['Read it first', `completion ${shell} | less`],
      ],
      changes: 'reads',
      result: string,
      run: () => completionScript(shell, commands),
      show: { text: (script) => script, literal: true },
    });
  return noun({
    summary: 'Print a completion script for a shell',
    commands: {
      bash: print(
        'bash',
        'For the current shell only: source <(weir completion bash)',
        '~/.local/share/bash-completion/completions/weir',
      ),
      zsh: print(
        'zsh',
        `The directory of the file must be in fpath before compinit runs. For the current shell only:
source <(weir completion zsh)`,
        '~/.zfunc/_weir',
      ),
      fish: print(
        'fish',
        'For the current shell only: weir completion fish | source',
        '~/.config/fish/completions/weir.fish',
      ),
    },
  });
}
