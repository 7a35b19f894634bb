import type { ProcessId } from '../../files/process-id.ts';
import { stateFile } from '../part-state.ts';
import { commonPort } from '../ports.ts';
import { loopback } from './view/reflect.ts';

/** The stored state of a sandbox's Admin API. */
export interface AdminState {
  /** The port of every node. */
  readonly port: number;
  /** Null when it is stopped. */
  readonly process: ProcessId | null;
}

/** Plans a new Admin API with this many nodes: a port that is free now on all their addresses. */
export async function planAdmin(nodes: number): Promise<AdminState> {
  return { port: await commonPort(Array.from({ length: nodes }, (_, index) => loopback(index))), process: null };
}

/** The file that stores the state of the Admin API. */
export const adminState = stateFile<AdminState>({
  fileName: 'admin.json',
  what: 'an Admin API',
  isWhole: ({ port }) => typeof port === 'number',
});
