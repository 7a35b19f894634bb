import {
  type Candidates,
  type CompletionFlag,
  type CompletionNode,
  type CompletionOperand,
  type CompletionTree,
  stepsOf,
} from './tree.ts';

/** The completion script for fish; it starts a process only for names that weir must find. */
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

# The command that the words so far name, the number of its arguments so far, and the command that these name.
function __weir_place
    set -l place ''
    set -l about ''
    set -l skip ''
    set -l position 0
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip ''
        else if string match -q -- '-*' $word
            if not string match -q -- '*=*' $word; and __weir_takes_value "$place" $word
                set skip 1
            end
        else if set -l next (__weir_step "$place" $word)
            set place $next
        else
            if set -l next (__weir_step "$about" $word)
                set about $next
            else
                set about "$about $word"
            end
            set position (math $position + 1)
        end
    end
    echo $place
    echo $position
    echo $about
end

function __weir_at
    test (__weir_place)[1] = "$argv"
end

# Whether the commands below these words come next, or are arguments, as those of help are.
function __weir_commands
    set -l place (__weir_place)
    test "$place[1]" = "$argv"; and return 0
    contains -- "$place[1]" ${commandTakers(tree).map(quote).join(' ')}; and test "$place[3]" = "$argv"
end

# Whether the next word is an argument of a command, by its position: -eq 0 topic describe
function __weir_operand
    string match -q -- '-*' (commandline -ct); and return 1
    set -l place (__weir_place)
    test "$place[1]" = "$argv[3..-1]"; and test $place[2] $argv[1] $argv[2]
end

function __weir_options
    printf '%s\\n' ${tree.options.map(({ setting, help }) => quote(`${withoutMark(setting)}\t${help}`)).join(' ')} \\
        ${quote('list\tlist the options')} ${quote('help\texplain the options')}
    __weir_files_of ${fileKeys(tree.options.map(({ setting }) => setting)).join(' ')}
end

# The files for the key that is typed, if it is one of these.
function __weir_files_of
    set -l pair (string match -r -- '^((?:-X)?([^=]*)=)(.*)' (__weir_typed))
    contains -- "$pair[3]" $argv; or return
    set -l files (complete -C "'' $pair[4]")
    test -n "$files"; and printf '%s\\n' (string replace -r -- '^-X' '' "$pair[2]")$files
end

# The value so far, without the flag before it.
function __weir_typed
    string unescape -- (commandline -ct) | string replace -r -- '^--[^=]*=' ''
end

function __weir_live
    set -l before (commandline -opc)
    set -l line (commandline -op)
    set -l token (commandline -t)
    set -l after (math (count $before) + 1)
    test -n "$token"; and set after (math $after + 1)
    set -l typed (__weir_typed)
    $before[1] __complete $argv:described -- (string replace -r -- '.*,' '' "$typed") \\
        $before[2..-1] $line[$after..-1] 2>/dev/null </dev/null
end

# Puts the values of a list that are on the line already before each candidate.
function __weir_listed
    set -l typed (__weir_typed)
    string join -- \\n (string replace -r -- '[^,]*$' '' "$typed")$argv
end

complete -c weir -f
${tree.globalFlags.map((flag) => flagLine('', flag)).join('\n')}
${tree.nodes.map(nodeLines).join('\n')}
`;
}

function steps(tree: CompletionTree): string {
  return tree.nodes
    .flatMap(stepsOf)
    .map(({ words, leadsTo }) => `        case ${words.map(quote).join(' ')}\n            echo ${quote(leadsTo)}`)
    .join('\n');
}

function nodeLines({ path, commands, flags, operands }: CompletionNode): string {
  const [at, below] = ['at', 'commands'].map((name) => `-n ${quote(`__weir_${name} ${path || "''"}`)}`);
  return [
    ...commands.map(({ name, summary }) => `complete -c weir ${below} -a ${quote(name)} -d ${quote(summary)}`),
    ...flags.map((flag) => flagLine(` ${at}`, flag)),
    ...operands.flatMap((operand, position) => operandLine(path, operand, position)),
  ].join('\n');
}

function operandLine(path: string, { candidates, repeats }: CompletionOperand, position: number): readonly string[] {
  if (candidates.from === 'nothing') return [];
  // The commands themselves are lines of their own.
  const onlyHere = !repeats || candidates.from === 'commands';
  const condition = quote(`__weir_operand ${onlyHere ? '-eq' : '-ge'} ${position} ${path}`);
  return [`complete -c weir -n ${condition} ${source(candidates)}`];
}

function flagLine(condition: string, { spellings, help, value, splits }: CompletionFlag): string {
  return spellings
    .filter((spelling) => spelling.startsWith('--'))
    .map((long, at) => {
      const short = at === 0 ? spellings.find((spelling) => /^-[^-]/.test(spelling)) : undefined;
      const names = `-l ${long.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
      const takes = value === undefined ? '' : ` ${source(value, splits) || '-x'}`;
      return `complete -c weir${condition} ${names}${takes} -d ${quote(help)}`;
    })
    .join('\n');
}

function source(candidates: Candidates, splits = false): string {
  if (candidates.from === 'nothing') return '';
  if (candidates.from === 'files') return '-r -F';
  if (candidates.from === 'profiles-or-files') return `-r -F -a ${quote('(__weir_live profiles)')}`;
  const substitution =
    candidates.from === 'words' || candidates.from === 'commands' ? [] : [`(${finder(candidates.from)})`];
  const words = [...('words' in candidates ? plainWords(candidates.words) : []), ...substitution].join(' ');
  return `-x -a ${quote(splits ? `(__weir_listed ${words})` : words)}`;
}

const mark = '=@files';

function withoutMark(word: string): string {
  return word.endsWith(mark) ? word.slice(0, 1 - mark.length) : word;
}

/** The keys among words whose values are files. */
function fileKeys(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => (word.endsWith(mark) ? [word.slice(0, -mark.length)] : []));
}

function plainWords(words: readonly string[]): readonly string[] {
  const keys = fileKeys(words);
  const files = keys.length === 0 ? [] : [`(__weir_files_of ${keys.join(' ')})`];
  return [...words.map(withoutMark), ...files];
}

/** The function that prints candidates. */
function finder(
  from: Exclude<Candidates['from'], 'words' | 'commands' | 'files' | 'profiles-or-files' | 'nothing'>,
): string {
  if (from === 'directories') return '__fish_complete_directories';
  return from === 'options' ? '__weir_options' : `__weir_live ${from}`;
}

/** The commands whose arguments are commands. */
function commandTakers({ nodes }: CompletionTree): readonly string[] {
  return nodes
    .filter(({ operands }) => operands.some(({ candidates }) => candidates.from === 'commands'))
    .map(({ path }) => path);
}

function valueSpellings(flags: readonly CompletionFlag[]): readonly string[] {
  return flags.filter(({ value }) => value !== undefined).flatMap(({ spellings }) => spellings);
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
