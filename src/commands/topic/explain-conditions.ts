import { grouped } from '../../format/count.ts';
import { printable } from '../../format/printable.ts';
import type { RecordFilter } from '../../kafka/records/filter/filter.ts';
import type { Sifted } from '../../kafka/streams/consume/walk-piece.ts';

/** What is said of a filter. */
type ExplainedFilter = Pick<RecordFilter, 'bounds' | 'need' | 'ifKept' | 'peeksAt'>;

/** Says which stages a filter has, one line each. */
export function stagesOf({ bounds, need, ifKept, peeksAt }: ExplainedFilter): readonly string[] {
  const { partitions, minOffset, maxOffset, minTime } = bounds;
  const parts = [
    partitions === undefined ? '' : `partitions ${[...partitions].join(', ') || 'none'}`,
    minOffset === undefined ? '' : `offsets from ${minOffset}`,
    maxOffset === undefined ? '' : `offsets up to ${maxOffset}`,
    minTime === undefined ? '' : `times from ${minTime}`,
  ].filter((part) => part !== '');
  const bytes = need?.map((one) => printable(String(one))).join('  or  ');
  const without = bytes === undefined ? 'none, there is nothing that every match contains' : `those without  ${bytes}`;
  const kept = ifKept.length === 0 ? '' : ', if their schemas keep texts as they are';
  const peeks = peeksAt.length === 0 ? '' : `, unless what follows ${peeksAt.join(' or ')} decides`;
  return [
    `explain: 1. fetched: ${parts.join('; ') || 'all of the range'}`,
    `explain: 2. batches skipped by their header: ${parts.length === 0 ? 'none' : 'those outside of this'}`,
    `explain: 3. batches skipped by their bytes: ${without}${kept}`,
    `explain: 4. the conditions are tested with the records that are left${peeks}`,
  ];
}

/** Says what the stages have done. */
export function workOf(done: Omit<Sifted, 'faults' | 'skippedFaults' | 'framed' | 'matched'>): string {
  const { batches, skippedByHead, skippedByBytes, tested, refuted, records } = done;
  const skipped = `${grouped(skippedByHead)} skipped by their header, ${grouped(skippedByBytes)} by their bytes`;
  const others = refuted === 0 ? '' : `, ${grouped(refuted)} left out by what follows a name`;
  return `explain: ${grouped(batches)} whole batches: ${skipped}; ${grouped(tested)} of ${grouped(records, 'record')} tested${others}`;
}
