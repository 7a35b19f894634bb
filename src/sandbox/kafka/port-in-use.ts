import { CliError, exitCodes } from '../../errors.ts';
import { isFree } from '../ports.ts';

/** Checks that the sandbox's ports are free. @throws CliError (exit 6) when one is in use */
export async function checkPorts(sandbox: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) if (!(await isFree(port))) throw portInUse(port, sandbox);
}

function portInUse(port: number, sandbox: string): CliError {
  return new CliError(exitCodes.conflict, `unable to start the sandbox "${sandbox}": port ${port} is in use`, {
    code: 'PORT_IN_USE',
    target: String(port),
    hints: [
      `stop the program that listens on port ${port}`,
      'or purge the sandbox and start it again with another --port',
    ],
  });
}
