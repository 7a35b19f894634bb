import { stat } from 'node:fs/promises';
import type { Host, SpawnOptions } from '../host/host.ts';
import { canHoldSecret, envName, options } from './options.ts';

/** Every variable that may contain a secret: those of secret options, the proxy's, and the token of the control plane. */
const secretVariables: readonly string[] = [
  ...options
    .filter(({ key, kind }) => canHoldSecret(key) || kind.mayHoldSecret === 'after the key')
    .map(({ key }) => envName(key)),
  'WEIR_CLOUD_TOKEN',
];

/** What removes weir's secrets from the environment that a child process inherits. */
export const withoutSecrets: Readonly<Record<string, undefined>> = Object.fromEntries(
  secretVariables.map((name) => [name, undefined]),
);

/** Where a child process is started. */
type Directory = Pick<SpawnOptions, 'cwd'>;

/**
 * The directory for a program that is looked for by its name: Windows looks in the working directory first, which may be
 * full of files of someone else.
 */
export function safeDirectory({ platform, home }: Pick<Host, 'platform' | 'home'>): Directory {
  return platform === 'win32' && home !== undefined ? { cwd: home } : {};
}

/**
 * The home directory, if it exists, for a program that loads files from its working directory: the Azure CLI of pip loads
 * Python modules from there (`python -m`).
 */
export async function homeDirectory(host: Pick<Host, 'platform' | 'home'>): Promise<Directory> {
  const { home } = host;
  if (home === undefined) return {};
  const entry = await stat(home).catch(() => undefined);
  return entry?.isDirectory() ? { cwd: home } : safeDirectory(host);
}
