import { describe, expect, it } from 'vitest';
import { type Reaction, type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import { produceAnswer, producedBatch, producerIdAnswer } from '../../record-answers.ts';
import { refusedBy, report, requestOf } from './producing.ts';

/** A broker that leads the only partition of `foo`. */
async function leader(onProduce: () => Reaction): Promise<ScriptedBroker> {
  const self: { broker?: ScriptedBroker } = {};
  self.broker = await startScriptedBroker({
    Metadata: () => topicAnswer(self.broker === undefined ? [] : [self.broker], { leaders: [1] }),
    InitProducerId: producerIdAnswer(77n),
    Produce: onProduce,
  });
  return self.broker;
}

const notEnoughReplicas = 19;

describe('--delivery-timeout', () => {
  it('ends what the retry timeout would repeat for longer, naming the records and the last error', async () => {
    const more = { deliveryTimeoutMs: 1_000 };
    const { error, sentAt } = await refusedBy(produceAnswer(notEnoughReplicas), more, { retry: 600_000 });
    expect(error.message).toMatch(
      /^unable to produce 1 record to topic "foo" partition 0: no acknowledgement within --delivery-timeout=1s; last failure: .* NOT_ENOUGH_REPLICAS \(19\): [^(]* \(of 1 record read, 0 were acknowledged; line 1 was not written\)$/,
    );
    expect(sentAt).toEqual([0, 250, 750]);
  });

  it('continues past the retry timeout', async () => {
    await using broker = await leader(() => {
      const isLate = broker.of('Produce').length > 3;
      return produceAnswer(isLate ? 0 : notEnoughReplicas, 0n);
    });
    const request = requestOf(['a'], { deliveryTimeoutMs: 600_000 });
    expect(await report(broker, request, { retry: 1 })).toBe('a@0');
  });

  it('of 25 days and more fits into the request', async () => {
    await using broker = await leader(() => produceAnswer(0, 0n));
    expect(await report(broker, requestOf(['a'], { deliveryTimeoutMs: 2_147_483_647 }))).toBe('a@0');
  });
});

describe('a producer id', () => {
  it('of -1 is refused before anything is sent', async () => {
    const self: { broker?: ScriptedBroker } = {};
    await using broker = await startScriptedBroker({
      Metadata: () => topicAnswer(self.broker === undefined ? [] : [self.broker], { leaders: [1] }),
      InitProducerId: producerIdAnswer(-1n),
    });
    self.broker = broker;
    await expect(report(broker, requestOf(['a']))).rejects.toMatchObject({
      message: 'unable to start an idempotent producer: invalid producer id -1',
      ...{ code: 'INVALID_PRODUCER_ID', exitCode: 1 },
    });
    expect(broker.of('Produce')).toEqual([]);
  });

  it.each([2n ** 53n + 1n, 8_998_247_152_353_553_356n, 2n ** 63n - 1n])('of %s is in each batch', async (id) => {
    const self: { broker?: ScriptedBroker } = {};
    await using broker = await startScriptedBroker({
      Metadata: () => topicAnswer(self.broker === undefined ? [] : [self.broker], { leaders: [1] }),
      InitProducerId: producerIdAnswer(id),
      Produce: () => produceAnswer(0, 0n),
    });
    self.broker = broker;
    expect(await report(broker, requestOf(['a']))).toBe('a@0');
    expect(broker.of('Produce').map((arrival) => producedBatch(arrival).producerId)).toEqual([id]);
  });
});

describe('an offset beyond 2^53', () => {
  it('is reported exactly', async () => {
    const base = 2n ** 53n + 1n;
    let next = base - 1n;
    await using broker = await leader(() => {
      next += 1n;
      return produceAnswer(0, next);
    });
    expect(await report(broker, requestOf(['a', 'b', 'c']))).toBe(`a@${base} b@${base + 1n} c@${base + 2n}`);
  });
});
