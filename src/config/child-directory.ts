import { stat } from 'node:fs/promises';
import type { Host, SpawnOptions } from '../host/host.ts';

/** Where a child process is started. */
type Place = Pick<SpawnOptions, 'cwd'>;

/**
 * The directory for a program that is looked for by its name: Windows looks in the working directory first, which may be
 * full of files of someone else.
 */
export function safePlace({ platform, home }: Pick<Host, 'platform' | 'home'>): Place {
  return platform === 'win32' && home !== undefined ? { cwd: home } : {};
}

/**
 * The home directory, if it is there, for a program that takes more than its own files from where it is started: the
 * Azure CLI of pip takes Python modules from there (`python -m`).
 */
export async function atHome(host: Pick<Host, 'platform' | 'home'>): Promise<Place> {
  const { home } = host;
  if (home === undefined) return {};
  const found = await stat(home).catch(() => undefined);
  return found?.isDirectory() ? { cwd: home } : safePlace(host);
}
