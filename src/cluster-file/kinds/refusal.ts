import { exitCodes } from '../../errors.ts';
import type { Change, PlanOptions } from './kind.ts';

/** What the files own and do not name: `deletion` makes its row; without --prune, it is kept. */
export function unnamed({ prune }: PlanOptions, deletion: (why: string) => Change): Change {
  const why = 'the files own it and do not name it';
  if (prune) return deletion(why);
  return { ...deletion(`${why}; --prune deletes it, or name it with absent: true`), action: 'keep', risk: 'none' };
}

/** A row that apply refuses, for the reason that it has. */
export function refused(row: Change): Change {
  const message = row.why ?? 'it cannot be changed';
  const error = { code: 'BLOCKED', number: null, message, retryable: false, exit_code: exitCodes.conflict };
  return { ...row, error };
}
