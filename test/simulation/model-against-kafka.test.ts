import { beforeAll, expect, test } from 'vitest';
import { deleteRecords } from '../../src/kafka/protocol/wire/apis/delete-records.ts';
import { deleteTopics } from '../../src/kafka/protocol/wire/apis/delete-topics.ts';
import { describeProducers } from '../../src/kafka/protocol/wire/apis/describe-producers.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { initProducerId } from '../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { metadata } from '../../src/kafka/protocol/wire/apis/metadata.ts';
import { noUuid } from '../../src/kafka/protocol/wire/primitives.ts';
import { seededRandom } from '../../src/serde/random.ts';
import { type BatchOptions, batchOf } from '../sandbox/broker/batches.ts';
import { services } from '../services/services.ts';
import { append, createTopicOn, expectEqual, onBoth, type Side, until } from './sides.ts';

let address = '';
beforeAll(() => {
  address = services().plaintext;
});

/** Obtains a producer id, retrying because a new broker may have none to assign yet. */
async function newProducer({ ask }: Side): Promise<bigint> {
  let producerId = -1n;
  await until('the broker has a producer id', async () => {
    ({ producerId } = await ask(initProducerId, { transactionalId: undefined, transactionTimeoutMs: 1_000 }));
    return producerId >= 0n;
  });
  return producerId;
}

/** Whether the test chose the id; the ids that the two assign differ. */
const isMadeUp = (producerId: bigint) => producerId >= 9_000_000n && producerId < 10_000_000n;

/** The order of the ids that both have: first those they assign, which differ, then the made-up ones. */
const orderOf = (producerId: bigint) => (isMadeUp(producerId) ? producerId + 2n ** 63n : producerId);

const batch = (producerId: bigint, epoch: number, sequence: number, count = 1): Buffer =>
  batchOf({ values: Array.from({ length: count }, (_v, index) => `v${index}`), producerId, epoch, sequence });

async function producersOf(side: Side, topic: string) {
  const { topics } = await side.ask(describeProducers, { topics: [{ name: topic, partitionIndexes: [0, 7] }] });
  return topics[0]?.partitions.map(({ errorCode, activeProducers }) => ({
    errorCode,
    producers: activeProducers
      .toSorted((a, b) => (orderOf(a.producerId) < orderOf(b.producerId) ? -1 : 1))
      .map(({ producerId, ...rest }) => ({ ...rest, isOwn: isMadeUp(producerId) && producerId })),
  }));
}

test('idempotent producers: duplicates, gaps, epochs and unknown producers get the same answers', async () => {
  await expectEqual(address, async (side) => {
    const topic = await side.topic();
    const id = await newProducer(side);
    const answers: unknown[] = [];
    const send = async (epoch: number, sequence: number, count = 1, producer = id) =>
      answers.push([epoch, sequence, count, await append(side, topic, batch(producer, epoch, sequence, count))]);
    for (let sequence = 0; sequence < 14; sequence += 2) await send(0, sequence, 2);
    for (const sequence of [12, 10, 8, 6, 4, 2, 0]) await send(0, sequence, 2); // the window and older batches
    await send(0, 12, 1); // part of a batch
    await send(0, 11, 3); // overlaps a batch
    await send(0, 15, 1); // a gap
    await send(0, 14, 1);
    await send(2, 5, 1); // a new epoch must start with 0
    await send(2, 0, 3);
    await send(2, 0, 3);
    await send(0, 14, 1); // a duplicate of an old epoch
    await send(1, 0, 1);
    await send(2, 3, 1);
    for (const sequence of [77, 78, 77, 80]) await send(3, sequence, 1, 9_000_001n); // an unknown producer
    for (const sequence of [2_147_483_645, 2, 2_147_483_645, 3]) await send(0, sequence, 5, 9_000_002n);
    for (const sequence of [2_147_483_647, 0, 2_147_483_647, 1]) await send(0, sequence, 1, 9_000_003n);
    answers.push(await producersOf(side, topic));
    return answers;
  });
});

