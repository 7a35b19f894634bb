import { CliError, type ErrorDetails, type ItemError } from '../../../errors.ts';

/** Makes the error of a command about one item from the failure of that item. */
export function refusal(what: string, error: ItemError, details: ErrorDetails = {}): CliError {
  const name = error.number === null ? error.code : `${error.code} (${error.number})`;
  return new CliError(error.exit_code, `unable to ${what}: ${name}: ${error.message}`, {
    code: error.code,
    retryable: error.retryable,
    ...details,
  });
}
