import type { ProcessId } from '../../files/process-id.ts';
import { stateFile } from '../part-state.ts';
import { freePorts } from '../ports.ts';
import { registryVersion } from './libraries.ts';

/** The stored state of a sandbox's schema registry. */
export interface RegistryState {
  /** The version of Apicurio Registry. */
  readonly version: string;
  readonly port: number;
  /** Null when the registry is stopped. */
  readonly process: ProcessId | null;
}

/** Plans a new registry: a port that is free now. */
export async function planRegistry(): Promise<RegistryState> {
  return { version: registryVersion, port: (await freePorts(1))[0] ?? 0, process: null };
}

/** The file that stores the state of the schema registry. */
export const registryState = stateFile<RegistryState>({
  fileName: 'registry.json',
  what: 'a schema registry',
  isWhole: ({ version, port }) => typeof version === 'string' && typeof port === 'number',
});
