import { CliError, usageError } from '../errors.ts';
import { parseOffsetRange } from '../kafka/consume/offset-range.ts';
import { text } from '../kinds.ts';

/** A time, in one of the forms that `momentOf` reads. */
export const time = { ...text, hint: 'TIME' } as const;

/**
 * Returns the milliseconds since the epoch of a time of the command line; a duration without a sign is before now as well.
 * @throws CliError (exit 2) naming the flag
 */
export function momentOf(given: string, flagName: string, nowMs: number): number {
  if (given === 'now') return nowMs;
  const isDuration = /^\d+(\.\d+)?[a-zµμ]/.test(given);
  try {
    const { start, end } = parseOffsetRange(`@${isDuration ? '-' : ''}${given}`, nowMs);
    if (start.at === 'time' && end === undefined) return start.timestamp;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
  }
  throw usageError(`invalid value "${given}" of ${flagName}: not a time`, {
    target: flagName,
    hints: ['use now, 1h, 2026-01-31, 2026-01-31T15:04:05Z, or seconds or milliseconds since the epoch'],
  });
}
