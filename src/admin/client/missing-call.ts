import { exitCodes, rephrased } from '../../errors.ts';
import { hasStatus } from './answer-error.ts';

/**
 * Waits for a call whose path names nothing that may be absent, so that 404 means that the cluster does not have the call.
 * @param what what older versions cannot do, for example `self-tests`
 * @throws CliError (exit 1) in that case
 */
export async function mustExist<T>(call: Promise<T>, what: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    throw rephrased(error, error.message, {
      exitCode: exitCodes.failure,
      code: 'UNSUPPORTED',
      hints: [`the version of this cluster may not support ${what}: see it with weir cluster brokers list`],
    });
  }
}
