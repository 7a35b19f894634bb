import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import { startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, failureOf } from '../../../services/scripted-client.ts';

const whole = metadataAnswer({
  brokers: [
    { id: 1, host: 'one.example', port: 9092 },
    { id: 2, host: 'two.example', port: 9092 },
  ],
});

test('any bytes in an answer give a clear error in time, no crash, and no open connection', {
  timeout: 120_000,
}, async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((list) => Buffer.from(list));
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom('ApiVersions', 'Metadata'), async (garbage, api) => {
      await using broker = await startScriptedBroker({ [api]: { bytes: garbage } });
      await using client = clientOf([broker.address], { overhead: 60, retry: 0 });
      const error = await failureOf(client.metadata([]));
      expect(error).toBeInstanceOf(CliError);
      expect(['NO_ANSWER', 'REQUEST_TIMEOUT', 'NOT_A_BROKER', 'PROTOCOL', 'ANSWER_TOO_LARGE']).toContain(error.code);
    }),
    { numRuns: 60 },
  );
});

test('an answer with changed bytes is decoded or refused, never an internal error', {
  timeout: 120_000,
}, async () => {
  const change = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const answer = Buffer.from(whole);
      for (const [at, value] of changes) answer[at] = value;
      await using broker = await startScriptedBroker({ Metadata: answer });
      await using client = clientOf([broker.address], { overhead: 2_000, retry: 0 });
      const outcome = await client.metadata([]).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CliError);
    }),
    { numRuns: 150 },
  );
});
