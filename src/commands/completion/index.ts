import { type Command, command, type Entry, type Noun, noun } from '../../cli/command.ts';
import { completionScript, type Shell } from '../../cli/completion/completion.ts';
import { string } from '../../shape/shape.ts';
import { install } from './install.ts';
import { uninstall } from './uninstall.ts';

/** `weir completion`: the scripts contain all fixed words, so that completing them starts no process. */
export function completion(commands: readonly Entry[]): Noun {
  const print = (shell: Shell, description: string, [purpose, rest]: readonly [string, string]): Command =>
    command({
      summary: `Print the completion script for ${shell === 'powershell' ? 'PowerShell' : shell}`,
      description,
      examples: [
        [purpose, `completion ${shell} ${rest}`],
        ['Read it first', `completion ${shell} | less`],
      ],
      changes: 'reads',
      result: string,
      run: () => completionScript(shell, commands),
      show: { text: (script) => script, literal: true },
    });
  return noun({
    summary: 'Print or install a completion script for a shell',
    commands: {
      install: install(commands),
      uninstall,
      bash: print(
        'bash',
        `For bash 4 and newer. For the current shell only: source <(weir completion bash)
Aliases of weir are completed, too, if they are set before the script is read.`,
        ['Install it for every new shell', '> ~/.local/share/bash-completion/completions/weir'],
      ),
      zsh: print(
        'zsh',
        `The directory of the file must be in fpath before compinit runs. For the current shell only:
source <(weir completion zsh)`,
        ['Install it for every new shell', '> ~/.zfunc/_weir'],
      ),
      fish: print('fish', 'For the current shell only: weir completion fish | source', [
        'Install it for every new shell',
        '> ~/.config/fish/completions/weir.fish',
      ]),
      powershell: print(
        'powershell',
        `For PowerShell 5.1 and newer. For the current shell only:
weir completion powershell | Out-String | Invoke-Expression
Aliases of weir are completed, too, if they are set before the script is read.`,
        ['Write it to a file, which a line of the profile can read', '> weir.ps1'],
      ),
    },
  });
}
