import type { Entry } from '../command.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { powershellCompletion } from './powershell.ts';
import { completionTree } from './tree.ts';
import { zshCompletion } from './zsh.ts';

/** The shells that have a completion script, each with the name of its file. */
export const completionFiles = { bash: 'weir.bash', zsh: '_weir', fish: 'weir.fish', powershell: 'weir.ps1' } as const;

/** A shell that has a completion script. */
export type Shell = keyof typeof completionFiles;

const writers = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
};

/** The completion script of a shell, made from the command tree. */
export async function completionScript(shell: Shell, entries: readonly Entry[]): Promise<string> {
  return writers[shell](await completionTree(entries));
}
