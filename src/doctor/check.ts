/** An API that is checked. */
export type CheckedApi = 'kafka' | 'admin' | 'registry' | 'cloud';

/** The result of a check. A warning does not fail the checkup. */
export type CheckStatus = 'ok' | 'warning' | 'failed' | 'skipped';

/** What is checked, in the order of a connection. */
export type CheckStep =
  | 'config'
  | 'dns'
  | 'tcp'
  | 'tls'
  | 'api_versions'
  | 'sasl'
  | 'metadata'
  | 'listener'
  | 'authorization'
  | 'http'
  | 'token';

/** One check of one target. */
export interface Check {
  readonly api: CheckedApi;
  /** The address, or the broker with its id; null if the check has no address. */
  readonly target: string | null;
  readonly step: CheckStep;
  readonly status: CheckStatus;
  /** What was found, why it failed, or why it was skipped. */
  readonly detail: string;
  /** What to do about it, one line each. */
  readonly hints: readonly string[];
  /** The code of the failure; null otherwise. */
  readonly error_code: string | null;
  /** How long the check took; null if it was skipped. */
  readonly duration_ms: number | null;
}
