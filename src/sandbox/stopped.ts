import { join } from 'node:path';
import { unreachableError } from '../errors.ts';
import { isRunning } from '../files/process-id.ts';
import type { Host } from '../host/host.ts';
import { partOf, sandboxDirectory } from './directories.ts';
import { type BrokerState, kafkaState } from './kafka/state.ts';

/**
 * Checks that a broker of the sandbox is running, without a request: what listens on the port of a stopped one is
 * another cluster. A container counts as running, and a sandbox without a valid state file is not checked.
 * @throws CliError (exit 5) when all its brokers are stopped
 */
export async function checkRunning(host: Pick<Host, 'env' | 'home' | 'platform'>, name: string): Promise<void> {
  const directory = partOf(join(sandboxDirectory(host), name), 'kafka');
  const state = await kafkaState.read(directory).catch(() => undefined);
  if (state === undefined) return;
  const running = await Promise.all(state.brokers.map(isUp));
  if (running.includes(true)) return;
  throw unreachableError(`sandbox "${name}" is stopped`, {
    code: 'SANDBOX_STOPPED',
    target: name,
    hints: [`start it with: weir sandbox start${name === 'sandbox' ? '' : ` --name ${name}`}`],
  });
}

async function isUp({ process, container }: BrokerState): Promise<boolean> {
  return container !== null || (process !== null && (await isRunning(process)));
}
