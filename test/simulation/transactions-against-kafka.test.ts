import { beforeAll, expect, test } from 'vitest';
import { realClock } from '../../src/clock.ts';
import { addPartitionsToTxn } from '../../src/kafka/protocol/wire/apis/add-partitions-to-txn.ts';
import { endTxn } from '../../src/kafka/protocol/wire/apis/end-txn.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { findCoordinator } from '../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { initProducerId } from '../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { seededRandom } from '../../src/serde/random.ts';
import { type BatchOptions, batchOf as batchAt } from '../sandbox/broker/batches.ts';
import { services } from '../services/services.ts';
import { append, expectEqual, onBoth, type Side, until } from './sides.ts';

let address = '';
beforeAll(() => {
  address = services().plaintext;
});

/** The current time, like that of markers: times a week apart would start a new segment, where answers end. */
const now = BigInt(Date.now());
const batchOf = (options: BatchOptions): Buffer =>
  batchAt({ ...options, timestamps: options.values.map((_value, index) => now + BigInt(index)) });

const concurrentTransactions = 51;
const busy = new Set([concurrentTransactions, 14, 15, 16]);

interface Producer {
  readonly id: string;
  readonly producerId: bigint;
  readonly epoch: number;
}

async function init(
  { ask }: Side,
  id: string,
  { current, version = 4, timeoutMs = 60_000 }: { current?: Producer; version?: number; timeoutMs?: number } = {},
) {
  const request = {
    transactionalId: id,
    transactionTimeoutMs: timeoutMs,
    producerId: current?.producerId ?? -1n,
    producerEpoch: current?.epoch ?? -1,
  };
  return ask(initProducerId, request, version);
}

/** Obtains the identity of a transactional id after its open transaction has ended. */
async function join(side: Side, id: string, current?: Producer): Promise<Producer> {
  await until(`${id} has a coordinator`, async () => {
    const { coordinators } = await side.ask(findCoordinator, { keyType: 1, coordinatorKeys: [id] }, 4);
    return coordinators[0]?.errorCode === 0;
  });
  for (;;) {
    const found = await init(side, id, current === undefined ? {} : { current });
    if (found.errorCode === 0) return { id, producerId: found.producerId, epoch: found.producerEpoch };
    if (!busy.has(found.errorCode)) throw new Error(`error ${found.errorCode}`);
    await realClock.sleep(5);
  }
}

async function add(
  { ask }: Side,
  { id, producerId, epoch }: Producer,
  topic: string,
  { partitions = [0], version = 3 }: { partitions?: readonly number[]; version?: number } = {},
) {
  const topics = [{ name: topic, partitions }];
  const answer = await ask(
    addPartitionsToTxn,
    {
      v3AndBelowTransactionalId: id,
      v3AndBelowProducerId: producerId,
      v3AndBelowProducerEpoch: epoch,
      v3AndBelowTopics: topics,
    },
    version,
  );
  return answer.resultsByTopicV3AndBelow[0]?.resultsByPartition
    .toSorted((a, b) => a.partitionIndex - b.partitionIndex)
    .map(({ partitionErrorCode }) => partitionErrorCode);
}

/** Adds a partition, retrying while the markers of the previous transaction are being written. */
async function addWhenFree(side: Side, producer: Producer, topic: string): Promise<void> {
  await until(
    `markers are written to ${topic}`,
    async () => (await add(side, producer, topic))?.[0] !== concurrentTransactions,
  );
}

async function end({ ask }: Side, { id, producerId, epoch }: Producer, committed: boolean, version = 4) {
  const request = { transactionalId: id, producerId, producerEpoch: epoch, committed };
  return (await ask(endTxn, request, version)).errorCode;
}

