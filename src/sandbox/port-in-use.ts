import { CliError, exitCodes } from '../errors.ts';
import { isFree } from './ports.ts';

/** The error code for a port that another program listens on. */
export const portInUse = 'PORT_IN_USE';

/** Checks that the sandbox's ports are free. @throws CliError (exit 6) when one is in use */
export async function checkPorts(sandbox: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) if (!(await isFree(port))) throw portInUseError(sandbox, port);
}

/** Returns the error for a port that another program took before the broker listened on it (exit 6). */
export function portInUseError(sandbox: string, port: number): CliError {
  return new CliError(exitCodes.conflict, `unable to start the sandbox "${sandbox}": port ${port} is in use`, {
    code: portInUse,
    target: String(port),
    hints: [
      `stop the program that listens on port ${port}`,
      'or purge the sandbox and start it again with another --port',
    ],
  });
}
