import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import { createTopics, deleteTopics } from '../../../../src/kafka/cluster/topics/topics.ts';
import { describeProducers } from '../../../../src/kafka/protocol/wire/apis/describe-producers.ts';
import { initProducerId } from '../../../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { produce, topicIdsFrom } from '../../../../src/kafka/protocol/wire/apis/produce.ts';
import { nextBatch, nextRecord, openRecords } from '../../../../src/kafka/records/batches/batch-reader.ts';
import { createOutgoingRecord } from '../../../../src/kafka/records/batches/batch-records.ts';
import { createBatchWriter } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { createCursor, recordOrigin } from '../../../../src/kafka/records/batches/cursor.ts';
import { type Reaction, type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, type TestClient } from '../../../services/scripted-client.ts';
import { services } from '../../../services/services.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import {
  type ProducedBatch,
  produceAnswer,
  producedBatch,
  producerIdAnswer,
  producersAnswer,
} from '../../record-answers.ts';
import { fakeClient, produceBy } from './fake-client.ts';
import { refusedBy, report, requestOf } from './producing.ts';

const outOfOrder = 45;
const invalidEpoch = 47;
const unknownProducer = 59;

interface Producer {
  epoch: number;
  lastSequence: number;
}

/** A partition that stores values and producer state as Kafka does, but can be made to forget. */
function partition() {
  const values: string[] = [];
  const producers = new Map<bigint, Producer>();
  return {
    values,
    producers,
    /** As UnifiedLog appends for an idempotent producer; `strict` refuses unknown ones (Kafka before 2.5). */
    append(batch: ProducedBatch, strict = false): Buffer {
      const known = producers.get(batch.producerId);
      if (known === undefined && strict && batch.sequence !== 0) return produceAnswer(unknownProducer);
      if (known !== undefined) {
        if (batch.producerEpoch < known.epoch) return produceAnswer(invalidEpoch);
        const expected = batch.producerEpoch > known.epoch ? 0 : known.lastSequence + 1;
        if (batch.sequence !== expected) return produceAnswer(outOfOrder);
      }
      const base = BigInt(values.length);
      values.push(...valuesOf(batch));
      producers.set(batch.producerId, {
        epoch: batch.producerEpoch,
        lastSequence: batch.sequence + batch.records - 1,
      });
      return produceAnswer(0, base);
    },
    /** The answer to DescribeProducers. */
    describe: () =>
      producersAnswer(
        [...producers].map(([producerId, { epoch, lastSequence }]) => ({
          ...{ producerId, producerEpoch: epoch, lastSequence },
        })),
      ),
  };
}

function valuesOf({ bytes }: ProducedBatch): string[] {
  const cursor = createCursor();
  openRecords(cursor, recordOrigin('foo', 0), { bytes: Buffer.from(bytes), start: 0, end: bytes.length });
  const values: string[] = [];
  while (nextBatch(cursor)) {
    while (nextRecord(cursor)) {
      values.push(cursor.bytes.toString('utf8', cursor.valueStart, cursor.valueStart + cursor.valueLength));
    }
  }
  return values;
}

interface Plan {
  onProduce(batch: ProducedBatch, before: number): Reaction;
  describe?: (before: number) => Reaction;
}

/** A broker that leads the only partition of `foo`. */
async function leader({ onProduce, describe: told }: Plan) {
  const self: { broker?: ScriptedBroker } = {};
  self.broker = await startScriptedBroker({
    Metadata: () => topicAnswer(self.broker === undefined ? [] : [self.broker], { leaders: [1] }),
    InitProducerId: ({ before }) => producerIdAnswer(77n + BigInt(before)),
    Produce: (arrival) => onProduce(producedBatch(arrival), arrival.before),
    DescribeProducers: ({ before }) => told?.(before) ?? 'drop',
  });
  return self.broker;
}

const lines = Array.from({ length: 10 }, (_, index) => `v${index}`);