test('producers stay known after their records are deleted', async () => {
  await expectEqual(address, async (side) => {
    const topic = await side.topic();
    const id = await newProducer(side);
    const answers: unknown[] = [];
    for (const sequence of [0, 1, 2]) answers.push(await append(side, topic, batch(id, 0, sequence)));
    for (const offset of [2, 1, -1, 3, 4, -2]) {
      const partitions = [{ partitionIndex: 0, offset }];
      answers.push(
        (await side.ask(deleteRecords, { topics: [{ name: topic, partitions }], timeoutMs: 5_000 })).topics[0]
          ?.partitions,
      );
    }
    for (const sequence of [2, 0, 4, 3]) answers.push(await append(side, topic, batch(id, 0, sequence)));
    answers.push(await producersOf(side, topic));
    return answers;
  });
});

test('invalid records are refused in the same way', async () => {
  const good: BatchOptions = { values: ['a', 'b'] };
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = batchOf(good);
    change(bytes);
    return bytes;
  };
  const inAnHour = BigInt(Date.now()) + 7_200_000n;
  const odd: readonly (readonly [name: string, records: Buffer])[] = [
    ['checksum', changed((bytes) => bytes.writeUInt32BE(1, 17))],
    ['base offset', changed((bytes) => bytes.writeBigInt64BE(5n, 0))],
    ['magic 1', changed((bytes) => bytes.writeInt8(1, 16))],
    ['two batches', Buffer.concat([batchOf(good), batchOf(good)])],
    ['no batch', Buffer.alloc(0)],
    ['no sequence', batchOf({ ...good, producerId: 9_000_004n, epoch: 0 })],
    ['too large', batchOf({ values: ['x'.repeat(3_000)] })],
    ['too new', batchOf({ values: ['a', 'b', 'c'], timestamps: [1n, inAnHour, inAnHour + 5n] })],
    ['transactional', batchOf({ ...good, producerId: 9_000_005n, epoch: 0, sequence: 0, isTransactional: true })],
    ['good', batchOf(good)],
  ];
  await expectEqual(address, async (side) => {
    const answers: unknown[] = [];
    for (const configs of [
      { 'max.message.bytes': '2000' },
      { 'max.message.bytes': '2000', 'cleanup.policy': 'compact' },
    ]) {
      const topic = await side.topic(configs);
      for (const [name, records] of odd) answers.push([name, await append(side, topic, records)]);
      answers.push(['unknown topic', await append(side, 'no-such-topic', batchOf(good))]);
      answers.push(['acks 5', await append(side, topic, batchOf(good), { acks: 5 })]);
    }
    return answers;
  });
});

test('log append time replaces producer timestamps, and duplicates return the original time', async () => {
  const { model, kafka } = await onBoth(address, async (side) => {
    const topic = await side.topic({ 'message.timestamp.type': 'LogAppendTime' });
    const first = await append(side, topic, batch(9_000_006n, 0, 0));
    const again = await append(side, topic, batch(9_000_006n, 0, 0));
    return [first.logAppendTimeMs > 1_700_000_000_000n, again.logAppendTimeMs === first.logAppendTimeMs];
  });
  expect(model).toEqual(kafka);
});

test('a thousand random batches of four producers get the same answers', async () => {
  await expectEqual(address, async (side) => {
    const roll = seededRandom(4);
    const pick = (below: number): number => Math.floor(roll() * below);
    const topic = await side.topic();
    const ids = [await newProducer(side), await newProducer(side), 9_100_001n, 9_100_002n];
    const next = ids.map(() => ({ epoch: 0, sequence: 0 }));
    const answers: unknown[] = [];
    for (let step = 0; step < 1_000; step += 1) {
      const which = pick(ids.length);
      const state = next[which] ?? { epoch: 0, sequence: 0 };
      const count = 1 + pick(3);
      const off = roll() < 0.6 ? 0 : pick(12) - 9;
      if (roll() < 0.03) state.epoch += 1;
      if (roll() < 0.02) state.sequence = 0;
      const epoch = Math.max(0, state.epoch - (roll() < 0.1 ? 1 : 0));
      const sequence = Math.max(0, state.sequence + off);
      const answer = await append(side, topic, batch(ids[which] ?? -1n, epoch, sequence, count));
      answers.push([which, epoch, sequence, count, answer]);
      if (answer.errorCode === 0 && off === 0) state.sequence += count;
    }
    answers.push(await producersOf(side, topic));
    return answers;
  });
});

