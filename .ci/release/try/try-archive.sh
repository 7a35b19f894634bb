#!/bin/sh
# Tries the archive of weir on the machine of a person, above all on macOS, where no test of ours runs. It needs neither
# Node.js nor a cluster, works in a folder of its own, and removes everything it made. docs/project/releasing.md says more.
#
#   sh try-archive.sh [FOLDER]     FOLDER has the archive and SHA256SUMS; without it, the current one
#   sh try-archive.sh -y [FOLDER]  asks nothing: what only a person can see or press is skipped
set -u

ask=yes
[ "${1:-}" = -y ] && { ask=no; shift; }
[ -t 0 ] && [ -t 1 ] || ask=no
folder=$(cd "${1:-.}" && pwd) || exit 2

results='' failures=0
note() { # ok|FAILED|skipped CHECK DETAIL
  printf '%-7s  %s: %s\n' "$1" "$2" "$3"
  results="$results$(printf '%-7s  %s: %s' "$1" "$2" "$3")
"
  [ "$1" != FAILED ] || failures=$((failures + 1))
}
# The first line of what a command printed, so that a report stays short.
first() { printf '%s\n' "$1" | sed -n 1p | cut -c1-100; }
is() { # CHECK WANTED SEEN
  if [ "$2" = "$3" ]; then note ok "$1" "$(first "$3")"; else note FAILED "$1" "expected \"$(first "$2")\", saw \"$(first "$3")\""; fi
}
has() { # CHECK PART SEEN
  case $3 in *"$2"*) note ok "$1" "$2" ;; *) note FAILED "$1" "expected \"$2\", saw \"$(first "$3")\"" ;; esac
}
person() { # CHECK QUESTION
  if [ $ask = no ]; then note skipped "$1" 'needs a person'; return; fi
  printf '%s [y/n] ' "$2"
  read -r answer
  case $answer in y* | Y*) note ok "$1" 'seen by a person' ;; *) note FAILED "$1" "a person answered \"$answer\"" ;; esac
}

