import { quoteWord } from '../../format/shell-word.ts';
import { lookups, type PosixShell } from './posix.ts';
import type { CompletionFlag, CompletionTree } from './tree.ts';

/** The completion script for bash 4 and newer; it starts a process only for names that weir must find. */
export function bashCompletion(tree: CompletionTree): string {
  return `# Completion of weir for bash. Generated: do not edit.

${lookups(tree, bash)}
_weir_options=${quoteWord(tree.options.map(({ setting }) => setting).join(' '))}
${runtime}`;
}

const runtime = `
_weir_live() {
  local quoted=
  [[ $cur\${line[*]} == *[\\\\\\"\\']* ]] && quoted=--quoted
  "$program" __complete "$1" $quoted -- "$cur" "\${line[@]}" 2>/dev/null </dev/null
}

_weir_offer() {
  local IFS=$' \\t\\n' candidates=$1 word rest names quoted= head= live=
  local -a words=()
  # After a comma, the next value of a list.
  if [[ $candidates == ,* ]]; then
    candidates=\${candidates#,}
    head=\${cur%"\${cur##*,}"}
    cur=\${cur#"$head"}
  fi
  case $candidates in
    @files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    @profiles-or-files)
      compopt -o filenames
      names=$(_weir_live profiles)
      # readline quotes them like files.
      while IFS= read -r word; do [[ -z $word || $word != "$cur"* ]] || COMPREPLY+=("$word"); done <<< "$names"
      mapfile -t -O \${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$cur")
      return
      ;;
    @directories) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
    @options) candidates="$_weir_options list help" ;;
    @commands*)
      _weir_commands "$about"
      candidates="$REPLY \${candidates#@commands}"
      [[ -z $about ]] || candidates=$REPLY
      ;;
    @*)
      live=1
      word=\${candidates%% *}
      rest=\${candidates#* }
      names=$(_weir_live "\${word#@}")
      # Words that are valid, too.
      [[ $candidates != *' '* ]] || names+=$'\\n'\${rest// /$'\\n'}
      [[ -n $open ]] && cur=\${cur#"$open"}
      # Plain names need no quotes, and there may be thousands: a loop would take too long.
      if ! [[ $names =~ [^a-zA-Z0-9._$'\\n'-] ]]; then
        COMPREPLY=($(compgen -W "$names" -- "$cur"))
        [[ -z $head ]] || COMPREPLY=("\${COMPREPLY[@]/#/$head}")
        cur=$head$cur
        return
      fi
      mapfile -t words <<< "$names"
      ;;
  esac
  if [[ -z $live && $cur == *=* && " $candidates " == *" \${cur%%=*}=@files "* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "\${cur#*=}")
    COMPREPLY=("\${COMPREPLY[@]/#/\${cur%%=*}=}")
    return
  fi
  [[ -n $live ]] || read -ra words <<< "$candidates"
  local -A seen=()
  for word in "\${words[@]}"; do
    # Keys first; values once the key is complete.
    [[ -z $live && $cur != *=* && $word == *=* ]] && word=\${word%%=*}=
    # Such names can have characters that the shell would interpret.
    quoted=$word
    if [[ -n $open ]]; then
      # In open quotes, nothing is escaped, and readline closes them.
      [[ $word == *"$open"* || ( $open == '"' && $word == *[\\\\\\$\\\`]* ) ]] && continue
    elif [[ -n $live && $word == *[!a-zA-Z0-9._-]* ]]; then
      printf -v quoted %q "$word"
    fi
    if [[ ( $word == "$cur"* || $quoted == "$cur"* ) && -n $word && -z \${seen[$word]-} ]]; then
      seen[$word]=1
      COMPREPLY+=("$head$quoted")
    fi
  done
  cur=$head$cur
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace
}

_weir() {
  local -a words=() line=() alias=()
  local program index word glue rest=$COMP_LINE cur at path= skip= flag= cut= open= about= position=0 REPLY
  COMPREPLY=()
  # bash splits words at = and : and @, weir at spaces alone.
  for ((index = 0; index < \${#COMP_WORDS[@]}; index++)); do
    word=\${COMP_WORDS[index]}
    glue=
    if [[ $rest == [[:space:]]* ]]; then
      # An empty word stands between two spaces.
      rest=\${rest:1}
      [[ -z $word ]] || rest=\${rest#"\${rest%%[![:space:]]*}"}
    elif [[ $index -gt 0 && $rest == "$word"* ]]; then
      glue=1
    fi
    rest=\${rest#"$word"}
    if [[ -n $glue ]]; then words[\${#words[@]}-1]+=$word; else words+=("$word"); fi
    if ((index == COMP_CWORD)); then
      at=$((\${#words[@]} - 1))
      cur=\${words[at]}
    fi
  done
  # bash does not expand aliases for completion.
  read -ra alias <<< "\${BASH_ALIASES[\${words[0]}]-}"
  if ((\${#alias[@]} > 0)); then
    words=("\${alias[@]}" "\${words[@]:1}")
    at=$((at + \${#alias[@]} - 1))
  fi
  program=\${words[0]}
  line=("\${words[@]:1:at-1}" "\${words[@]:at+1}")
  [[ $cur == [\\"\\']* ]] && open=\${cur:0:1}
  for ((index = 1; index < at; index++)); do
    word=\${words[index]}
    flag=
    if [[ -n $skip ]]; then
      skip=
    elif [[ $word == -* ]]; then
      if [[ $word != *=* ]] && _weir_value "$path" "$word"; then
        skip=1
        flag=$word
      fi
    elif _weir_step "$path" "$word"; then
      path=$REPLY
    else
      # For arguments that are commands themselves.
      if _weir_step "$about" "$word"; then about=$REPLY; else about+=" $word"; fi
      position=$((position + 1))
    fi
  done
  if [[ -n $flag ]] && _weir_value "$path" "$flag"; then
    _weir_offer "$REPLY"
  elif [[ $cur == --*=* ]] && _weir_value "$path" "\${cur%%=*}"; then
    cut=\${cur%%=*}=
    cur=\${cur#*=}
    _weir_offer "$REPLY"
    cur=$cut$cur
    COMPREPLY=("\${COMPREPLY[@]/#/$cut}")
  elif [[ $cur == -X?* ]]; then
    cur=\${cur#-X}
    _weir_offer @options
    COMPREPLY=("\${COMPREPLY[@]/#/-X}")
    cur=-X$cur
  elif [[ $cur == -* ]]; then
    _weir_flags "$path"
    _weir_offer "$REPLY"
  else
    _weir_commands "$path"
    [[ -n $REPLY ]] || _weir_operands "$path" "$position"
    _weir_offer "$REPLY"
  fi
  # Everything up to the last of these is on the line already.
  if [[ -z $open && $cur == *[=:@]* ]]; then
    cut=\${cur%"\${cur##*[=:@]}"}
    COMPREPLY=("\${COMPREPLY[@]#"$cut"}")
  fi
}

complete -F _weir weir
# Aliases of weir that are set before this script is read.
for _weir_alias in "\${!BASH_ALIASES[@]}"; do
  [[ "\${BASH_ALIASES[$_weir_alias]} " == 'weir '* ]] && complete -F _weir -- "$_weir_alias"
done
unset -v _weir_alias
`;

const bash: PosixShell = {
  assign: (value) => `REPLY=${value}`,
  addFlags: (flags) => `REPLY+=${quoteWord(` ${longNames(flags)}`)}`,
  commands: (commands) => quoteWord(commands.map(({ name }) => name).join(' ')),
  flags: (flags) => quoteWord(longNames(flags)),
  listMark: ',',
  candidates(candidates) {
    const { from } = candidates;
    const words = 'words' in candidates ? candidates.words : [];
    if (from === 'words') return quoteWord(words.join(' '));
    if (from === 'commands' || words.length > 0) return quoteWord([`@${from}`, ...words].join(' '));
    return from === 'nothing' ? "''" : `@${from}`;
  },
};

function longNames(flags: readonly CompletionFlag[]): string {
  return flags.flatMap(({ spellings }) => spellings.filter((spelling) => spelling.startsWith('--'))).join(' ');
}
