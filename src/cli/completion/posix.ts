import type { CompletionTree } from './tree.ts';

/** A text as one word of bash and zsh, taken literally. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The branches of `case "$path/$word"` in bash and zsh: which command a word, or its alias, leads to. */
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
