import { quoteWord } from '../../format/shell-word.ts';
import type { Candidates, CompletionTree } from './tree.ts';

/** The branches of `case "$path/$word"` in bash and zsh: the command that a word or an alias leads to. */
export function steps(tree: CompletionTree): string {
  return tree.nodes
    .flatMap(({ path, commands }) =>
      commands.map(({ name, aliases }) => {
        const words = [name, ...aliases].map((word) => quoteWord(`${path}/${word}`)).join(' | ');
        return `    ${words}) REPLY=${quoteWord(`${path} ${name}`.trim())} ;;`;
      }),
    )
    .join('\n');
}

/**
 * The branches of `case "$path/$position"` in bash and zsh for the arguments of all commands.
 * @param assign the assignment of the candidates, for example `REPLY=…`
 */
export function operandCases(tree: CompletionTree, assign: (candidates: Candidates) => string): string {
  return tree.nodes
    .flatMap(({ path, operands }) => {
      const last = operands.findLastIndex(({ candidates }) => candidates.from !== 'nothing');
      return operands.slice(0, last + 1).map(({ candidates, repeats }, at) => {
        return `    ${quoteWord(`${path}/`)}${repeats ? '*' : at}) ${assign(candidates)} ;;`;
      });
    })
    .join('\n');
}
