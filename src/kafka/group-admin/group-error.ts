import { CliError, exitCodes, type ItemError } from '../../errors.ts';
import type { Outcome } from '../client/question.ts';

/** Makes the error of a whole command from the error of its only group, for example `seek group "g"`. */
export function groupError(what: string, group: string, error: ItemError): CliError {
  const { code, number, message, retryable, exit_code: exitCode } = error;
  const name = number === null ? code : `${code} (${number})`;
  return new CliError(exitCode, `unable to ${what}: ${name}: ${message}`, { code, retryable, target: group });
}

/**
 * Returns the outcomes unless no broker could be reached for any of them.
 * @throws CliError in that case: a failure that affects every group is reported once
 */
export function reached<Item, Row>(outcomes: readonly Outcome<Item, Row>[]): readonly Outcome<Item, Row>[] {
  const [first] = outcomes;
  const isDown = outcomes.every(({ row, error }) => row === undefined && error?.exitCode === exitCodes.unreachable);
  if (first?.error !== undefined && isDown) throw first.error;
  return outcomes;
}
