import { envName, options } from '../../config/options.ts';
import { plainVariables } from '../../config/sources/environment.ts';
import { exitCodeMeanings } from '../../errors.ts';
import { blocks, prose, titled } from './help.ts';

/** Variables that other programs honour, too. */
const commonVariables: readonly (readonly [name: string, meaning: string])[] = [
  ['NO_COLOR', 'not empty: no colour'],
  ['FORCE_COLOR', 'colour even without a terminal; 0 or false: no colour'],
  ['CLICOLOR_FORCE', 'the same, unless it is 0'],
  ['CI', 'not empty: no colour, no redrawn lines, no questions'],
  ['COLUMNS', 'width of the terminal'],
  ['VISUAL, EDITOR', 'the editor of "profile edit"'],
  ['XDG_CONFIG_HOME', 'where the profile file is (default ~/.config)'],
  ['XDG_STATE_HOME', 'where logins, journals and sandboxes are (default ~/.local/state)'],
  ['XDG_CACHE_HOME', 'where downloads are (default ~/.cache)'],
  ['https_proxy, http_proxy, no_proxy', 'proxy of HTTP requests'],
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
  return blocks([
    titled(
      'Options',
      options.map(({ key, help }) => [envName(key), help]),
      columns,
    ),
    titled('Files, profiles and tokens', plainVariables, columns),
    titled('Conventions', commonVariables, columns),
    prose(
      'A variable that is set but empty counts as not set. See which one is in use with: weir config show.',
      columns,
    ),
  ]);
}
