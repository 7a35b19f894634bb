import { CliError, exitCodes } from '../../errors.ts';
import { isFree } from '../ports.ts';

/** @throws CliError (exit 6) when something listens on one of the ports that the sandbox keeps */
export async function checkPorts(sandbox: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) if (!(await isFree(port))) throw portInUse(port, sandbox);
}

function portInUse(port: number, sandbox: string): CliError {
  return new CliError(exitCodes.conflict, `unable to start the sandbox "${sandbox}": port ${port} is in use`, {
    code: 'PORT_IN_USE',
    target: String(port),
    hints: [
      `end the program that listens on port ${port}`,
      'a sandbox keeps its port: purge it and start it again with --port to have another',
    ],
  });
}
