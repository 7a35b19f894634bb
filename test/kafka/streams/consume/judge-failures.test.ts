import { expect, it } from 'vitest';
import type { FailureListener } from '../../../../src/deadline.ts';
import { unreachableError } from '../../../../src/errors.ts';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { judgeFailures } from '../../../../src/kafka/streams/consume/failures.ts';
import { createPosition } from '../../../../src/kafka/streams/consume/position.ts';
import { deadlineOf } from '../../../services/scripted-client.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';

const error = unreachableError('the connection broke', { code: 'CONNECTION_LOST' });

/** Failures with a retry timeout of 30 s, and what is reported about the retries. */
function scene() {
  const clock = createVirtualClock();
  const reports: Parameters<FailureListener>[] = [];
  const deadline = deadlineOf({ retry: 30_000, command: 1_000_000 }, clock, (...report) => reports.push(report));
  const client = { options: { deadline } } as unknown as Client;
  const [slow, fresh] = [0, 1].map((partition) =>
    createPosition({ topic: 't', partition, offset: 0n, end: undefined }),
  );
  if (slow === undefined || fresh === undefined) throw new Error('two positions');
  const judge = (...positions: readonly (typeof slow)[]) =>
    judgeFailures(
      client,
      positions.map((position) => ({ position, error })),
      clock.now(),
    );
  return { clock, reports, slow, fresh, judge };
}

it('one retry is reported per round, the one of the position with the fewest failures', async () => {
  const { clock, reports, slow, fresh, judge } = scene();
  judge(slow);
  await clock.runFor(1_000);
  expect(judge(slow, fresh).again).toEqual([slow, fresh]);
  expect(reports.map(([failure, next]) => [failure.message, next?.what, next?.isLong])).toEqual([
    ['the connection broke', 'attempt 2 of Fetch', false],
    ['the connection broke', 'attempt 2 of Fetch', false],
  ]);
  await clock.runFor(1_000);
  judge(slow);
  expect(reports.slice(2).map(([, next]) => [next?.what, next?.isLong])).toEqual([['attempt 4 of Fetch', true]]);
});

it('a position is retried for less than the retry timeout after its first failure', async () => {
  const { clock, reports, slow, judge } = scene();
  judge(slow);
  await clock.runFor(29_999);
  expect(judge(slow)).toEqual({ again: [slow], gone: [], final: undefined });
  await clock.runFor(1);
  const message = 'the connection broke (gave up on Fetch after 3 attempts in 30s, globals.retry_timeout=30s)';
  expect(judge(slow)).toMatchObject({ again: [], gone: [], final: { message, code: 'RETRY_TIMEOUT' } });
  expect(reports).toHaveLength(2);
});
