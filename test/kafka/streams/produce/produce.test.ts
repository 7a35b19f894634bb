import { describe, expect, it } from 'vitest';
import {
  type Arrival,
  type Reaction,
  type ScriptedBroker,
  startScriptedBroker,
} from '../../../services/scripted-broker.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import { produceAnswer, producedBatch, producerIdAnswer } from '../../record-answers.ts';
import { refusedBy, report, requestOf } from './producing.ts';

const notLeader = 6;
const outOfOrder = 45;
const duplicate = 46;

/** A broker that leads the only partition of `foo`. */
async function leader(onProduce: (arrival: Arrival, batch: ReturnType<typeof producedBatch>) => Reaction) {
  const self: { broker?: ScriptedBroker } = {};
  self.broker = await startScriptedBroker({
    Metadata: () => topicAnswer(self.broker === undefined ? [] : [self.broker], { leaders: [1] }),
    InitProducerId: producerIdAnswer(77n),
    Produce: (arrival) => onProduce(arrival, producedBatch(arrival)),
  });
  return self.broker;
}

/** A log like a broker's: accepts sequences in order and recognizes duplicates. */
function log() {
  const taken: number[] = [];
  return {
    taken,
    take(sequence: number): Buffer {
      if (taken.includes(sequence)) return produceAnswer(duplicate);
      if (sequence !== taken.length) return produceAnswer(outOfOrder);
      taken.push(sequence);
      return produceAnswer(0, BigInt(sequence));
    },
  };
}

describe('the idempotent producer', () => {
  it('numbers records and keeps five requests in flight', async () => {
    const { taken, take } = log();
    await using broker = await leader((_, { sequence }) => ({ answer: take(sequence), afterMs: 20 }));
    const lines = Array.from({ length: 12 }, (_, index) => `v${index}`);
    expect(await report(broker, requestOf(lines))).toBe(lines.map((line, index) => `${line}@${index}`).join(' '));
    expect(taken).toEqual(lines.map((_, index) => index));
    expect(new Set(broker.of('Produce').map((arrival) => producedBatch(arrival).producerId))).toEqual(new Set([77n]));
  });

  it('resends everything in order when a batch in the middle is refused', async () => {
    const { taken, take } = log();
    let refused = false;
    await using broker = await leader((_, { sequence }) => {
      if (sequence !== 2 || refused) return take(sequence);
      refused = true;
      return produceAnswer(notLeader);
    });
    const lines = Array.from({ length: 9 }, (_, index) => `v${index}`);
    const printed = await report(broker, requestOf(lines));
    expect(taken).toEqual(lines.map((_, index) => index));
    expect(printed).toBe(lines.map((line, index) => `${line}@${index}`).join(' '));
  });

  it('writes nothing twice if answers are lost with the connection', async () => {
    const { taken, take } = log();
    let lost = false;
    await using broker = await leader((_, { sequence }) => {
      const answer = take(sequence);
      if (sequence !== 3 || lost) return answer;
      lost = true;
      return 'drop';
    });
    const lines = Array.from({ length: 8 }, (_, index) => `v${index}`);
    const printed = await report(broker, requestOf(lines));
    expect(taken).toEqual(lines.map((_, index) => index));
    expect(printed.split(' ').map((item) => item.split('@')[0])).toEqual(lines);
  });

  it('sends nothing more while an answer throttles it', async () => {
    const throttleMs = 400;
    await using broker = await leader(({ before }, { sequence }) =>
      produceAnswer(0, BigInt(sequence), before === 0 ? throttleMs : 0),
    );
    const lines = Array.from({ length: 7 }, (_, index) => `v${index}`);
    expect(await report(broker, requestOf(lines))).toBe(lines.map((line, index) => `${line}@${index}`).join(' '));
    const [first, ...others] = broker.of('Produce').map(({ at }) => at);
    // Five were in flight before the first answer; timers may be a millisecond early.
    for (const at of others.slice(4)) expect(at - (first ?? 0)).toBeGreaterThanOrEqual(throttleMs - 1);
  });

  it('stops by the retry rule with the last error', async () => {
    const { error, sentAt } = await refusedBy(produceAnswer(19), {}, { retry: 300 });
    expect(error.message).toMatch(/^unable to produce to topic "foo" partition 0: NOT_ENOUGH_REPLICAS \(19\): /);
    expect(sentAt).toEqual([0, 250, 750]);
  });

  it('a permanent error ends the command at once', async () => {
    await using broker = await leader(() => produceAnswer(29));
    await expect(report(broker, requestOf(['a', 'b']))).rejects.toMatchObject({ exitCode: 4 });
    expect(broker.of('Produce').length).toBeLessThanOrEqual(2);
  });
});

describe('a producer without idempotence', () => {
  it('has no sequence numbers and one batch in flight per partition', async () => {
    const inFlight: number[] = [];
    await using broker = await leader((arrival, { sequence }) => {
      inFlight.push(arrival.before);
      expect(sequence).toBe(-1);
      return produceAnswer(0, BigInt(arrival.before));
    });
    expect(await report(broker, requestOf(['a', 'b', 'c'], { acks: 1 }))).toBe('a@0 b@1 c@2');
  });

  it('does not repeat a request whose answer was lost', async () => {
    await using broker = await leader(() => 'drop');
    await expect(report(broker, requestOf(['a'], { acks: 1 }))).rejects.toThrow(/may or may not have been written/);
    expect(broker.of('Produce')).toHaveLength(1);
  });

  it('repeats what was certainly not written', async () => {
    await using broker = await leader(({ before }) => produceAnswer(before === 0 ? notLeader : 0, 5n));
    expect(await report(broker, requestOf(['a'], { acks: 1 }))).toBe('a@5');
  });
});