async function read({ ask }: Side, topic: string, what: { offset: number; size: number; committed: boolean }) {
  const partitions = [{ partition: 0, fetchOffset: what.offset, partitionMaxBytes: what.size }];
  const answer = await ask(
    fetch,
    {
      maxWaitMs: 0,
      minBytes: 0,
      maxBytes: what.size,
      isolationLevel: what.committed ? 1 : 0,
      topics: [{ topic, partitions }],
    },
    12,
  );
  const [found] = answer.responses[0]?.partitions ?? [];
  if (found === undefined) throw new Error('the response has no answer for the partition');
  const { errorCode, highWatermark, lastStableOffset, logStartOffset, abortedTransactions, records } = found;
  return { errorCode, highWatermark, lastStableOffset, logStartOffset, abortedTransactions, size: records?.length };
}

/** Waits until the markers of all ended transactions are committed. */
async function untilMarked(side: Side, topic: string, end: number): Promise<void> {
  await until(
    `markers are committed to ${topic}`,
    async () => (await read(side, topic, { offset: 0, size: 1, committed: false })).highWatermark >= end,
  );
}

test('reads of a random transactional log return the same from every offset and with every size', async () => {
  for (const seed of [1, 2, 3, 4]) {
    await expectEqual(address, async (side) => {
      const roll = seededRandom(seed);
      const pick = (below: number): number => Math.floor(roll() * below);
      const topic = await side.topic();
      const producers = await Promise.all(['a', 'b', 'c'].map((id) => join(side, `${topic}-${id}`)));
      const state = producers.map(() => ({ isOpen: false, sequence: 0 }));
      let offset = 0;
      for (let step = 0; step < 60; step += 1) {
        const which = pick(3);
        const producer = producers[which];
        const own = state[which];
        if (producer === undefined || own === undefined) throw new Error('no such producer');
        const kind = roll();
        if (kind < 0.15) {
          await append(side, topic, batchOf({ values: ['plain'.repeat(1 + pick(40))] }));
          offset += 1;
        } else if (kind < 0.35 && own.isOpen) {
          await end(side, producer, roll() < 0.4);
          own.isOpen = false;
          offset += 1;
          await untilMarked(side, topic, offset);
        } else {
          if (!own.isOpen) await addWhenFree(side, producer, topic);
          own.isOpen = true;
          const values = Array.from({ length: 1 + pick(4) }, () => 'x'.repeat(pick(roll() < 0.2 ? 3_000 : 60)));
          const { producerId, epoch } = producer;
          const records = batchOf({ values, producerId, epoch, sequence: own.sequence, isTransactional: true });
          const { errorCode } = await append(side, topic, records, { transactionalId: producer.id });
          if (errorCode !== 0) throw new Error(`error ${errorCode} at step ${step}`);
          own.sequence += values.length;
          offset += values.length;
        }
      }
      const aliases = new Map(producers.map(({ producerId }, index) => [producerId, index] as const));
      const answers: unknown[] = [];
      for (let from = 0; from <= offset + 1; from += 1) {
        for (const size of [0, 1, 100, 700, 2_000, 4_200, 9_000, 100_000]) {
          for (const committed of [true, false]) {
            const found = await read(side, topic, { offset: from, size, committed });
            const aborted = found.abortedTransactions?.map(({ producerId, firstOffset }) => [
              aliases.get(producerId),
              firstOffset,
            ]);
            answers.push([from, size, committed, { ...found, abortedTransactions: aborted }]);
          }
        }
      }
      return answers;
    });
  }
});

