import { describe, expect, it } from 'vitest';
import { CliError, exitCodes } from '../../../src/errors.ts';
import { createLane, type Lane, sealLane } from '../../../src/kafka/produce/lane.ts';
import { lostTrackWarning, withUncertain } from '../../../src/kafka/produce/loss.ts';
import { createBatchWriter } from '../../../src/kafka/records/batch-writer.ts';
import { appendTo } from '../records/batches.ts';

const outOfOrder = 45;

/** A lane with a batch of that many records that may be in the log. */
function uncertainLane(partition: number, records: number): Lane {
  const lane = createLane('foo', partition, 1);
  const writer = createBatchWriter({ compression: 'none', maxBytes: 1_000 });
  for (let record = 0; record < records; record += 1) {
    appendTo(writer, [{ key: null, value: Buffer.from('v'), headers: [], timestamp: 1 }]);
  }
  lane.open = { writer, createdAt: 0, firstRecord: 1 };
  const batch = sealLane(lane, { producerId: 7n, producerEpoch: 0 });
  if (batch !== undefined) batch.isUncertain = true;
  return lane;
}

describe('a broker that has lost track of the producer', () => {
  it.each([
    [3, 'leaves a gap): acknowledged records were lost (the last 3), unacknowledged records are sent'],
    [0, 'leaves a gap): unacknowledged records are sent'],
    [undefined, 'leaves a gap): unacknowledged records are sent'],
  ])('is said to have lost acknowledged records only if it has: %s of them', (gone, expected) => {
    expect(lostTrackWarning(createLane('foo', 0, 1), outOfOrder, gone)).toContain(expected);
  });
});

describe('a failure with records that may or may not have been written', () => {
  it('names their partitions, and keeps its exit code, code, hints and whether to try again', () => {
    const error = new CliError(exitCodes.auth, 'it failed', {
      ...{ code: 'SASL_AUTHENTICATION_FAILED', hints: ['look at the password'], retryable: true, retryAfterMs: 5 },
      target: 'foo',
    });
    const told = withUncertain(error, [createLane('foo', 9, 1), uncertainLane(0, 1), uncertainLane(1, 2)]);
    expect(told).toMatchObject({
      ...{ exitCode: exitCodes.auth, code: 'SASL_AUTHENTICATION_FAILED', hints: ['look at the password'] },
      ...{ retryable: true, retryAfterMs: 5, target: 'foo' },
      message:
        'it failed (1 record of topic "foo" partition 0 and 2 records of topic "foo" partition 1 may or may not have been written)',
    });
  });

  it('is unchanged if there are none', () => {
    const error = new CliError(exitCodes.failure, 'it failed');
    expect(withUncertain(error, [createLane('foo', 0, 1)])).toBe(error);
  });
});
