import type { ProcessId } from '../../files/process-id.ts';
import { stateFile } from '../part-state.ts';
import { freePorts } from '../ports.ts';
import { newSecret } from './identifiers.ts';

/** What is kept about the control plane of a sandbox. */
export interface ControlPlaneState {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Null when it is stopped. */
  readonly process: ProcessId | null;
}

/** A control plane that is not there yet: a port that is free now, and credentials of its own. */
export async function planControlPlane(wanted?: number): Promise<ControlPlaneState> {
  const port = wanted ?? (await freePorts(1))[0] ?? 0;
  return { port, clientId: 'sandbox', clientSecret: newSecret(), process: null };
}

/** Where it is kept. */
export const controlPlaneState = stateFile<ControlPlaneState>({
  fileName: 'control-plane.json',
  what: 'a control plane',
  isWhole: ({ port, clientSecret }) => typeof port === 'number' && typeof clientSecret === 'string',
});
