import { expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import { judgeAnswer, judgeFailure } from '../../../../src/kafka/streams/produce/verdict.ts';

const lost = unreachableError('the connection broke', { code: 'CONNECTION_LOST', retryable: false, hints: ['look'] });

it.each([0, 1] as const)('a sent request without an answer is final with acks %i, with what to do', (acks) => {
  const verdict = judgeFailure(acks, lost, true);
  expect(verdict).toMatchObject({
    ...{ kind: 'final', isUncertain: true },
    error: { message: 'the connection broke', code: 'CONNECTION_LOST', exitCode: 5, retryable: false },
  });
  const { hints } = (verdict as { readonly error: typeof lost }).error;
  expect(hints).toContain(`use --acks all: a retry with --acks ${acks} could write records twice`);
});

it('a final failure is passed on as it is where no answer was lost', () => {
  expect(judgeFailure(1, lost, false)).toEqual({ kind: 'final', error: lost, isUncertain: false });
  expect(judgeFailure(-1, lost, true)).toEqual({ kind: 'final', error: lost, isUncertain: true });
});

it.each([
  ['BROKER_NOT_AVAILABLE', 8, 'a disk may be full'],
  ['KAFKA_STORAGE_ERROR', 56, 'a disk may be full'],
])('%s has the cause that is common on Redpanda', (_name, errorCode, hint) => {
  const batch = { lane: { topic: 'orders', partition: 0 }, records: 1, numbers: [1] };
  const verdict = judgeAnswer(batch as never, -1, { errorCode, recordErrors: [], errorMessage: undefined } as never);
  expect(verdict).toMatchObject({ error: { hints: [expect.stringContaining(hint)] } });
});
