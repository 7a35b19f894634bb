import { expect, test } from 'vitest';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import { produceAnswer, producedBatch, producerIdAnswer } from '../../record-answers.ts';
import { readAll } from '../../records/batches/batches.ts';
import { report, requestOf } from './producing.ts';

/** A broker that leads all of `foo` and answers after a while. */
async function slowLeader(afterMs: number): Promise<ScriptedBroker> {
  const self: { broker?: ScriptedBroker } = {};
  self.broker = await startScriptedBroker({
    Metadata: () => topicAnswer(self.broker === undefined ? [] : [self.broker], { leaders: [1] }),
    InitProducerId: producerIdAnswer(77n),
    Produce: ({ before }) => ({ answer: produceAnswer(0, BigInt(before)), afterMs }),
  });
  return self.broker;
}

const batchesOf = (broker: ScriptedBroker): Buffer[] =>
  broker.of('Produce').map((arrival) => producedBatch(arrival).bytes);

const valuesOf = (batches: readonly Buffer[]): string =>
  batches.flatMap((batch) => readAll(batch).map(({ value }) => `${value}`)).join('\n');

test('batches are a quarter megabyte until a broker turns out to be slow', async () => {
  await using broker = await slowLeader(200);
  const lines = (from: number): Buffer =>
    Buffer.from(Array.from({ length: 10_000 }, (_, index) => `${from + index} `.padEnd(99, 'x')).join('\n'));
  const [first, second] = [lines(0), lines(10_000)];
  let delivered: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    delivered = resolve;
  });
  async function* input(): AsyncGenerator<Buffer> {
    yield first;
    await answered;
    yield Buffer.from('\n');
    yield second;
  }
  const more = { input: input(), maxMessageBytes: 1_000_012, onDelivered: delivered, report: undefined };
  await report(broker, requestOf([], more));
  const batches = batchesOf(broker);
  expect(valuesOf(batches)).toBe(`${first}\n${second}`);
  const [early, late] = [batches.slice(0, 4), batches.slice(4)];
  for (const batch of early.slice(0, 3)) expect(Math.abs(batch.length - 250_000)).toBeLessThan(200);
  expect(Math.max(...late.map(({ length }) => length))).toBeGreaterThan(500_000);
});

test('a typed line is sent at once, even while others are in flight', async () => {
  await using broker = await slowLeader(50);
  async function* input(): AsyncGenerator<Buffer> {
    for (const line of ['one\n', 'two\n', 'three\n']) {
      const { length } = broker.of('Produce');
      yield Buffer.from(line);
      // No more input arrives before this line is sent.
      await expect.poll(() => broker.of('Produce').length).toBeGreaterThan(length);
    }
  }
  await report(broker, requestOf([], { input: input(), maxMessageBytes: 1_000_012 }));
  expect(batchesOf(broker).map((batch) => valuesOf([batch]))).toEqual(['one', 'two', 'three']);
});

test.each(['%v\\n', '%k,%v\\n', '%v{hex}\\n'])('records of %s stay in order, whatever the pieces', async (layout) => {
  await using broker = await slowLeader(1);
  const isHex = layout.includes('hex');
  const values = Array.from({ length: 3000 }, (_, index) => `${index}`.repeat(index % 9));
  const line = (value: string, index: number): string =>
    isHex ? Buffer.from(value).toString('hex') : layout.startsWith('%k') ? `k${index},${value}` : value;
  const bytes = Buffer.from(
    values
      .map(line)
      .join('\r\n')
      .replaceAll('\r', isHex ? '' : '\r'),
  );
  async function* input(): AsyncGenerator<Buffer> {
    const memory = Buffer.alloc(700);
    for (let at = 0; at < bytes.length; at += memory.length) {
      // The same memory every time, as standard input returns it.
      const length = bytes.copy(memory, 0, at, at + memory.length);
      yield memory.subarray(0, length);
    }
  }
  const more = { input: input(), parser: compileParser(layout), maxMessageBytes: 5000, report: undefined };
  await report(broker, requestOf([], more));
  const ends = isHex ? '' : '\r';
  const expected = values.map((value, index) => value + (index < values.length - 1 ? ends : ''));
  expect(valuesOf(batchesOf(broker))).toBe(expected.join('\n'));
});
