import { join } from 'node:path';
import { usageError } from '../errors.ts';
import { cacheDirectory, stateDirectory } from '../files/locations.ts';
import type { Machine } from './machine.ts';

type Place = Pick<Machine, 'env' | 'home' | 'platform'>;

/** The cache directory for downloaded versions of Kafka. @throws CliError (exit 2) when it cannot be determined */
export function kafkaDirectory(machine: Place): string {
  return join(known(cacheDirectory(machine), 'XDG_CACHE_HOME'), 'kafka');
}

/** The cache directory for downloaded versions of the registry. @throws CliError (exit 2) like `kafkaDirectory` */
export function registryDirectory(machine: Place): string {
  return join(known(cacheDirectory(machine), 'XDG_CACHE_HOME'), 'registry');
}

/** The directory that holds every sandbox. @throws CliError (exit 2) when it cannot be determined */
export function sandboxDirectory(machine: Place): string {
  return join(known(stateDirectory(machine), 'XDG_STATE_HOME'), 'sandbox');
}

/** The directory of Kafka in a sandbox's own directory. */
export function kafkaOf(directory: string): string {
  return join(directory, 'kafka');
}

/** The directory of the control plane in a sandbox's own directory. */
export function cloudOf(directory: string): string {
  return join(directory, 'control-plane');
}

/** The directory of the Admin API in a sandbox's own directory. */
export function adminOf(directory: string): string {
  return join(directory, 'admin');
}

/** The directory of the schema registry in a sandbox's own directory. */
export function registryOf(directory: string): string {
  return join(directory, 'registry');
}

function known(directory: string | undefined, variable: string): string {
  if (directory !== undefined) return directory;
  throw usageError(`unable to find a directory for the sandbox: ${variable} and HOME are not set`);
}
