import { describe, expect, it } from 'vitest';
import { createPosition } from '../../../../src/kafka/streams/consume/position.ts';
import { resetPositions } from '../../../../src/kafka/streams/consume/reset.ts';
import { createFakeCluster } from './fake-cluster.ts';
import { logOf } from './fake-log.ts';

/** Resets a position at this offset of a log of seven records, whose last record was read under epoch 1. */
async function resetAt(offset: bigint, log: { readonly logStart?: bigint; readonly epochEnd?: bigint } = {}) {
  const partition = { ...logOf(1, ['a', 'b', 'c', 'd', 'e', 'f', 'g']), epoch: 2, ...log };
  const cluster = createFakeCluster({ foo: { partitions: [partition] } });
  const position = createPosition({ topic: 'foo', partition: 0, offset, end: undefined, epoch: 1 });
  const warnings: string[] = [];
  const work = resetPositions(cluster.client, [position], (line) => warnings.push(line));
  const { open, ended, failed } = await cluster.clock.runUntil(work);
  cluster.deadline.dispose();
  return { position, warnings, open: open.length, ended: ended.length, failed: failed.map(({ error }) => error.code) };
}

describe('a position that the leader does not have', () => {
  it('goes back to where the logs diverge if the log was cut and has grown again', async () => {
    const { position, open, failed, warnings } = await resetAt(10n, { epochEnd: 4n });
    expect({ offset: position.offset, open, failed }).toEqual({ offset: 4n, open: 1, failed: [] });
    expect(warnings).toEqual([
      'topic "foo" partition 0: a new leader has truncated the log and lost offsets 4 to 9 (already read): reading continues at 4',
    ]);
  });

  it('goes to the end of the log if the point of divergence is unknown', async () => {
    const { position, open, warnings } = await resetAt(10n, { epochEnd: -1n });
    expect({ offset: position.offset, open, warned: warnings.length }).toEqual({ offset: 7n, open: 1, warned: 1 });
  });

  it('goes to the start of the log if the records before it are deleted', async () => {
    const { position, open, warnings } = await resetAt(2n, { logStart: 5n });
    expect({ offset: position.offset, open }).toEqual({ offset: 5n, open: 1 });
    expect(warnings).toEqual([
      'topic "foo" partition 0 has no offset 2 (earlier records are deleted): reading continues at 5',
    ]);
  });

  it('fails with a retriable error if the log has the offset by then', async () => {
    const { position, open, failed, warnings } = await resetAt(3n);
    expect({ offset: position.offset, open, failed, warnings }).toEqual({
      ...{ offset: 3n, open: 0, failed: ['OFFSET_OUT_OF_RANGE'], warnings: [] },
    });
  });
});
