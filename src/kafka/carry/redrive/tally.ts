import { type CliError, itemErrorOf } from '../../../errors.ts';
import type { TopicPartition } from '../../streams/groups/subscription.ts';
import type { RedrivenTopic } from './redrive-rows.ts';

/** The place of a dead letter. */
export interface DeadLetterPosition extends Pick<TopicPartition, 'partition'> {
  readonly offset: bigint;
}

/** What became of a dead letter. */
export interface Outcome {
  /** The topic that it went to, or names as its origin; undefined if it names none. */
  readonly destination: string | undefined;
  /** Why it was left; undefined if it was sent. */
  readonly reason: CliError | undefined;
}

interface Entry extends Outcome {
  records: number;
  first: DeadLetterPosition;
  last: DeadLetterPosition;
}

/** Counts dead letters by what became of them. */
export interface Tally {
  add(outcome: Outcome, position: DeadLetterPosition): void;
  /** Adds what another one has counted. */
  merge(other: Tally): void;
  readonly entries: Iterable<Entry>;
}

/** Creates an empty tally. */
export function createTally(): Tally {
  const entries = new Map<string, Entry>();
  const include = (entry: Entry): void => {
    const key = `${entry.reason?.code ?? ''} ${entry.destination ?? ''}`;
    const total = entries.get(key);
    if (total === undefined) {
      entries.set(key, { ...entry });
      return;
    }
    total.records += entry.records;
    if (order(entry.first, total.first) < 0) total.first = entry.first;
    if (order(entry.last, total.last) > 0) total.last = entry.last;
  };
  return {
    add: (outcome, position) => include({ ...outcome, records: 1, first: position, last: position }),
    merge(other) {
      for (const entry of other.entries) include(entry);
    },
    get entries() {
      return entries.values();
    },
  };
}

function order(left: DeadLetterPosition, right: DeadLetterPosition): number {
  return left.partition - right.partition || (left.offset < right.offset ? -1 : left.offset > right.offset ? 1 : 0);
}

/** The rows of a tally: first what was sent, by destination. */
export function tallyRows(topic: string, tally: Tally): readonly RedrivenTopic[] {
  const rows = [...tally.entries].map(({ destination = null, records, first, last, reason }) => ({
    topic,
    destination,
    records,
    first: positionRow(first),
    last: positionRow(last),
    error: reason === undefined ? null : itemErrorOf(reason),
  }));
  const keyOf = ({ error, destination }: RedrivenTopic): string =>
    `${error === null ? 0 : 1} ${destination ?? ''} ${error?.code ?? ''}`;
  return rows.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function positionRow({ partition, offset }: DeadLetterPosition) {
  return { partition, offset: Number(offset) };
}
