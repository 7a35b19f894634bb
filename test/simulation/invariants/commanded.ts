import { exitCodes } from '../../../src/errors.ts';
import { printableMessage } from '../../../src/format/printable.ts';
import type { NumberRange } from '../../../src/kafka/streams/produce/record-numbers.ts';
import type { Commanded, PrintedAccount } from '../commanding.ts';
import type { Produced } from '../producing.ts';
import type { Location } from './unsure.ts';

/** How long a command may take to end after a signal that is not Ctrl-C, in milliseconds. */
const graceMs = 5_000;
/** How long it may take to end at once: nothing but microtasks, and the slack of rounding. */
const slackMs = 1;

const codes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated, SIGHUP: exitCodes.hangup } as const;

/** What is known about the records of a command. */
export interface Facts {
  readonly places: ReadonlyMap<string, Location>;
  /** Whether acknowledged records must be in the log. */
  readonly isSure: boolean;
  /** Whether all work must complete. */
  readonly isSafe: boolean;
}

/**
 * Checks what a command says about its records, however it ended: every complete record that it has read is
 * acknowledged, uncertain or not sent; what it calls acknowledged is in the log, and what it calls not sent is not;
 * every warning is printed; and it ends when a signal demands it.
 */
export function checkCommanded(one: Produced, command: Commanded, facts: Facts, failures: string[]): void {
  const fails = (why: string): void => void failures.push(`${one.name} ${why}`);
  checkWarnings(command, fails);
  checkEnd(one, command, fails);
  const { given, account, signals } = command;
  if (account === undefined) {
    if (one.delivered !== given) fails(`has read ${given} records and delivered ${one.delivered}, and says nothing`);
  } else checkNumbers(one, { given, account }, fails);
  checkPlaces(one, { given, account }, facts, fails);
  const isFinished = signals.length === 1 && signals[0]?.signal === 'SIGINT';
  if (isFinished && facts.isSafe && account !== undefined)
    fails(`does not finish after Ctrl-C: ${account.not_sent} not sent, ${account.uncertain} uncertain`);
}

type Fails = (why: string) => void;

/** Checks that every warning is printed, as often as it was raised. */
export function checkWarnings({ raised, stderr }: Commanded, fails: Fails): void {
  const lines = stderr.split('\n');
  for (const [line, same] of Map.groupBy(raised, (line) => line)) {
    const printed = lines.filter((one) => one === `warning: ${printableMessage(line)}`).length;
    if (printed !== same.length) fails(`prints a warning ${printed} times instead of ${same.length}: ${line}`);
  }
}

function checkEnd({ error }: Produced, { signals, exitCode, endedAt }: Commanded, fails: Fails): void {
  const [first, second] = signals;
  const expected = first === undefined ? undefined : codes[first.signal];
  if (expected !== undefined && exitCode !== expected) fails(`ends with ${exitCode} after ${first?.signal}`);
  if (expected === undefined && (exitCode === 0) !== (error === undefined)) fails(`ends with ${exitCode}: ${error}`);
  if (second !== undefined && endedAt > second.at + slackMs)
    fails(`ends ${endedAt - second.at} ms after the second signal`);
  if (first !== undefined && first.signal !== 'SIGINT' && endedAt > first.at + graceMs + slackMs)
    fails(`ends ${endedAt - first.at} ms after ${first.signal}`);
}

interface Numbers {
  readonly given: number;
  readonly account: PrintedAccount;
}

function checkNumbers({ delivered }: Produced, { given, account }: Numbers, fails: Fails): void {
  const { read, acknowledged, uncertain, not_sent: unsent, numbers_of: what } = account;
  const said = `${read} read, ${acknowledged} acknowledged, ${uncertain} uncertain, ${unsent} not sent`;
  if (read !== given) fails(`says ${said}, but has read ${given}`);
  if (acknowledged + uncertain + unsent !== read) fails(`says ${said}`);
  if (acknowledged !== delivered) fails(`says ${said}, but ${delivered} were delivered`);
  const [uncertainNumbers, unsentNumbers] = [numbersIn(account.uncertain_ranges), numbersIn(account.not_sent_ranges)];
  if (uncertainNumbers.length !== uncertain || unsentNumbers.length !== unsent) fails(`says ${said}, names others`);
  const all = [...uncertainNumbers, ...unsentNumbers];
  if (new Set(all).size !== all.length) fails('names a record twice');
  if (all.some((number) => number < 1 || number > read)) fails(`names a record beyond the ${read} it has read`);
  if (what !== 'lines') fails('does not say that the numbers are those of lines');
}

function checkPlaces(
  { acknowledged, values }: Produced,
  { given, account }: { readonly given: number; readonly account: PrintedAccount | undefined },
  { places, isSure }: Facts,
  fails: Fails,
): void {
  const valuesIn = (ranges: readonly NumberRange[] = []): ReadonlySet<string> =>
    new Set(numbersIn(ranges).map((number) => values[number - 1] ?? ''));
  const [uncertain, unsent] = [valuesIn(account?.uncertain_ranges), valuesIn(account?.not_sent_ranges)];
  const delivered = values.slice(0, given).filter((value) => !uncertain.has(value) && !unsent.has(value));
  const lost = isSure ? delivered.filter((value) => !places.has(value)) : [];
  if (lost.length > 0) fails(`counts ${lost.length} records as acknowledged that are not in the log: ${lost[0]}`);
  const written = [...unsent].filter((value) => places.has(value));
  if (written.length > 0) fails(`counts ${written.length} records as not sent that are in the log: ${written[0]}`);
  const known = new Set(delivered);
  const wrong = acknowledged.filter(({ value }) => !known.has(value));
  if (wrong.length > 0)
    fails(`reports ${wrong.length} records and counts them as not acknowledged: ${wrong[0]?.value}`);
  const unread = values.slice(given).filter((value) => places.has(value));
  if (unread.length > 0) fails(`has written ${unread[0]}, which it has not read`);
}

function numbersIn(ranges: readonly NumberRange[]): readonly number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
