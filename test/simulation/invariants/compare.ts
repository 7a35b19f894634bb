import type { LoggedRecord } from '../../sandbox/broker/logged-records.ts';
import type { Printed } from '../consuming.ts';
import { textOf } from './logs.ts';

/** Checks whether a printed record is the one in the log; the same value written in another epoch is another record. */
export function isSame({ offset, leaderEpoch, value }: Printed, logged: LoggedRecord | undefined): boolean {
  return offset === logged?.offset && leaderEpoch === logged.leaderEpoch && value === textOf(logged);
}

/** Checks that the same records were printed, in the same order. */
export function compare(
  name: string,
  printed: readonly Printed[],
  expected: readonly LoggedRecord[],
  failures: string[],
): void {
  for (let index = 0; index < Math.max(printed.length, expected.length); index += 1) {
    const [got, wanted] = [printed[index], expected[index]];
    if (got !== undefined && isSame(got, wanted)) continue;
    const gotText = got === undefined ? 'nothing' : `${got.value} at ${got.offset}`;
    const wantedText = wanted === undefined ? 'nothing' : `${textOf(wanted)} at ${wanted.offset}`;
    failures.push(`${name} prints ${gotText} where the log has ${wantedText} (record ${index} of ${expected.length})`);
    return;
  }
}
