import { described, listOf, maybe, measure, type RowOf, row, string, whole, word } from '../shape/shape.ts';

/** The APIs that are checked, in the order of the checks. */
export const checkedApis = ['kafka', 'admin', 'registry', 'cloud'] as const;

/** One check of one target. */
export const Check = row({
  api: word(...checkedApis),
  target: described(maybe(string), 'the address, or the broker with its id; null if the check has no address'),
  /** In the order of a connection. */
  step: word(
    'config',
    'proxy',
    'dns',
    'tcp',
    'tls',
    'api_versions',
    'sasl',
    'metadata',
    'listener',
    'authorization',
    'http',
    'token',
  ),
  status: described(word('ok', 'warning', 'failed', 'skipped'), 'a warning does not fail the checkup'),
  detail: described(string, 'what was found, why it failed, or why it was skipped'),
  hints: described(listOf(string), 'what to do about it, one line each'),
  error_code: maybe(string),
  duration_ms: described(maybe(measure), 'null if the check was skipped'),
});
export type Check = RowOf<typeof Check>;

/** An API that is checked. */
export type CheckedApi = Check['api'];

/** The result of a check. */
export type CheckStatus = Check['status'];

/** What is checked. */
export type CheckStep = Check['step'];

/** The result of `doctor`. */
export const Checkup = row({
  ok_count: whole,
  warning_count: whole,
  failed_count: whole,
  skipped_count: whole,
  checks: listOf(Check),
});
export type Checkup = RowOf<typeof Checkup>;
