import { type CliError, rephrased } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { Lane } from './lane.ts';
import { uncertainBatches, unsentBatches } from './lane-flow.ts';
import { namedPlaces, offsetAfter } from './loss.ts';
import { countOf, type NumberRange, type RecordNumbers, rangesOf } from './record-numbers.ts';

/** What has become of the complete records that were read from the input. Every one of them is counted once. */
export interface Account {
  readonly read: number;
  /** Records that the brokers have as `--acks` demands it; with 0, records that were sent. */
  readonly acknowledged: number;
  /** The number of records that are not acknowledged: `uncertain` and `unsent`. */
  readonly pending: number;
  /** Records that may or may not be in the log. */
  readonly uncertain: readonly NumberRange[];
  /** Records that are certainly not in the log. */
  readonly unsent: readonly NumberRange[];
  /** Whether each record is one line of the input, so that the numbers are those of lines. */
  readonly areLines: boolean;
  /** What uncertain records belong to, for messages; empty for none. */
  readonly places: string;
  /** The command that shows whether the first uncertain records were written. */
  readonly compareWith: string | undefined;
}

/** The parts of an account. */
export interface AccountParts {
  readonly read: number;
  /** Records that were given to lanes; the others have no batch. */
  readonly taken: number;
  readonly acknowledged: number;
  readonly lanes: Iterable<Lane>;
  readonly areLines: boolean;
}

/** Counts what has become of all records; nothing may be sent after that. */
export function accountOf({ read, taken, acknowledged, lanes, areLines }: AccountParts): Account {
  const all = [...lanes];
  const refused: RecordNumbers = read > taken ? [taken + 1, read] : [];
  const unsent = all.flatMap((lane) => [
    ...unsentBatches(lane).map(({ numbers }) => numbers),
    ...(lane.open === undefined ? [] : [lane.open.numbers]),
  ]);
  const [uncertainRanges, unsentRanges] = [
    rangesOf(all.flatMap((lane) => uncertainBatches(lane).map(({ numbers }) => numbers))),
    rangesOf([...unsent, refused]),
  ];
  return {
    read,
    acknowledged,
    areLines,
    uncertain: uncertainRanges,
    unsent: unsentRanges,
    pending: countOf(uncertainRanges) + countOf(unsentRanges),
    places: namedPlaces(all),
    compareWith: compareCommand(all.find((lane) => uncertainBatches(lane).length > 0)),
  };
}

function compareCommand(lane: Lane | undefined): string | undefined {
  if (lane === undefined) return undefined;
  const after = offsetAfter(lane);
  const offset = after === undefined ? '-10' : `${after}:end`;
  return `weir topic consume ${shellWord(lane.topic)} -p ${lane.partition} -o ${offset}`;
}

/**
 * Adds an account to the error that ended a production. If all records are acknowledged, invalid input gets only the
 * counts and how to continue after it.
 */
export function withAccount(error: CliError, account: Account): CliError {
  if (account.pending > 0) return withCounts(error, account);
  if (error.code !== 'INVALID_INPUT' || account.read === 0) return error;
  return rephrased(error, error.message, {
    hints: [...error.hints, ...accountHints(account)],
    records: countsOf(account),
  });
}

/** Adds an account to an error, also if all records are acknowledged. */
export function withCounts(error: CliError, account: Account): CliError {
  const text = accountText(account);
  return rephrased(error, error.message === '' ? text : `${error.message} (${text})`, {
    hints: [...error.hints, ...accountHints(account)],
    records: countsOf(account),
  });
}

function countsOf(account: Account) {
  return {
    read: account.read,
    acknowledged: account.acknowledged,
    uncertain: countOf(account.uncertain),
    not_sent: countOf(account.unsent),
    numbers_of: account.areLines ? 'lines' : 'records',
    uncertain_ranges: account.uncertain,
    not_sent_ranges: account.unsent,
  } as const;
}

/** Says in one sentence what has become of all records. */
export function accountText(account: Account): string {
  const { read, acknowledged, uncertain, unsent, places } = account;
  const parts = [`of ${grouped(read, 'record')} read, ${grouped(acknowledged)} ${were(acknowledged)} acknowledged`];
  if (uncertain.length > 0) {
    parts.push(`${places} may or may not have been written: ${namesOf(uncertain, account)}`);
  }
  if (unsent.length > 0) parts.push(`${namesOf(unsent, account)} ${were(countOf(unsent))} not written`);
  return parts.join('; ');
}

function were(records: number): string {
  return records === 1 ? 'was' : 'were';
}

/** The most ranges that a message lists one by one. */
const mostNamed = 3;

/** Names ranges: `lines 801–2800`, or `1,234 of lines 801–2800` for many. */
function namesOf(ranges: readonly NumberRange[], { areLines }: Account): string {
  const what = areLines ? 'line' : 'record';
  const [first, last] = [ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? 0];
  if (first === last) return `${what} ${first}`;
  if (ranges.length > mostNamed) return `${grouped(countOf(ranges))} of ${what}s ${first}–${last}`;
  return `${what}s ${ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')}`;
}

function accountHints(account: Account): readonly string[] {
  const { uncertain, unsent, compareWith, areLines, read } = account;
  const hints: string[] = [];
  if (uncertain.length > 0) {
    hints.push(`compare the end of the partition with ${namesOf(uncertain, account)} of the input: ${compareWith}`);
  }
  const rest = restOf(unsent, read);
  if (unsent.length > mostNamed) {
    hints.push(`--format json lists each of the ${unsent.length} ranges that were not written`);
  } else if (rest[0]?.[0] === 1 && rest.length === 1) {
    hints.push('nothing was written: send the whole input again');
  } else if (areLines) {
    hints.push(
      `send the rest with the same command, and its input from: sed -n '${rest.map(sedRange).join(';')}' FILE`,
    );
  } else {
    hints.push(`send the rest of the input with the same command, from record ${rest[0]?.[0] ?? read + 1} on`);
  }
  return hints;
}

/** What is left of the input, which was read up to record `read`; the last range has no end. */
function restOf(unsent: readonly NumberRange[], read: number): readonly NumberRange[] {
  const last = unsent.at(-1);
  if (last === undefined || last[1] < read) return [...unsent, [read + 1, Number.POSITIVE_INFINITY]];
  return [...unsent.slice(0, -1), [last[0], Number.POSITIVE_INFINITY]];
}

function sedRange([first, last]: NumberRange): string {
  return `${first},${last === Number.POSITIVE_INFINITY ? '$' : last}p`;
}
