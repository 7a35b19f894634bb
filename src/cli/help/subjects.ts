import { envName, options } from '../../config/options.ts';
import { plainVariables } from '../../config/sources/environment.ts';
import { exitCodeMeanings } from '../../errors.ts';
import { blocks, prose, titled } from './help.ts';

/** Variables that other programs also honor. */
export const commonVariables: readonly (readonly [name: string, meaning: string])[] = [
  ['NO_COLOR', 'turns color off, also beside FORCE_COLOR'],
  ['FORCE_COLOR', 'turns color on, even without a terminal; 0 or false turns it off'],
  ['CLICOLOR_FORCE', 'turns color on, even without a terminal; 0 has no effect'],
  ['CI', 'turns off color, redrawn lines and prompts'],
  ['COLUMNS', 'width of the terminal'],
  ['VISUAL, EDITOR', 'editor for "profile edit"'],
  ['XDG_CONFIG_HOME', 'base directory of the profile file (default ~/.config)'],
  ['XDG_STATE_HOME', 'base directory of logins, journals and sandboxes (default ~/.local/state)'],
  ['XDG_CACHE_HOME', 'base directory of downloads (default ~/.cache)'],
  ['https_proxy, http_proxy', 'proxies for HTTP requests, if globals.proxy is not set'],
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
  return blocks([
    titled(
      'Options',
      options.map(({ key, help }) => [envName(key), help]),
      columns,
    ),
    titled('Files, profiles and tokens', plainVariables, columns),
    titled('Conventions', commonVariables, columns),
    prose('Variables that are set but empty are ignored. Use weir config show to see which ones are in use.', columns),
  ]);
}