describe('a producer that its broker has lost track of', () => {
  it('sends the unacknowledged batches that a cut log lost again, in order, under a higher epoch', async () => {
    const log = partition();
    let cut = false;
    await using broker = await leader({
      onProduce(batch) {
        if (batch.sequence === 4 && !cut) {
          cut = true;
          log.producers.set(77n, { epoch: 0, lastSequence: 1 });
        }
        return log.append(batch);
      },
    });
    const warnings: string[] = [];
    await report(broker, requestOf(lines, { warn: (line) => warnings.push(line) }));
    expect(log.values).toEqual(lines);
    expect([...log.producers]).toEqual([[77n, { epoch: 1, lastSequence: 5 }]]);
    expect(warnings).toEqual([
      'topic "foo" partition 0: the broker has lost track of the producer (OUT_OF_ORDER_SEQUENCE_NUMBER (45): ' +
        'the sequence number of the producer leaves a gap): unacknowledged records are sent with a new epoch',
    ]);
  });

  it('reports how many acknowledged records the log has lost, if the broker can tell', async () => {
    const log = partition();
    let cut = false;
    await using broker = await leader({
      onProduce(batch) {
        if (batch.sequence === 4 && !cut) {
          cut = true;
          log.values.splice(1);
          log.producers.set(77n, { epoch: 0, lastSequence: 0 });
        }
        return log.append(batch);
      },
      describe: log.describe,
    });
    const warnings: string[] = [];
    await report(broker, requestOf(lines, { warn: (line) => warnings.push(line) }));
    expect(log.values).toEqual([lines[0], ...lines.slice(4)]);
    expect(warnings).toEqual([
      expect.stringContaining(
        '): acknowledged records were lost (the last 3), unacknowledged records are sent with a new epoch',
      ),
    ]);
  });

  it('continues after retention removed its last batches and the broker forgot its id', async () => {
    const log = partition();
    await using broker = await leader({
      onProduce(batch, before) {
        if (before === 3) log.producers.clear();
        return log.append(batch, true);
      },
    });
    expect((await report(broker, requestOf(lines))).split(' ').map((item) => item.split('@')[0])).toEqual(lines);
    expect(log.values).toEqual(lines);
    expect(log.producers.get(77n)?.epoch).toBe(1);
  });

  it('gets a new id when its epoch is rejected as old', async () => {
    const log = partition();
    await using broker = await leader({
      onProduce(batch, before) {
        if (before === 2) log.producers.set(77n, { epoch: 5, lastSequence: 0 });
        return log.append(batch);
      },
    });
    await report(broker, requestOf(lines));
    expect(log.values).toEqual(lines);
    expect(log.producers.get(78n)).toEqual({ epoch: 0, lastSequence: 7 });
  });

  it('checks whether a batch with a lost answer was written before it renumbers: nothing is duplicated', async () => {
    const log = partition();
    let lost = false;
    await using broker = await leader({
      // The broker accepts 2 to 5, the answers are lost, and it forgets all but the last: a restart from a snapshot.
      onProduce(batch) {
        const answer = log.append(batch);
        if (batch.sequence !== 5 || lost) return batch.sequence >= 2 && !lost ? 'silent' : answer;
        lost = true;
        return 'drop';
      },
      describe: log.describe,
    });
    const warnings: string[] = [];
    const text = await report(broker, requestOf(lines, { warn: (line) => warnings.push(line) }));
    expect(text).toMatch(/^v0@0 v1@1 v2@-1 v3@-1 v4@-1 v5@-1 v6@/);
    expect(log.values).toEqual(lines);
    expect(log.producers.get(77n)).toEqual({ epoch: 0, lastSequence: 9 });
    expect(warnings).toContain(
      'topic "foo" partition 0: 4 records without an acknowledgement were written, at unknown offsets',
    );
  });

  it('sends a batch with a lost answer again when the broker does not have it', async () => {
    const log = partition();
    let lost = false;
    await using broker = await leader({
      onProduce(batch) {
        if (batch.sequence !== 3 || lost) return log.append(batch);
        lost = true;
        log.producers.set(77n, { epoch: 0, lastSequence: 0 });
        return 'drop';
      },
      describe: log.describe,
    });
    await report(broker, requestOf(lines));
    expect(log.values).toEqual(lines);
    expect(log.producers.get(77n)?.epoch).toBe(1);
  });

  it('asks once more what the broker has if that answer is lost as well, also when some batches were never sent', async () => {
    const log = partition();
    let lost = false;
    await using broker = await leader({
      onProduce(batch) {
        if (batch.sequence !== 3 || lost) return log.append(batch);
        lost = true;
        log.producers.set(77n, { epoch: 0, lastSequence: 0 });
        return 'drop';
      },
      describe: (before) => (before === 0 ? 'drop' : log.describe()),
    });
    await report(broker, requestOf(lines));
    expect(log.values).toEqual(lines);
    expect(broker.of('DescribeProducers')).toHaveLength(2);
  });

  it('reports that it is unknown whether a batch with a lost answer was written', async () => {
    await using broker = await leader({
      onProduce: (_, before) => (before === 0 ? 'drop' : produceAnswer(invalidEpoch)),
      describe: () => producersAnswer([]),
    });
    await expect(report(broker, requestOf(['a']))).rejects.toMatchObject({
      message:
        'unable to produce to topic "foo" partition 0: INVALID_PRODUCER_EPOCH (47): a newer producer has taken ' +
        'over with a higher epoch (of 1 record read, 0 were acknowledged; 1 record of topic "foo" partition 0 may or may not have been written: line 1)',
      hints: [
        'compare the end of the partition with line 1 of the input: weir topic consume foo -p 0 -o -10',
        "send the rest with the same command, and its input from: sed -n '2,$p' FILE",
      ],
    });
  });

  it('ends by the retry rule if the broker never accepts it again', async () => {
    const { error, sentAt } = await refusedBy(produceAnswer(unknownProducer), {}, { retry: 300 });
    expect(error.message).toMatch(/^unable to produce to topic "foo" partition 0: UNKNOWN_PRODUCER_ID \(59\): /);
    expect(sentAt).toEqual([0, 250, 750]);
  });
});

