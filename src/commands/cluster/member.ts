import { CliError, exitCodes, notFoundError, rephrased } from '../../errors.ts';

/** Returns the broker with an id. @throws CliError (exit 3) naming the ids that there are */
export function memberOf<B extends { readonly id: number }>(brokers: readonly B[], id: number): B {
  const broker = brokers.find((one) => one.id === id);
  if (broker !== undefined) return broker;
  const ids = brokers.map((one) => one.id).join(', ') || 'none';
  throw notFoundError(`the cluster has no broker ${id}, only ${ids}`, {
    code: 'BROKER_NOT_FOUND',
    target: String(id),
    hints: ['see the brokers with: weir cluster brokers list'],
  });
}

/** Makes the answer that the state of the cluster does not allow a change (400) a conflict (exit 6). @throws the error */
export function asConflict(error: unknown): never {
  if (!(error instanceof CliError) || error.code !== 'INVALID_REQUEST') throw error;
  throw rephrased(error, error.message, { exitCode: exitCodes.conflict, code: 'CONFLICT' });
}
