import { CliError } from '../../../src/errors.ts';
import type { NumberRange } from '../../../src/kafka/streams/produce/record-numbers.ts';
import type { Acknowledged, Produced } from '../producing.ts';
import type { World } from '../world.ts';
import { checkWarnings } from './commanded.ts';
import { type Logs, textOf } from './logs.ts';

/** What was written to a topic that was deleted and created again, in their order. */
export interface Recreated {
  readonly produced: Produced;
  /** The logs of the deleted topics and of the last one. */
  readonly logs: readonly Logs[];
  /** When each of the deleted topics was deleted, on the clock. */
  readonly deletedAt: readonly number[];
  /** When each record was reported, on the clock, in the order of the report. */
  readonly reportedAt: readonly number[];
  /** Whether brokers know topics by their ids. */
  readonly hasIds: boolean;
}

/**
 * Checks a producer against the logs: what is reported is in the log of the topic that was there at the time, at its
 * offset, and once; what the error calls not sent is in none; where brokers know topics by their ids there is no error,
 * and the warnings count the records that deleted topics had acknowledged.
 */
export function checkRecreated(world: World, recreated: Recreated, failures: string[]): void {
  const { produced, logs, hasIds } = recreated;
  const { error, values, acknowledged } = produced;
  for (const log of logs.flat()) {
    const texts = log.map(textOf);
    if (new Set(texts).size < log.length) failures.push('a record is in one log twice');
    if (hasIds && !isSorted(texts)) failures.push(`the records of a log are not in the order of the input: ${texts}`);
  }
  const lost = acknowledged.filter((one, index) => !isIn(recreated, one, recreated.reportedAt[index] ?? 0));
  if (lost.length > 0) {
    failures.push(`${lost.length} acknowledged records are not where they should be: ${JSON.stringify(lost[0])}`);
  }
  const reported = new Set(acknowledged.map(({ value }) => value));
  if (reported.size < acknowledged.length) failures.push('a record is reported twice');
  if (error === undefined && reported.size < values.length) {
    failures.push(`only ${reported.size} of ${values.length} records were reported`);
  }
  checkError(recreated, failures);
  if (produced.command !== undefined) checkWarnings(produced.command, (why) => void failures.push(why));
  checkCounts(world, recreated, failures);
}

function isSorted(texts: readonly string[]): boolean {
  return texts.every((text, index) => index === 0 || (texts[index - 1] ?? '') < text);
}

/** Which of the topics was there, or had been there last, at a time. */
function topicAt({ deletedAt }: Recreated, time: number): number {
  return deletedAt.filter((at) => at <= time).length;
}

/** Whether a record is in the log of a topic that was there when it was reported, or shortly before. */
function isIn(recreated: Recreated, { value, partition, offset }: Acknowledged, at: number): boolean {
  const [from, to] = [topicAt(recreated, at - lateMs), topicAt(recreated, at)];
  return recreated.logs
    .slice(from, to + 1)
    .some((logs) =>
      logs[partition]?.some((record) => textOf(record) === value && (offset < 0 || offset === record.offset)),
    );
}

/** The longest time from the append of a batch to its report, in milliseconds. */
const lateMs = 300;

function checkError({ produced, logs, hasIds }: Recreated, failures: string[]): void {
  const { error, values, command } = produced;
  if (error === undefined) return;
  if (!(error instanceof CliError) || hasIds || error.code !== 'OUT_OF_ORDER_SEQUENCE_NUMBER') {
    failures.push(`the production failed: ${String(error)}`);
  }
  const own = (error as { readonly records?: { readonly not_sent_ranges: readonly NumberRange[] } }).records;
  const account = command?.account ?? own;
  const written = new Set(logs.flat(2).map(textOf));
  const unsent = (account?.not_sent_ranges ?? []).flatMap(([first, last]) => values.slice(first - 1, last));
  const wrong = unsent.filter((value) => written.has(value));
  if (wrong.length > 0) failures.push(`${wrong.length} records are called not sent and are written: ${wrong[0]}`);
}

const counted = /\((\d+) records? acknowledged until this was noticed may be lost\)/;
const cut = /acknowledged records were lost, from offset (\d+) or below to (\d+)/;

/** How many records a warning counts as lost. */
function lostIn(line: string): number {
  const [, from, to] = cut.exec(line) ?? [];
  return from === undefined ? Number(counted.exec(line)?.[1] ?? 0) : Number(to) - Number(from) + 1;
}

/** Compares the losses that the warnings count with what the deleted topics have acknowledged. */
function checkCounts({ batches }: World, recreated: Recreated, failures: string[]): void {
  const { produced, hasIds } = recreated;
  const own = batches.filter(({ client }) => client === produced.name);
  const last = Math.max(0, ...own.map(({ at }) => topicAt(recreated, at)));
  const gone = own.filter(({ at }) => topicAt(recreated, at) < last).reduce((sum, { count }) => sum + count, 0);
  const told = produced.warnings.reduce((sum, line) => sum + lostIn(line), 0);
  // A topic that is asked by name may be another one by the time this is noticed, and its id may not be known yet.
  if (hasIds ? told !== gone : told < gone) failures.push(`${gone} acknowledged records are gone, ${told} are counted`);
}
