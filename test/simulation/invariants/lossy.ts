import type { PartitionState } from '../../../src/sandbox/broker/control.ts';
import type { LoggedRecord } from '../../../src/sandbox/broker/log/records.ts';
import type { Consuming, Printed } from '../consuming.ts';
import { compare, isSame } from './compare.ts';
import { cutsOff } from './elections.ts';
import { isEndless, textOf } from './logs.ts';

/** A read of a partition whose log may have been cut. */
export interface Lossy {
  readonly name: string;
  readonly one: Consuming;
  readonly before: readonly LoggedRecord[];
  readonly elections: PartitionState['elections'];
}

/** Whether an election has cut off what was printed before it, and the reading went on after it. */
function hasSeenCut(one: Consuming, printed: readonly Printed[], elections: PartitionState['elections']): boolean {
  return elections.some((election) => {
    const isBehind = printed.some((record) => record.at < election.at && cutsOff(election, record));
    return isBehind && (isEndless(one) || printed.some((record) => record.at >= election.at));
  });
}

/** What is in the log in the end was printed once and in order; everything else was cut off, which is told. */
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

/**
 * Without what was printed again after the reading went back. A replica that kept what others had cut off can lead
 * after them, so that the same records come once more.
 */
function withoutRepeats(kept: readonly Printed[], { warnings }: Consuming): readonly Printed[] {
  const rewinds = warnings.flatMap((line) => {
    const [, partition, offset] = /partition (\d+).*the log.*reading goes on at (\d+)$/.exec(line) ?? [];
    return offset === undefined ? [] : [{ partition: Number(partition), offset: Number(offset) }];
  });
  return kept.filter(({ partition, offset }, index) => {
    const later = kept.filter((record, at) => at > index && record.offset === offset).length;
    return later === 0 || later > rewinds.filter((to) => to.partition === partition && to.offset <= offset).length;
  });
}
