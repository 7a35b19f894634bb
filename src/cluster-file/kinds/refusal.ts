import { exitCodes } from '../../errors.ts';
import type { Change } from './kind.ts';

/** A row that apply refuses, for the reason that it has. */
export function refused(row: Change): Change {
  const message = row.why ?? 'it cannot be changed';
  const error = { code: 'BLOCKED', number: null, message, retryable: false, exit_code: exitCodes.conflict };
  return { ...row, error };
}
