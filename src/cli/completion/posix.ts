import { quoteWord } from '../../format/shell-word.ts';
import { type Candidates, type CompletionFlag, type CompletionNode, type CompletionTree, stepsOf } from './tree.ts';

/** How bash or zsh writes what its functions return. */
export interface PosixShell {
  /** The assignment of a result, for example `REPLY=…`. */
  assign(value: string): string;
  /** The assignment that adds the flags of all commands to a result. */
  addFlags(flags: readonly CompletionFlag[]): string;
  commands(commands: CompletionNode['commands']): string;
  flags(flags: readonly CompletionFlag[]): string;
  /** The mark before the candidates of a flag whose value is a list. */
  readonly listMark: string;
  candidates(candidates: Candidates): string;
}

/** The functions of a script that look up what a command has: its commands, flags, their values, and its arguments. */
export function lookups(tree: CompletionTree, shell: PosixShell): string {
  const { nodes, globalFlags } = tree;
  const branch = (pattern: string, value: string) => `    ${pattern}) ${shell.assign(value)} ;;`;
  return `_weir_commands() {
  case $1 in
${nodes
  .filter(({ commands }) => commands.length > 0)
  .map(({ path, commands }) => branch(quoteWord(path), shell.commands(commands)))
  .join('\n')}
${branch('*', '')}
  esac
}

_weir_step() {
  case "$1/$2" in
${steps(tree)}
    *) return 1 ;;
  esac
}

_weir_flags() {
  case $1 in
${nodes
  .filter(({ flags }) => flags.length > 0)
  .map(({ path, flags }) => branch(quoteWord(path), shell.flags(flags)))
  .join('\n')}
${branch('*', '')}
  esac
  ${shell.addFlags(globalFlags)}
}

_weir_value() {
  case "$1/$2" in
${nodes.flatMap(({ path, flags }) => valueBranches(flags, shell, (spelling) => quoteWord(`${path}/${spelling}`))).join('')}    *)
      case $2 in
${valueBranches(globalFlags, shell, (spelling) => spelling, '        ').join('')}        *) return 1 ;;
      esac
      ;;
  esac
}

_weir_operands() {
  case "$1/$2" in
${operands(tree, branch, shell)}
${branch('*', '')}
  esac
}
`;
}

/** The command that a word or an alias leads to. */
function steps({ nodes }: CompletionTree): string {
  return nodes
    .flatMap(stepsOf)
    .map(({ words, leadsTo }) => `    ${words.map(quoteWord).join(' | ')}) REPLY=${quoteWord(leadsTo)} ;;`)
    .join('\n');
}

function valueBranches(
  flags: readonly CompletionFlag[],
  shell: PosixShell,
  pattern: (spelling: string) => string,
  indent = '    ',
): readonly string[] {
  return flags.flatMap(({ spellings, value, splits }) => {
    if (value === undefined) return [];
    const result = `${splits ? shell.listMark : ''}${shell.candidates(value)}`;
    return `${indent}${spellings.map(pattern).join(' | ')}) ${shell.assign(result)} ;;\n`;
  });
}

function operands(
  { nodes }: CompletionTree,
  branch: (pattern: string, value: string) => string,
  shell: PosixShell,
): string {
  return nodes
    .flatMap(({ path, operands }) => {
      const last = operands.findLastIndex(({ candidates }) => candidates.from !== 'nothing');
      return operands
        .slice(0, last + 1)
        .map(({ candidates, repeats }, at) =>
          branch(`${quoteWord(`${path}/`)}${repeats ? '*' : at}`, shell.candidates(candidates)),
        );
    })
    .join('\n');
}
