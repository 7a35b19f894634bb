import { CliError, exitCodes, rephrased } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import { commandText } from '../../format/shell-word.ts';
import type { PartitionPosition } from '../consume/position.ts';
import { CorruptRecordsError } from '../records/corrupt.ts';
import type { PlannedPair } from './plan.ts';
import { hintAt } from './sides.ts';

/** The error for records that cannot be read; other errors stay as they are. */
export function readFailure(error: unknown, { topic, partition }: PartitionPosition): unknown {
  if (!(error instanceof CorruptRecordsError)) return error;
  const place = `topic "${topic}" partition ${partition} at offset ${error.baseOffset}`;
  return new CliError(exitCodes.failure, `unable to read ${place}: ${error.reason}`, {
    code: 'CORRUPT_MESSAGE',
    target: topic,
    hints: [`continue after it with -p ${partition} -o OFFSET --restart`],
  });
}

interface Progress {
  readonly written: { readonly records: number };
  readonly pending: number;
}

/** Says what was copied before the failure, and how to go on. */
export function copyFailure(
  error: unknown,
  { target, profile }: Pick<PlannedPair, 'target'> & { readonly profile: string | undefined },
  { written, pending }: Progress,
): unknown {
  if (!(error instanceof CliError)) return error;
  const hints = error.code === 'MESSAGE_TOO_LARGE' ? [hintAt(profile, raiseHint(target.name))] : error.hints;
  const copied = `${grouped(written.records, 'record')} ${written.records === 1 ? 'was' : 'were'} copied`;
  return rephrased(error, `${error.message} (${copied} before that)`, {
    hints: error.exitCode === exitCodes.conflict ? hints : [...hints, again],
    records: { copied: written.records, uncertain: pending },
  });
}

/** The hint for a copy that ended early. */
export const again = 'repeat the command: it continues where this copy stopped';

function raiseHint(topic: string): string {
  return commandText`raise the limit: weir topic alter-config ${topic} --set max.message.bytes=BYTES`;
}