test('transactional requests in the wrong order get the same codes', async () => {
  await expectEqual(address, async (side) => {
    const topic = await side.topic();
    const id = `${topic}-txn`;
    const first = await join(side, id);
    const answers: unknown[] = [];
    const say = async (what: string, answer: unknown): Promise<void> => void answers.push([what, await answer]);
    const records = (producer: Producer, sequence: number) =>
      batchOf({
        values: ['v'],
        producerId: producer.producerId,
        epoch: producer.epoch,
        sequence,
        isTransactional: true,
      });
    const send = (producer: Producer, sequence: number) =>
      append(side, topic, records(producer, sequence), { transactionalId: producer.id });
    await say('end without a transaction', end(side, first, true));
    await say('abort without a transaction', end(side, first, false));
    await say('records outside of a transaction', send(first, 0));
    await say('add an unknown partition', add(side, first, topic, { partitions: [0, 9] }));
    await say('add in a wrong epoch', add(side, { ...first, epoch: 5 }, topic));
    await say('add in a wrong epoch, version 1', add(side, { ...first, epoch: 5 }, topic, { version: 1 }));
    await say('add with a wrong producer', add(side, { ...first, producerId: 99_999n }, topic));
    await say('add with an unknown id', add(side, { ...first, id: `${id}-other` }, topic));
    await say('add', add(side, first, topic));
    await say('add again', add(side, first, topic));
    await say('records', send(first, 0));
    await say(
      'plain records of the same producer',
      append(side, topic, batchOf({ values: ['p'], producerId: first.producerId, epoch: first.epoch, sequence: 1 })),
    );
    await say('end in a wrong epoch', end(side, { ...first, epoch: 3 }, true));
    await say('end in a wrong epoch, version 1', end(side, { ...first, epoch: 3 }, true, 1));
    await say('commit', end(side, first, true));
    await untilMarked(side, topic, 2);
    await until('the transaction has ended', async () => (await end(side, first, true)) !== concurrentTransactions);
    await say('commit again', end(side, first, true));
    await say('abort what is committed', end(side, first, false));
    await say('records after the end', send(first, 1));
    const second = await join(side, id);
    await say('the next epoch', second.epoch - first.epoch);
    await say('a fenced producer adds', add(side, first, topic));
    await say('a fenced producer ends', end(side, first, true));
    await say('add in the new epoch', add(side, second, topic));
    await say('fenced records', send(first, 1));
    await say('records of a new epoch', send(second, 0));
    await say('fenced records afterwards', send(first, 1));
    await say(
      'an init that fences',
      init(side, id).then(({ errorCode }) => errorCode),
    );
    const third = await join(side, id);
    await untilMarked(side, topic, 4);
    await say('after an abort by fencing', third.epoch - first.epoch);
    await say(
      'a fenced init',
      init(side, id, { current: first }).then(({ errorCode }) => errorCode),
    );
    await say(
      'a fenced init, version 3',
      init(side, id, { current: first, version: 3 }).then(({ errorCode }) => errorCode),
    );
    const fourth = await join(side, id, third);
    await say('an init that goes on', fourth.epoch - third.epoch);
    const again = await join(side, id, third);
    await say('the same again', again.epoch - third.epoch);
    await say(
      'too long',
      init(side, id, { timeoutMs: 999_999_999 }).then(({ errorCode }) => errorCode),
    );
    await say(
      'no time',
      init(side, id, { timeoutMs: 0 }).then(({ errorCode }) => errorCode),
    );
    await say(
      'no name',
      init(side, '').then(({ errorCode }) => errorCode),
    );
    await say(
      'what is in the log',
      read(side, topic, { offset: 0, size: 100_000, committed: true }).then(({ abortedTransactions, ...rest }) => ({
        ...rest,
        aborted: abortedTransactions?.map(({ firstOffset }) => firstOffset),
      })),
    );
    return answers;
  });
});

test('a transaction that exceeds its timeout is aborted and its producer is fenced', async () => {
  const { model, kafka } = await onBoth(address, async (side) => {
    const topic = await side.topic();
    const id = `${topic}-slow`;
    await join(side, id);
    const { errorCode, producerId, producerEpoch } = await init(side, id, { timeoutMs: 200 });
    const producer = { id, producerId, epoch: producerEpoch };
    expect([errorCode, await add(side, producer, topic)]).toEqual([0, [0]]);
    const records = batchOf({ values: ['v'], producerId, epoch: producerEpoch, sequence: 0, isTransactional: true });
    expect((await append(side, topic, records, { transactionalId: id })).errorCode).toBe(0);
    let code = 0;
    for (let left = 40; left > 0 && (code === 0 || code === concurrentTransactions); left -= 1) {
      code = (await add(side, producer, topic))?.[0] ?? -1;
      await realClock.sleep(500);
    }
    await untilMarked(side, topic, 2);
    return [code, (await read(side, topic, { offset: 0, size: 1_000, committed: true })).lastStableOffset];
  });
  expect(model).toEqual(kafka);
});
