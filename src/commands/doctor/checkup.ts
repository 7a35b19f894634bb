import type { Check, CheckStatus } from '../../doctor/check.ts';

/** The result of `doctor`. */
export interface Checkup {
  readonly ok_count: number;
  readonly warning_count: number;
  readonly failed_count: number;
  readonly skipped_count: number;
  readonly checks: readonly Check[];
}

/** Counts the checks by status. */
export function checkupOf(checks: readonly Check[]): Checkup {
  const count = (status: CheckStatus): number => checks.filter((check) => check.status === status).length;
  return {
    ok_count: count('ok'),
    warning_count: count('warning'),
    failed_count: count('failed'),
    skipped_count: count('skipped'),
    checks,
  };
}