test('a topic that was created again takes any first batch by name, and none by the id of the deleted one', async () => {
  await expectEqual(address, async (side) => {
    const name = await side.topic();
    const id = await newProducer(side);
    const idOf = async (): Promise<string> =>
      (await side.ask(metadata, { topics: [{ name }], allowAutoTopicCreation: false })).topics[0]?.topicId ?? '';
    const read = async (topicId: string) => {
      const partition = {
        ...{ partition: 0, currentLeaderEpoch: -1, fetchOffset: 0, lastFetchedEpoch: -1, logStartOffset: -1 },
        partitionMaxBytes: 1 << 20,
      };
      const request = {
        ...{ replicaId: -1, maxWaitMs: 0, minBytes: 0, maxBytes: 1 << 20, isolationLevel: 0 },
        ...{ sessionId: 0, sessionEpoch: -1, forgottenTopicsData: [], rackId: '' },
        topics: [{ topic: '', topicId, partitions: [partition] }],
      };
      const { errorCode, responses } = await side.ask(fetch, request, 13);
      return [errorCode, responses[0]?.partitions[0]?.errorCode];
    };
    const answers: unknown[] = [];
    const write = async (sequence: number, topicId?: string) =>
      answers.push([
        sequence,
        await append(side, name, batch(id, 0, sequence), topicId === undefined ? {} : { version: 13, topicId }),
      ]);
    const old = await idOf();
    for (const sequence of [0, 1]) await write(sequence, old);
    await side.ask(deleteTopics, { topics: [{ name, topicId: noUuid }], timeoutMs: 10_000 });
    await until(`${name} is deleted`, async () => (await append(side, name, batch(id, 0, 2))).errorCode === 3);
    await write(2);
    await write(2, old);
    answers.push(await read(old));
    await createTopicOn(side, { name, partitions: 1, configs: { 'retention.ms': '-1' } });
    await write(4, old);
    answers.push(await read(old));
    // The second batch in flight comes first; the one before it is then out of order, and so is another gap.
    for (const sequence of [4, 2, 3, 6, 4, 5]) await write(sequence);
    const current = await idOf();
    for (const sequence of [5, 6, 2]) await write(sequence, current);
    answers.push(await read(current), current === old);
    return answers;
  });
});

test('a fetch session with the id of a topic that was created again gets the same errors', async () => {
  await expectEqual(address, async (side) => {
    const name = await side.topic();
    const idOf = async (): Promise<string> =>
      (await side.ask(metadata, { topics: [{ name }], allowAutoTopicCreation: false })).topics[0]?.topicId ?? '';
    const read = async (session: { sessionId: number; sessionEpoch: number }, topicId?: string) => {
      const partition = {
        ...{ partition: 0, currentLeaderEpoch: -1, fetchOffset: 0, lastFetchedEpoch: -1, logStartOffset: -1 },
        partitionMaxBytes: 1 << 20,
      };
      const request = {
        ...{ replicaId: -1, maxWaitMs: 0, minBytes: 0, maxBytes: 1 << 20, isolationLevel: 0 },
        ...{ ...session, forgottenTopicsData: [], rackId: '' },
        topics: topicId === undefined ? [] : [{ topic: '', topicId, partitions: [partition] }],
      };
      return await side.ask(fetch, request, 13);
    };
    const answers: unknown[] = [];
    const { sessionId, errorCode } = await read({ sessionId: 0, sessionEpoch: 0 }, await idOf());
    answers.push([errorCode, sessionId > 0]);
    let sessionEpoch = 0;
    const readOn = async () => {
      sessionEpoch += 1;
      const answer = await read({ sessionId, sessionEpoch });
      answers.push([
        answer.errorCode,
        answer.responses.map(({ partitions }) => partitions.map((one) => one.errorCode)),
      ]);
    };
    await readOn();
    await side.ask(deleteTopics, { topics: [{ name, topicId: noUuid }], timeoutMs: 10_000 });
    await until(`${name} is deleted`, async () => (await append(side, name, batch(-1n, -1, -1))).errorCode === 3);
    await readOn();
    await createTopicOn(side, { name, partitions: 1, configs: { 'retention.ms': '-1' } });
    await append(side, name, batch(-1n, -1, -1));
    await readOn();
    await readOn();
    return answers;
  });
});
