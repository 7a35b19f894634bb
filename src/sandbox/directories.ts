import { isAbsolute, join } from 'node:path';
import { usageError } from '../errors.ts';
import type { Machine } from './machine.ts';

/** Where downloads are kept: `$XDG_CACHE_HOME/weir`, else `~/.cache/weir`. */
export function cacheDirectory(machine: Pick<Machine, 'env' | 'home'>): string {
  return join(xdg(machine, 'XDG_CACHE_HOME', '.cache'), 'weir');
}

/** Where the sandboxes live: `$XDG_STATE_HOME/weir/sandbox`, else `~/.local/state/weir/sandbox`. */
export function sandboxDirectory(machine: Pick<Machine, 'env' | 'home'>): string {
  return join(xdg(machine, 'XDG_STATE_HOME', join('.local', 'state')), 'weir', 'sandbox');
}

function xdg({ env, home }: Pick<Machine, 'env' | 'home'>, variable: string, fallback: string): string {
  const given = env[variable];
  if (given !== undefined && isAbsolute(given)) return given;
  if (home === undefined)
    throw usageError(`unable to find a directory for the sandbox: ${variable} and HOME are not set`);
  return join(home, fallback);
}
