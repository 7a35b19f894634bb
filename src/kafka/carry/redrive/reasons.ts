import { CliError, exitCodes, rephrased } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import type { Refusal } from '../../streams/produce/lane.ts';

/** Why dead letters are left where they are. */
export const reasons = {
  noOrigin: () =>
    leftError('NO_ORIGIN', 'no header says where they came from: name a topic or another header with --to'),
  noHeader: (name: string) => leftError('NO_ORIGIN', `they have no header "${name}"`),
  ambiguous: () =>
    leftError('AMBIGUOUS_ORIGIN', 'their headers name several topics: choose a header with --to header:NAME'),
  invalid: () => leftError('INVALID_ORIGIN', 'the header for their origin has no topic name in it'),
  excluded: (topic: string) => leftError('EXCLUDED_TOPIC', `topic "${topic}" is not one of those of --only`),
  itself: (topic: string) => leftError('SAME_TOPIC', `their origin is topic "${topic}" itself`),
  internal: (topic: string) => leftError('INTERNAL_TOPIC', `topic "${topic}" belongs to the brokers`),
  empty: () =>
    leftError('NO_CONTENT', 'they only say where the record was: their share group does not copy keys and values'),
  worn: (most: number) =>
    leftError('MAX_ATTEMPTS', `they were put back ${grouped(most, 'time')} already: allow more with --max-attempts`),
  noPartition: (topic: string, partitions: number) =>
    leftError(
      'NO_PARTITION',
      `topic "${topic}" has only ${grouped(partitions, 'partition')}: choose partitions with --partitions-by key`,
    ),
  missing: (topic: string, error: CliError) =>
    rephrased(error, `topic "${topic}" does not exist: create it, or choose another with --to`),
  refused: (topic: string, { code, reason }: Refusal) =>
    kafkaError(code, `topic "${topic}" does not take them: ${kafkaErrorText(code, reason)}`, { target: topic }),
};

function leftError(code: string, message: string): CliError {
  return new CliError(exitCodes.conflict, message, { code });
}
