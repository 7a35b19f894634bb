import type { ProcessId } from '../../files/process-id.ts';
import { stateFile } from '../part-state.ts';
import { freePorts } from '../ports.ts';
import { newSecret } from './identifiers.ts';

/** The stored state of a sandbox's control plane. */
export interface ControlPlaneState {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Null when the control plane is stopped. */
  readonly process: ProcessId | null;
}

/** Plans a new control plane: a port that is free now (or `wanted`) and new credentials. */
export async function planControlPlane(wanted?: number): Promise<ControlPlaneState> {
  const port = wanted ?? (await freePorts(1))[0] ?? 0;
  return { port, clientId: 'sandbox', clientSecret: newSecret(), process: null };
}

/** The file that stores the state of the control plane. */
export const controlPlaneState = stateFile<ControlPlaneState>({
  fileName: 'control-plane.json',
  what: 'a control plane',
  isWhole: ({ port, clientSecret }) => typeof port === 'number' && typeof clientSecret === 'string',
});
