import { describe, expect, it } from 'vitest';
import { CliError, exitCodes } from '../../../../src/errors.ts';
import { createBatchWriter } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { accountOf, withAccount } from '../../../../src/kafka/streams/produce/account.ts';
import { createLane, type Lane, sealLane } from '../../../../src/kafka/streams/produce/lane.ts';
import type { RecordNumbers } from '../../../../src/kafka/streams/produce/record-numbers.ts';
import { appendTo } from '../../records/batches/batches.ts';

/** A lane with a batch of these records, which may be in the log or not. */
function laneWith(partition: number, numbers: RecordNumbers, isUncertain: boolean): Lane {
  const lane = createLane('foo', partition, 1);
  const writer = createBatchWriter({ compression: 'none', maxBytes: 1_000_000 });
  for (let at = 0; at < numbers.length; at += 2) {
    for (let number = numbers[at] ?? 0; number <= (numbers[at + 1] ?? 0); number += 1) {
      appendTo(writer, [{ key: null, value: Buffer.from('v'), headers: [], timestamp: 1 }]);
    }
  }
  lane.open = { writer, createdAt: 0, createdWallMs: 0, numbers };
  const batch = sealLane(lane, { producerId: 7n, producerEpoch: 0 });
  if (batch !== undefined) batch.isUncertain = isUncertain;
  return lane;
}

function accountWith(lanes: readonly Lane[], { read = 4_000, acknowledged = 0, areLines = true } = {}) {
  return accountOf({ lanes, read, taken: read, acknowledged, areLines });
}

describe('an error that ends a production', () => {
  it('counts every record that was read, names the lines that were not written, and says how to send them', () => {
    const error = new CliError(exitCodes.auth, 'it failed', {
      ...{ code: 'SASL_AUTHENTICATION_FAILED', hints: ['look at the password'], retryable: true, retryAfterMs: 5 },
      target: 'foo',
    });
    const lanes = [
      createLane('foo', 9, 1),
      laneWith(0, [801, 801], true),
      laneWith(1, [802, 803], true),
      laneWith(0, [804, 2_800], false),
    ];
    const told = withAccount(error, accountWith(lanes, { read: 2_800, acknowledged: 800 }));
    expect(told).toMatchObject({
      ...{ exitCode: exitCodes.auth, code: 'SASL_AUTHENTICATION_FAILED', retryable: true, retryAfterMs: 5 },
      target: 'foo',
      message:
        'it failed (of 2,800 records read, 800 were acknowledged; 1 record of topic "foo" partition 0 and 2 records of topic "foo" partition 1 may or may not have been written: lines 801–803; lines 804–2800 were not written)',
      hints: [
        'look at the password',
        'compare the end of the partition with lines 801–803 of the input: weir topic consume foo -p 0 -o -10',
        "send the rest with the same command, and its input from: sed -n '804,$p' FILE",
      ],
      records: {
        ...{ read: 2_800, acknowledged: 800, uncertain: 3, not_sent: 1_997, numbers_of: 'lines' },
        ...{ uncertain_ranges: [[801, 803]], not_sent_ranges: [[804, 2_800]] },
      },
    });
  });

  it('is unchanged if all are acknowledged', () => {
    const error = new CliError(exitCodes.failure, 'it failed');
    expect(withAccount(error, accountWith([createLane('foo', 0, 1)], { read: 3, acknowledged: 3 }))).toBe(error);
  });

  it.each([
    [
      [laneWith(0, [1, 1, 3, 3], false)],
      { read: 4, acknowledged: 2 },
      'lines 1, 3 were not written',
      "sed -n '1,1p;3,3p;5,$p' FILE",
    ],
    [[laneWith(0, [4, 4], false)], { read: 4, acknowledged: 3 }, 'line 4 was not written', "sed -n '4,$p' FILE"],
    [
      [laneWith(0, [4, 4], true)],
      { read: 4, acknowledged: 3 },
      'may or may not have been written: line 4',
      "sed -n '5,$p' FILE",
    ],
    [
      [laneWith(0, [2, 4], false)],
      { read: 4, acknowledged: 1, areLines: false },
      'records 2–4 were not written',
      'from record 2 on',
    ],
    [
      [laneWith(0, [1, 1, 3, 3, 5, 5, 1_007, 2_000], false)],
      { read: 2_000, acknowledged: 1_003 },
      '997 of lines 1–2000 were not written',
      '--format json lists each of the 4 ranges',
    ],
  ])('names what is left: %#', (lanes, parts, message, hint) => {
    const told = withAccount(new CliError(exitCodes.failure, 'it failed'), accountWith(lanes, parts));
    expect(told.message).toContain(message);
    expect(told.hints.at(-1)).toContain(hint);
  });
});
