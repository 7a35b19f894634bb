import type { CompletionTree } from './tree.ts';

/** Quotes a text as one literal word of bash and zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The branches of `case "$path/$word"` in bash and zsh: the command that a word or an alias leads to. */
export function steps(tree: CompletionTree): string {
  return tree.nodes
    .flatMap(({ path, commands }) =>
      commands.map(({ name, aliases }) => {
        const words = [name, ...aliases].map((word) => quote(`${path}/${word}`)).join(' | ');
        return `    ${words}) REPLY=${quote(`${path} ${name}`.trim())} ;;`;
      }),
    )
    .join('\n');
}
