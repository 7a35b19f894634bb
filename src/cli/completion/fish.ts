import type { Candidates, CompletionFlag, CompletionNode, CompletionTree } from './tree.ts';

/** The completion script for fish; it starts a process only for profile names. */
export function fishCompletion(tree: CompletionTree): string {
  return `# Completion of weir for fish. Generated: do not edit.

function __weir_step
    switch "$argv[1]/$argv[2]"
${steps(tree)}
        case '*'
            return 1
    end
end

function __weir_takes_value
    switch "$argv[1]/$argv[2]"
        case ${tree.nodes.flatMap(({ path, flags }) => valueSpellings(flags).map((word) => quote(`${path}/${word}`))).join(' ')}
            return 0
    end
    contains -- $argv[2] ${valueSpellings(tree.globalFlags).join(' ')}
end

# The command that the words so far name.
function __weir_place
    set -l place ''
    set -l skip ''
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip ''
        else if string match -q -- '-*' $word
            if not string match -q -- '*=*' $word; and __weir_takes_value "$place" $word
                set skip 1
            end
        else if set -l next (__weir_step "$place" $word)
            set place $next
        end
    end
    echo $place
end

function __weir_at
    test (__weir_place) = "$argv"
end

function __weir_options
    printf '%s\\n' ${tree.options.map(quote).join(' ')} list help
end

function __weir_profiles
    set -l words (commandline -opc)
    $words[1] __complete profiles 2>/dev/null </dev/null
end

complete -c weir -f
${tree.globalFlags.map((flag) => flagLine('', flag)).join('\n')}
${tree.nodes.map(nodeLines).join('\n')}
`;
}

function steps(tree: CompletionTree): string {
  return tree.nodes
    .flatMap(({ path, commands }) =>
      commands.map(({ name, aliases }) => {
        const words = [name, ...aliases].map((word) => quote(`${path}/${word}`)).join(' ');
        return `        case ${words}\n            echo ${quote(`${path} ${name}`.trim())}`;
      }),
    )
    .join('\n');
}

function nodeLines({ path, commands, flags, operands }: CompletionNode): string {
  const at = `-n ${quote(path === '' ? "__weir_at ''" : `__weir_at ${path}`)}`;
  const operand = source(operands);
  return [
    ...commands.map(({ name, summary }) => `complete -c weir ${at} -a ${quote(name)} -d ${quote(summary)}`),
    ...flags.map((flag) => flagLine(` ${at}`, flag)),
    ...(operand === '' ? [] : [`complete -c weir ${at} ${operand}`]),
  ].join('\n');
}

function flagLine(condition: string, { spellings, help, value }: CompletionFlag): string {
  return spellings
    .filter((spelling) => spelling.startsWith('--'))
    .map((long, at) => {
      const short = at === 0 ? spellings.find((spelling) => /^-[^-]/.test(spelling)) : undefined;
      const names = `-l ${long.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
      const takes = value === undefined ? '' : ` ${source(value) || '-x'}`;
      return `complete -c weir${condition} ${names}${takes} -d ${quote(help)}`;
    })
    .join('\n');
}

function source(candidates: Candidates): string {
  switch (candidates.from) {
    case 'words':
      return `-x -a ${quote(candidates.words.join(' '))}`;
    case 'files':
      return '-r -F';
    case 'directories':
      return "-x -a '(__fish_complete_directories)'";
    case 'profiles':
      return "-x -a '(__weir_profiles)'";
    case 'options':
      return "-x -a '(__weir_options)'";
    case 'nothing':
      return '';
  }
}

function valueSpellings(flags: readonly CompletionFlag[]): readonly string[] {
  return flags.filter(({ value }) => value !== undefined).flatMap(({ spellings }) => spellings);
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