describe('a batch without an answer whose topic was created again', () => {
  it.each([
    [13, 'by id was not for the new topic: it is sent again under a higher epoch', [0, 1]],
    [12, 'by name may be in the new topic, which recognizes it by its epoch and number', [0, 0]],
  ])('that was sent with version %i, %s', async (version, _, epochs) => {
    let id = 'one';
    const client = fakeClient(createVirtualClock(1), {
      version,
      topicId: () => id,
      produce({ before }) {
        if (before > 0) return {};
        id = 'two';
        throw unreachableError('the connection was lost');
      },
    });
    expect(await produceBy(client, ['a'])).toMatchObject({ error: undefined });
    // The epoch of the producer, in the header of the batch.
    expect(client.batches.map(({ records }) => records.readInt16BE(51))).toEqual(epochs);
  });
});

describe('a real broker', () => {
  const topic = `produce-recovery-${process.pid}`;
  let client: TestClient;
  let node: number;

  beforeAll(async () => {
    client = clientOf([services().plaintext]);
    await createTopics(client, {
      topics: [{ topic, partitions: 1, replicas: 1, configs: [] }],
      ifNotExists: false,
    });
    await client.retry('the leader', async () => {
      node = (await client.metadata([topic])).topics[0]?.partitions[0]?.leader ?? -1;
      if (node < 0) throw unreachableError('no leader yet');
    });
  });
  afterAll(async () => {
    await deleteTopics(client, [topic]);
    await client[Symbol.asyncDispose]();
  });

  async function send(producerId: bigint, producerEpoch: number, baseSequence: number): Promise<number> {
    const writer = createBatchWriter({ compression: 'none', maxBytes: 1000 });
    writer.append(createOutgoingRecord());
    const records = writer.finish({ producerId, producerEpoch, baseSequence });
    const request = {
      acks: -1,
      timeoutMs: 5000,
      topicData: [{ name: topic, partitionData: [{ index: 0, records }] }],
    };
    const { responses } = await client.request({ ...produce, max: topicIdsFrom - 1 }, request, { node });
    return responses[0]?.partitionResponses[0]?.errorCode ?? -1;
  }

  it('refuses a gap, accepts an epoch that the producer raised, and reports what it has', async () => {
    const request = { transactionalId: undefined, transactionTimeoutMs: 60_000 };
    const { producerId } = await client.request(initProducerId, request, 'any');
    expect(await send(producerId, 0, 0)).toBe(0);
    expect(await send(producerId, 0, 7)).toBe(outOfOrder);
    expect(await send(producerId, 1, 0)).toBe(0);
    expect(await send(producerId, 0, 1)).toBe(invalidEpoch);
    const asked = { topics: [{ name: topic, partitionIndexes: [0] }] };
    const { topics } = await client.request(describeProducers, asked, { node });
    expect(topics[0]?.partitions).toMatchObject([
      { activeProducers: [{ producerId, producerEpoch: 1, lastSequence: 0 }] },
    ]);
  });
});
