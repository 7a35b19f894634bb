import { quoteWord } from '../../format/shell-word.ts';
import { lookups, type PosixShell } from './posix.ts';
import type { CompletionTree } from './tree.ts';

/** The completion script for zsh; it starts a process only for names that weir must find. */
export function zshCompletion(tree: CompletionTree): string {
  return `#compdef weir
# Completion of weir for zsh. Generated: do not edit.

${lookups(tree, zsh)}
_weir_options=(${tree.options.map(({ setting }) => quoteWord(setting)).join(' ')})
_weir_option_keys=(${optionKeys(tree)})
${runtime}`;
}

const runtime = `
_weir_offer() {
  # After a comma, the next value of a list.
  if [[ $reply[1] == , ]]; then
    shift reply
    compset -P '*,'
  fi
  case $reply[1] in
    @options) _weir_offer_options ;;
    @commands) _weir_offer_commands ;;
    @files) _files ;;
    @directories) _files -/ ;;
    @profiles-or-files)
      _weir_offer_names \${(f)"$(_weir_live profiles)"}
      _files
      ;;
    # With the words that are valid, too.
    @*) _weir_offer_names $reply[2,-1] \${(f)"$(_weir_live \${reply[1]#@})"} ;;
    *) (( $#reply )) && _weir_offer_words ;;
  esac
}

# The commands below those that are arguments already, and in the first place the words that may stand there, too.
_weir_offer_commands() {
  local -a others=()
  [[ -n $about ]] || others=("\${(@)reply[2,-1]}")
  _weir_commands "$about"
  reply+=("$others[@]")
  _describe command reply
}

_weir_live() {
  local -a line=("\${(@Q)words[2,CURRENT-1]}" "\${(@Q)words[CURRENT+1,-1]}")
  # Without an alias, which zsh leaves to completion with complete_aliases.
  \${(z)\${aliases[$words[1]]:-$words[1]}} __complete \${1}:described -- "\${(Q)PREFIX}" "\${line[@]}" 2>/dev/null </dev/null
}

# Each name is followed by a tab and what is known about it.
_weir_offer_names() {
  local -a names=("$@") lines expl
  local name about separator tab=$'\t'
  integer width=0
  names=(\${names%%$tab*})
  # Descriptions of thousands of names would take too long.
  if (( $# > 500 )) || [[ "$*" != *$tab* ]] || ! zstyle -T ":completion:$curcontext:" verbose; then
    compadd -- $names
    return
  fi
  # _describe would put names with the same description on one line.
  zstyle -s ":completion:$curcontext:names" list-separator separator || separator=--
  for name in $names; do (( \${(m)#name} > width )) && width=\${(m)#name}; done
  for name in "$@"; do
    about=
    [[ $name != *$tab* ]] || about="  $separator \${name#*$tab}"
    name=\${name%%$tab*}
    name="\${(mr:width:)name}$about"
    lines+=("\${name[1,COLUMNS-1]}")
  done
  _wanted names expl name compadd -l -d lines -a names
}

_weir_offer_options() {
  local -a words=('list:list the options' 'help:explain the options')
  if [[ $PREFIX == *=* ]]; then
    reply=($_weir_options)
    _weir_offer_words
  else
    _describe -t values option _weir_option_keys -S '' -- words
  fi
}

# Keys first; values once the key is complete.
_weir_offer_words() {
  local key=\${PREFIX%%=*}=
  local -a pairs=(\${(M)reply:#*=*}) plain=(\${reply:#*=*})
  if (( $#pairs )) && compset -P 1 '*='; then
    pairs=(\${\${(M)pairs:#\${(b)key}?*}#\${(b)key}})
    if [[ $pairs[1] == @files ]]; then _files; else compadd -- $pairs; fi
  else
    (( $#pairs )) && compadd -S '' -- \${(u)pairs%%=*}=
    (( $#plain )) && compadd -- $plain
  fi
}

_weir() {
  local place= about= word flag= skip= position=0
  local -a reply
  for word in \${words[2,CURRENT-1]}; do
    flag=
    if [[ -n $skip ]]; then
      skip=
    elif [[ $word == -* ]]; then
      if [[ $word != *=* ]] && _weir_value "$place" "$word"; then
        skip=1
        flag=$word
      fi
    elif _weir_step "$place" "$word"; then
      place=$REPLY
    else
      # For arguments that are commands themselves.
      if _weir_step "$about" "$word"; then about=$REPLY; else about+=" $word"; fi
      (( position += 1 ))
    fi
  done
  local current=$words[CURRENT]
  if [[ -n $flag ]] && _weir_value "$place" "$flag"; then
    _weir_offer
  elif [[ $PREFIX == --*=* ]] && _weir_value "$place" "\${PREFIX%%=*}"; then
    compset -P 1 '*='
    _weir_offer
  elif [[ $PREFIX == -X* && $PREFIX != -X ]]; then
    compset -P '-X'
    reply=(@options)
    _weir_offer
  elif [[ $current == -* ]]; then
    _weir_flags "$place"
    # In this order: the flags of the command before the global ones.
    _describe -V -o flag reply
  else
    _weir_commands "$place"
    if (( $#reply )); then
      _describe command reply
    else
      _weir_operands "$place" $position
      _weir_offer
    fi
  fi
}

if [[ $funcstack[1] == _weir ]]; then
  _weir "$@"
else
  compdef _weir weir
fi
`;

/** Each key of `-X` once, with what it means. */
function optionKeys(tree: CompletionTree): string {
  const keys = new Map(tree.options.map(({ setting, help }) => [`${setting.split('=', 1)[0]}=`, help]));
  return [...keys].map(([key, help]) => described(key, help)).join(' ');
}

function described(word: string, help: string): string {
  // _describe treats backslashes as escapes, in descriptions too.
  return quoteWord(`${word.replaceAll(':', '\\:')}:${help.replaceAll('\\', '\\\\')}`);
}

const zsh: PosixShell = {
  assign: (value) => `reply=(${value})`,
  addFlags: (flags) => `reply+=(${zsh.flags(flags)})`,
  commands: (commands) => commands.map(({ name, summary }) => described(name, summary)).join(' '),
  flags: (flags) =>
    flags.flatMap(({ spellings, help }) => spellings.map((spelling) => described(spelling, help))).join(' '),
  listMark: ', ',
  candidates(candidates) {
    const { from } = candidates;
    const words = 'words' in candidates ? candidates.words.map(quoteWord) : [];
    if (from === 'words') return words.join(' ');
    return from === 'nothing' ? '' : [`@${from}`, ...words].join(' ');
  },
};
