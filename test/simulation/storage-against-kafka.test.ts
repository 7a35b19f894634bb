import { beforeAll, expect, test } from 'vitest';
import { deleteRecords } from '../../src/kafka/protocol/wire/apis/delete-records.ts';
import { listOffsets } from '../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { type Batch, readBatch } from '../../src/sandbox/broker/log/batch.ts';
import { readRecords } from '../../src/sandbox/broker/log/records.ts';
import { batchOf, someTime } from '../sandbox/broker/batches.ts';
import { services } from '../services/services.ts';
import { append, expectEqual, fetchFrom, type Side } from './sides.ts';

let address = '';
beforeAll(() => {
  address = services().plaintext;
});

/** The age of a segment at which the next record begins another one, in milliseconds. */
const segmentMs = 600_000n;

/** What a reader sees of the batches in an answer. */
function seenIn(bytes: Buffer): readonly unknown[] {
  const seen: unknown[] = [];
  for (let at = 0; at + 12 <= bytes.length; ) {
    const length = 12 + bytes.readInt32BE(at + 8);
    const batch: Batch = readBatch(bytes.subarray(at, at + length));
    const { baseOffset, lastOffset, producerId, producerEpoch, baseSequence, lastSequence, maxTimestamp } = batch;
    const records = readRecords(batch).map(({ offset, key, value, timestamp }) => [
      ...[offset, key?.toString(), value?.toString(), timestamp],
    ]);
    seen.push({ baseOffset, lastOffset, producerId, producerEpoch, baseSequence, lastSequence, maxTimestamp, records });
    at += length;
  }
  return seen;
}

async function look(side: Side, topic: string, end: number): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  for (let offset = 0; offset <= end; offset += 1) {
    // Only the next batch: an answer of Kafka ends where a segment does, which the model does not have.
    seen.push([offset, seenIn(await fetchFrom(side, topic, offset))[0]]);
  }
  for (const timestamp of [-1n, -2n]) {
    const topics = [{ name: topic, partitions: [{ partitionIndex: 0, currentLeaderEpoch: -1, timestamp }] }];
    const answer = await side.ask(listOffsets, { replicaId: -1, isolationLevel: 0, topics, timeoutMs: 1_000 });
    seen.push(answer.topics[0]?.partitions);
  }
  return seen;
}

test('compaction leaves the same records, gaps and empty batches', async () => {
  await expectEqual(address, async (side) => {
    const topic = await side.topic({
      ...{ 'cleanup.policy': 'compact,delete', 'min.cleanable.dirty.ratio': '0.0', 'segment.ms': String(segmentMs) },
    });
    let time = someTime;
    const answers: unknown[] = [];
    const send = async (keys: string, producer?: { readonly id: bigint; readonly sequence: number }) => {
      const values = [...keys].map((key, index) => ({ key, value: `${key}${time}${index}` }));
      const timestamps = values.map((_, index) => time + BigInt(index));
      const stamp = producer === undefined ? {} : { producerId: producer.id, epoch: 0, sequence: producer.sequence };
      answers.push(await append(side, topic, batchOf({ values, timestamps, ...stamp })));
    };
    const [first, second] = [9_200_001n, 9_200_002n];
    await send('abc', { id: first, sequence: 0 });
    await send('ab', { id: first, sequence: 3 });
    await send('ab', { id: second, sequence: 0 });
    await send('de');
    await send('aab', { id: second, sequence: 2 });
    await send('dd');
    await send('da', { id: first, sequence: 5 });
    time += segmentMs * 2n;
    const active = 16;
    await send('e', { id: second, sequence: 5 });
    await side.compact(topic, active);
    answers.push(...(await look(side, topic, active + 1)));
    // The producers go on where they were, also the one whose last batch is empty.
    await send('abe', { id: first, sequence: 7 });
    await send('bd', { id: second, sequence: 6 });
    time += segmentMs * 2n;
    await send('f');
    await side.compact(topic, active + 6);
    answers.push(...(await look(side, topic, active + 7)));
    for (const offset of [3, active, active + 5]) {
      const partitions = [{ partitionIndex: 0, offset }];
      const answer = await side.ask(deleteRecords, { topics: [{ name: topic, partitions }], timeoutMs: 5_000 });
      answers.push(answer.topics[0]?.partitions, ...(await look(side, topic, active + 7)));
    }
    return answers;
  });
});

test('records are not deleted from topics that are only compacted, nor from internal ones', async () => {
  await expectEqual(address, async (side) => {
    const topic = await side.topic({ 'cleanup.policy': 'compact' });
    await append(side, topic, batchOf({ values: [{ key: 'a', value: 'b' }] }));
    const answers: unknown[] = [];
    for (const name of [topic, 'no-such-topic']) {
      const topics = [{ name, partitions: [{ partitionIndex: 0, offset: 1 }] }];
      const answer = await side.ask(deleteRecords, { topics, timeoutMs: 5_000 });
      answers.push(answer.topics[0]?.partitions);
    }
    expect(answers).toHaveLength(2);
    return answers;
  });
});
