import { envName, type OptionKey } from '../../config/options.ts';
import { plainVariables } from '../../config/sources/environment.ts';
import { exitCodeMeanings } from '../../errors.ts';
import { blocks, prose, titled } from './help.ts';

/** Variables that other programs also honor. */
export const commonVariables: readonly (readonly [name: string, meaning: string])[] = [
  ['NO_COLOR', 'turns color off, even with FORCE_COLOR'],
  ['FORCE_COLOR', 'turns color on; 0 or false turns it off'],
  ['CLICOLOR_FORCE', 'turns color on, unless it is 0'],
  ['CI', 'turns off color, redrawn lines and prompts'],
  ['COLUMNS', 'width of the terminal'],
  ['VISUAL, EDITOR', 'editor for "profile edit"'],
  ['XDG_CONFIG_HOME', 'base of the profile file (default ~/.config)'],
  ['XDG_STATE_HOME', 'base of logins and sandboxes (default ~/.local/state)'],
  ['XDG_CACHE_HOME', 'base of downloads (default ~/.cache)'],
  ['https_proxy, http_proxy', 'proxies for HTTP requests without globals.proxy'],
  ['no_proxy', 'hosts that need no proxy, separated by commas'],
];

/** `weir help exit-codes`. */
export function exitCodesHelp(columns?: number): string {
  return blocks([
    titled(
      'Exit codes',
      exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
      columns,
    ),
  ]);
}

/** `weir help environment`. */
export function environmentHelp(columns?: number): string {
  const examples: readonly OptionKey[] = ['brokers', 'tls.ca', 'pass.file'];
  return blocks([
    prose(environmentRule, columns),
    titled(
      'Options',
      examples.map((key) => [key, envName(key)]),
      columns,
    ),
    'Examples:\n  # One command on another cluster\n  WEIR_BROKERS=b1.example:9092 weir topic list',
    titled('Other variables of weir', plainVariables, columns),
    titled('Variables that other programs also read', commonVariables, columns),
    prose('See the keys with weir -X list, and the values in use with weir config show.', columns),
  ]);
}

const environmentRule =
  'Every option of -X has a variable: WEIR_ and the key in capitals, with _ for each period. A variable overrides the ' +
  'profile, and -X overrides the variable. An empty variable counts as not set.';