case $(uname -s) in Darwin) system=darwin ;; *) system=linux ;; esac
case $(uname -m) in arm64 | aarch64) machine=arm64 ;; *) machine=x64 ;; esac
target=$system-$machine
archive=$(cd "$folder" && ls weir-*-$target.tar.gz 2>/dev/null | sed -n 1p)
[ -n "$archive" ] || { echo "no weir-VERSION-$target.tar.gz in $folder" >&2; exit 2; }
name=${archive%.tar.gz}
version=${name#weir-}
version=${version%-$target}

place=$(mktemp -d "${TMPDIR:-/tmp}/weir-try.XXXXXX")
weir=$place/$name/weir
unset WEIR_PROFILE WEIR_BROKERS XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME
# The home is one of its own, except for the keychain, which is that of the person.
w() { HOME=$place/home "$weir" "$@"; }
finish() {
  w sandbox purge --yes >/dev/null 2>&1
  rm -rf "$place"
}
trap finish EXIT
trap 'exit 130' INT TERM
mkdir "$place/home"

# The file is the one that was released.
wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$folder/SHA256SUMS" 2>/dev/null)
if command -v sha256sum >/dev/null; then seen=$(sha256sum "$folder/$archive"); else seen=$(shasum -a 256 "$folder/$archive"); fi
is 'checksum' "${wanted:-a line of SHA256SUMS}" "${seen%% *}"

tar -xzf "$folder/$archive" -C "$place" && [ -x "$weir" ] && note ok 'unpacks' "$archive" || note FAILED 'unpacks' "$archive"
if [ $system = darwin ]; then
  # Apple Silicon stops programs without a valid signature; the one for Intel has none. Browsers mark what they download.
  if said=$(codesign --verify "$weir" 2>&1); then note ok 'code signature' 'valid'
  elif [ $machine = x64 ]; then is 'code signature' 'not signed at all' "${said##*code object is }"
  else note FAILED 'code signature' "$(first "$said")"; fi
  note ok 'quarantine' "$(xattr -p com.apple.quarantine "$folder/$archive" 2>/dev/null || echo 'the archive has no mark')"
fi

is 'version' "weir $version" "$(w --version 2>&1)"
has 'help' 'weir topic COMMAND' "$(w topic --help 2>&1)"
if command -v man >/dev/null; then has 'manual page' 'weir-topic-list' "$(MANPAGER=cat PAGER=cat man "$place/$name/man/man1/weir-topic-list.1" 2>&1 | tr -d '\b' | tr 'A-Z' 'a-z')"; else note skipped 'manual page' 'there is no man'; fi

# A broker in memory, and records there and back.
has 'sandbox start' '127.0.0.1:' "$(w sandbox start --engine simulated --format json 2>&1)"
is 'topic create' 'orders  OK' "$(w topic create orders -p 3 --no-headers 2>&1)"
printf 'k1 Gr\303\274\303\237e\nk2 \346\227\245\346\234\254\n' | w topic produce orders -f '%k %v\n' -o '' >/dev/null 2>&1
is 'produce, consume' "$(printf 'k1 Gr\303\274\303\237e\nk2 \346\227\245\346\234\254')" "$(w topic consume orders -o :end -f '%k %v\n' 2>&1 | sort)"
w topic produce orders --generate sample -n 1000 --seed 1 -o '' >/dev/null 2>&1
is 'search' '1' "$(w topic search orders --contains "$(printf 'Gr\303\274')" -f '%v\n' --quiet 2>/dev/null | grep -c "$(printf 'Gr\303\274\303\237e')")"
w topic consume orders -n 1 -g try -f '' >/dev/null 2>&1
has 'groups' 'try' "$(w group list 2>&1)"
has 'doctor' 'ok' "$(w doctor 2>&1)"

# A profile, and a password in the keychain of the system, under a name of its own.
w profile create try --set brokers=127.0.0.1:1 >/dev/null 2>&1
has 'profile' '127.0.0.1:1' "$(w config show brokers 2>&1)"
w profile use sandbox >/dev/null 2>&1
keep() { "$weir" --config "$place/keychain.yaml" "$@"; }
keep profile create weir-try-$$ --set user=ana >/dev/null 2>&1
if said=$(printf 'geheim' | keep profile set pass --keychain --stdin 2>&1); then
  has 'keychain' 'keychain' "$(keep config show pass 2>&1)"
  keep profile delete weir-try-$$ --yes >/dev/null 2>&1 || true
elif [ $system = darwin ]; then note FAILED 'keychain' "$(first "$said")"
else note skipped 'keychain' "$(first "$said")"; fi

for shell in bash zsh fish; do
  if ! command -v $shell >/dev/null; then note skipped "completion, $shell" 'there is no such shell'; continue; fi
  w completion $shell >"$place/completion.$shell" 2>&1
  if said=$($shell -n "$place/completion.$shell" 2>&1); then note ok "completion, $shell" 'the shell reads the script'; else note FAILED "completion, $shell" "$(first "$said")"; fi
done
has 'completion of topics' 'orders' "$(w __complete topics '' 2>&1)"
has 'completion install' '_weir' "$(w completion install zsh --yes 2>&1)"

# Output that is no terminal has no colors; tables keep to the width.
is 'no colors in a pipe' '0' "$(w topic create orders 2>&1 | grep -c "$(printf '\033')")"
is 'colors on demand' 'yes' "$(w topic create orders --color always 2>&1 | grep -q "$(printf '\033')" && echo yes)"
if [ $ask = yes ]; then
  w topic create orders
  w topic list
  w topic search orders --contains "$(printf 'Gr\303\274')" -f '%k %v\n'
fi
person 'terminal' 'Is the error above colored, the table aligned, and are the letters of Gruesse (with umlaut and sharp s) right?'

# Ctrl-C ends what waits, with 130.
if [ $ask = yes ]; then
  echo 'Press Ctrl-C when weir waits for records:'
  trap : INT
  w topic consume orders -o end
  code=$?
  trap 'exit 130' INT
else
  (HOME=$place/home exec "$weir" topic consume orders -o end >/dev/null 2>&1) &
  waiting=$!
  sleep 2
  kill -INT $waiting
  wait $waiting
  code=$?
fi
is 'Ctrl-C' '130' "$code"
is 'exit code of a failure' '6' "$(w topic create orders >/dev/null 2>&1; echo $?)"

has 'sandbox purge' 'sandbox' "$(w sandbox purge --yes 2>&1)"
is 'nothing left running' '0' "$(ps ax -o command | grep -c "^$place")"

printf '\nTo paste into the issue of the release:\n\n'
printf '```\n%s on %s, shell %s, terminal %s\n' "$name" "$(uname -srm)" "${SHELL:-unknown}" "${TERM_PROGRAM:-${TERM:-unknown}}"
[ $system = darwin ] && printf 'macOS %s\n' "$(sw_vers -productVersion)"
printf '%s%s failed\n```\n' "$results" "$failures"
[ $failures = 0 ]
