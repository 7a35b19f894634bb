import type { PartitionState } from '../../sandbox/broker/control.ts';
import type { LoggedRecord } from '../../sandbox/broker/logged-records.ts';
import type { Consuming, Printed } from '../consuming.ts';
import { compare, isSame } from './compare.ts';
import { cutsOff } from './elections.ts';
import { isEndless, textOf } from './logs.ts';

/** What was read of a partition whose log may have been cut. */
export interface Lossy {
  readonly name: string;
  readonly one: Consuming;
  readonly before: readonly LoggedRecord[];
  readonly elections: PartitionState['elections'];
}

/** Checks whether an election has cut off printed records while the read continued after it. */
function hasSeenCut(one: Consuming, printed: readonly Printed[], elections: PartitionState['elections']): boolean {
  return elections.some((election) => {
    const isBehind = printed.some((record) => record.at < election.at && cutsOff(election, record));
    // A slow reader prints long after it has fetched: only a record of the new leader shows that it fetched later.
    return isBehind && (isEndless(one) || printed.some((record) => record.leaderEpoch >= election.leaderEpoch));
  });
}

/** How long a reader may take to notice that an election has cut the log, in milliseconds. */
const noticeMs = 5_000;

/** Checks whether an election has cut off a printed record and its reader ended too early to warn of it. */
export function isCutUnnoticed(
  { endedAt }: Pick<Consuming, 'endedAt'>,
  record: Pick<Printed, 'offset' | 'leaderEpoch' | 'at'>,
  elections: PartitionState['elections'],
): boolean {
  return elections.some((one) => endedAt < one.at + noticeMs && record.at < one.at && cutsOff(one, record));
}

/** Checks that the records in the final log were printed once and in order; others were cut off, with a warning. */
export function checkLossy(
  { name, one, before, elections }: Lossy,
  printed: readonly Printed[],
  expected: readonly LoggedRecord[],
  failures: string[],
): void {
  const byOffset = new Map(expected.map((record) => [record.offset, record]));
  const same = printed.filter((record) => isSame(record, byOffset.get(record.offset)));
  const kept = withoutRepeats(same, one);
  const isCut =
    same.length < printed.length || printed.some(({ offset }, index) => offset <= (printed[index - 1]?.offset ?? -1));
  if (isCut && hasSeenCut(one, printed, elections) && one.warnings.length === 0)
    failures.push(`${name}: the log was cut, and no warning says so`);
  if (one.error !== undefined) return;
  const inLog = new Set(before.map(textOf));
  const wanted = isEndless(one) ? expected : expected.filter((record) => inLog.has(textOf(record)));
  const keptWanted = isEndless(one) ? kept : kept.filter(({ value }) => inLog.has(value));
  if (isEndless(one) || (!one.plan.readCommitted && one.warnings.length === 0))
    compare(`${name} (lossy)`, keptWanted, wanted, failures);
}

/** Returns where reading continues according to a warning about a truncated log; undefined for other warnings. */
export function rewindOf(
  warning: string,
): { readonly topic: string; readonly partition: number; readonly offset: number } | undefined {
  const pattern = /topic "(.*)" partition (\d+)\b.*the log.*: reading continues at (\d+)$/;
  const [, topic, partition, offset] = pattern.exec(warning) ?? [];
  return topic === undefined ? undefined : { topic, partition: Number(partition), offset: Number(offset) };
}

/**
 * Removes records that were printed again after a rewind. A replica that kept what others have cut off can become
 * leader after them; the same records are then read again.
 */
function withoutRepeats(kept: readonly Printed[], { warnings }: Consuming): readonly Printed[] {
  const rewinds = warnings.flatMap((line) => rewindOf(line) ?? []);
  return kept.filter(({ partition, offset }, index) => {
    const later = kept.filter((record, at) => at > index && record.offset === offset).length;
    return later === 0 || later > rewinds.filter((to) => to.partition === partition && to.offset <= offset).length;
  });
}
