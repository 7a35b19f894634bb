import { CliError, exitCodes, type ItemError, usageError } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { Outcome } from '../../protocol/client/question.ts';

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

/** Share groups have no committed offsets, and weir does not speak the API of what they have instead. */
export function shareError(what: string, group: string): CliError {
  return usageError(`unable to ${what}: a share group has start offsets instead of committed ones`, {
    code: 'SHARE_GROUP',
    target: group,
    hints: [
      `see them with: weir group describe ${shellWord(group)}`,
      `only Kafka's script sets them: kafka-share-groups.sh --reset-offsets --group ${shellWord(group)} --topic TOPIC --to-latest`,
    ],
  });
}
