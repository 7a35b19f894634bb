import { join } from 'node:path';
import { usageError } from '../errors.ts';
import { cacheDirectory, stateDirectory } from '../files/locations.ts';
import type { Machine } from './machine.ts';

type UserMachine = Pick<Machine, 'env' | 'home' | 'platform'>;

/** The cache directory for downloaded versions of Kafka. @throws CliError (exit 2) when it cannot be determined */
export function kafkaDirectory(machine: UserMachine): string {
  return join(determined(cacheDirectory(machine), 'XDG_CACHE_HOME'), 'kafka');
}

/** The cache directory for downloaded versions of the registry. @throws CliError (exit 2) like `kafkaDirectory` */
export function registryDirectory(machine: UserMachine): string {
  return join(determined(cacheDirectory(machine), 'XDG_CACHE_HOME'), 'registry');
}

/** The directory that holds every sandbox. @throws CliError (exit 2) when it cannot be determined */
export function sandboxDirectory(machine: UserMachine): string {
  return join(determined(stateDirectory(machine), 'XDG_STATE_HOME'), 'sandbox');
}

const partNames = { kafka: 'kafka', cloud: 'control-plane', admin: 'admin', registry: 'registry' } as const;

/** The directory of a part in a sandbox's own directory. */
export function partOf(directory: string, part: keyof typeof partNames): string {
  return join(directory, partNames[part]);
}

function determined(directory: string | undefined, variable: string): string {
  if (directory !== undefined) return directory;
  throw usageError(`unable to find a directory for the sandbox: ${variable} and HOME are not set`);
}
