import { CliError, type ErrorDetails, type ExitCode } from '../errors.ts';

/** What the control plane said besides the text. */
export interface CloudErrorDetails extends ErrorDetails {
  /** HTTP status; 0 for the failure of an operation. */
  readonly status: number;
  /** For example `REASON_NETWORK_ALREADY_EXISTS`; '' where the server gave none. */
  readonly reason: string;
}

/** A refusal of the control plane; `code` is the API's word, for example `NOT_FOUND`. */
export class CloudError extends CliError {
  readonly status: number;
  readonly reason: string;

  constructor(exitCode: ExitCode, message: string, { status, reason, ...details }: CloudErrorDetails) {
    super(exitCode, message, details);
    this.status = status;
    this.reason = reason;
  }
}

/** Whether the control plane says that it does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof CloudError && error.status === 404;
}
