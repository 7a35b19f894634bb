import { beforeAll, test } from 'vitest';
import type { RequestOf } from '../../src/kafka/protocol/wire/api.ts';
import { createPartitions } from '../../src/kafka/protocol/wire/apis/create-partitions.ts';
import { createTopics } from '../../src/kafka/protocol/wire/apis/create-topics.ts';
import { deleteRecords } from '../../src/kafka/protocol/wire/apis/delete-records.ts';
import { deleteTopics } from '../../src/kafka/protocol/wire/apis/delete-topics.ts';
import { describeConfigs } from '../../src/kafka/protocol/wire/apis/describe-configs.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { incrementalAlterConfigs } from '../../src/kafka/protocol/wire/apis/incremental-alter-configs.ts';
import { listOffsets } from '../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { metadata } from '../../src/kafka/protocol/wire/apis/metadata.ts';
import { offsetForLeaderEpoch } from '../../src/kafka/protocol/wire/apis/offset-for-leader-epoch.ts';
import { batchOf, someTime } from '../sandbox/broker/batches.ts';
import { services } from '../services/services.ts';
import { append, expectEqual, type Side, until } from './sides.ts';

let address = '';
beforeAll(() => {
  address = services().plaintext;
});

test('lookups of offsets by time return the same in every version', async () => {
  await expectEqual(address, async (side) => {
    const topic = await side.topic();
    const answers: unknown[] = [];
    const find = async (version: number, timestamp: bigint, more: { epoch?: number; partition?: number } = {}) => {
      const partitions = [{ partitionIndex: more.partition ?? 0, currentLeaderEpoch: more.epoch ?? -1, timestamp }];
      const request = { replicaId: -1, isolationLevel: 0, topics: [{ name: topic, partitions }], timeoutMs: 1_000 };
      const answer = await side.ask(listOffsets, request, version);
      answers.push([version, timestamp, more, answer.topics]);
    };
    const names = (answer: unknown): string =>
      JSON.stringify(answer, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value)).replaceAll(topic, 't');
    for (const time of [-1n, -2n, -3n, 0n]) await find(7, time);
    const after = [5n, 3n, 9n, 9n, 1n, 30n, 20n, 30n, 2n];
    for (const [index, time] of after.entries()) {
      await append(
        side,
        topic,
        batchOf({ values: ['a', 'b'], timestamps: [someTime + time, someTime + BigInt(index)] }),
      );
    }
    for (let [version, last] = listOffsets.versions; version <= last; version += 1) {
      for (const time of [-1n, -2n, ...(version >= 7 ? [-3n] : []), ...(version >= 8 ? [-4n] : [])])
        await find(version, time);
      for (let time = -1n; time < 32n; time += 1n) await find(version, someTime + time);
    }
    for (const epoch of [0, 1]) await find(5, -1n, { epoch });
    await find(5, -1n, { partition: 3 });
    const partitions = [{ partitionIndex: 0, offset: 7 }];
    await side.ask(deleteRecords, { topics: [{ name: topic, partitions }], timeoutMs: 5_000 });
    for (let time = -3n; time < 0n; time += 1n) await find(7, time);
    for (let time = 0n; time < 32n; time += 3n) await find(7, someTime + time);
    return answers.map(names);
  });
});

test('epochs have the same ends', async () => {
  await expectEqual(address, async (side) => {
    const topic = await side.topic();
    const answers: unknown[] = [];
    for (const count of [0, 3]) {
      for (let sent = 0; sent < count; sent += 1) await append(side, topic, batchOf({ values: ['a', 'b'] }));
      for (let [version, last] = offsetForLeaderEpoch.versions; version <= last; version += 1) {
        for (const currentLeaderEpoch of [-1, 0, 1]) {
          for (const leaderEpoch of [-1, 0, 1, 5]) {
            const partitions = [0, 3].map((partition) => ({ partition, currentLeaderEpoch, leaderEpoch }));
            const request = { replicaId: -1, topics: [{ topic, partitions }] };
            const answer = await side.ask(offsetForLeaderEpoch, request, version);
            answers.push([version, currentLeaderEpoch, leaderEpoch, answer.topics[0]?.partitions]);
          }
        }
      }
    }
    return answers;
  });
});

test('fetch sessions behave the same in every step', async () => {
  for (const version of [7, 11, 12, 13, 17]) {
    await expectEqual(address, async (side) => {
      const topic = await side.topic({}, 3);
      const { topics } = await side.ask(metadata, { topics: [{ name: topic }] });
      const topicId = topics[0]?.topicId ?? '';
      const answers: unknown[] = [];
      const ask = async (
        session: { id: number; epoch: number },
        partitions: Readonly<Record<number, number>>,
        more: { forgotten?: readonly number[]; version?: number } = {},
      ) => {
        const request: RequestOf<typeof fetch> = {
          maxWaitMs: 0,
          minBytes: 0,
          maxBytes: 1_000_000,
          isolationLevel: 0,
          sessionId: session.id,
          sessionEpoch: session.epoch,
          topics: Object.entries(partitions).map(([partition, fetchOffset]) => ({
            topic,
            topicId,
            partitions: [
              {
                partition: Number(partition),
                fetchOffset,
                partitionMaxBytes: 10_000,
                currentLeaderEpoch: -1,
                lastFetchedEpoch: -1,
                logStartOffset: -1,
              },
            ],
          })),
          forgottenTopicsData: more.forgotten === undefined ? [] : [{ topic, topicId, partitions: more.forgotten }],
        };
        const answer = await side.ask(fetch, request, more.version ?? version);
        const flat = answer.responses.flatMap(({ partitions: some }) =>
          some.map(({ partitionIndex, errorCode, highWatermark, logStartOffset, records }) => [
            partitionIndex,
            errorCode,
            highWatermark,
            logStartOffset,
            records?.length,
          ]),
        );
        answers.push([answer.errorCode, answer.sessionId === 0 ? 0 : side.alias('S', answer.sessionId), flat]);
        return answer.sessionId;
      };
      const send = () => append(side, topic, batchOf({ values: ['a', 'b'] }));
      await send();
      await ask({ id: 0, epoch: -1 }, { 0: 0, 1: 0 });
      const id = await ask({ id: 0, epoch: 0 }, { 0: 0, 1: 0 });
      await ask({ id, epoch: 1 }, {});
      await ask({ id, epoch: 2 }, { 0: 2 });
      await ask({ id, epoch: 3 }, {});
      await send();
      await ask({ id, epoch: 4 }, {});
      await ask({ id, epoch: 5 }, { 0: 4 });
      await ask({ id, epoch: 6 }, { 2: 0 });
      await ask({ id, epoch: 7 }, { 2: 5 });
      await ask({ id, epoch: 8 }, {});
      await ask({ id, epoch: 9 }, { 2: 0 });
      await ask({ id, epoch: 10 }, { 8: 0 });
      await ask({ id, epoch: 11 }, {}, { forgotten: [8, 1] });
      await ask({ id, epoch: 5 }, {});
      await ask({ id, epoch: 12 }, {});
      await ask({ id: id === 77 ? 78 : 77, epoch: 1 }, {});
      if (version >= 12) await ask({ id, epoch: 13 }, {}, { version: version >= 13 ? 12 : 13 });
      await ask({ id, epoch: 13 }, {}, { forgotten: [0, 2] });
      await ask({ id, epoch: 14 }, {});
      const other = await ask({ id: 0, epoch: 0 }, { 0: 0 });
      await ask({ id: other, epoch: 0 }, { 0: 1 });
      await ask({ id: other, epoch: 1 }, {});
      return answers;
    });
  }
});

test('creating, growing, altering and deleting topics return the same codes', async () => {
  const stamp = `${process.pid}-${Date.now()}`;
  await expectEqual(address, async (side) => {
    const answers: unknown[] = [];
    const create = async (
      name: string,
      numPartitions: number,
      replicationFactor: number,
      more: Partial<Wanted> = {},
    ) => {
      const topics = [{ name, numPartitions, replicationFactor, assignments: [], configs: [], ...more }];
      for (const version of [2, 5, 7]) {
        const answer = await side.ask(createTopics, { topics, timeoutMs: 9_000, validateOnly: false }, version);
        answers.push(
          answer.topics.map((one) => [one.name, version, one.errorCode, one.numPartitions, one.replicationFactor]),
        );
      }
    };
    type Wanted = RequestOf<typeof createTopics>['topics'][number];
    const name = `codes-${stamp}`;
    await create(name, 2, 1);
    await create(`${name}-none`, 0, 1);
    await create(`${name}-many`, 1, 5);
    await create(`${name}-zero`, 1, 0);
    await create('bad name', 1, 1);
    await create('.', 1, 1);
    await create(`${name}-default`, -1, -1, { configs: [{ name: 'retention.ms', value: '1000' }] });
    await create(`${name}-config`, 1, 1, { configs: [{ name: 'no.such', value: '1' }] });
    await create(`${name}-value`, 1, 1, { configs: [{ name: 'retention.ms', value: 'soon' }] });
    await create(`${name}-null`, 1, 1, { configs: [{ name: 'retention.ms', value: undefined }] });
    await create(`${name}-given`, -1, -1, { assignments: [{ partitionIndex: 0, brokerIds: [1] }] });
    await create(`${name}-both`, 1, 1, { assignments: [{ partitionIndex: 0, brokerIds: [1] }] });
    await create(`${name}-gap`, -1, -1, { assignments: [{ partitionIndex: 1, brokerIds: [1] }] });
    await create(`${name}-nobody`, -1, -1, { assignments: [{ partitionIndex: 0, brokerIds: [9] }] });
    for (const count of [2, 1, 0, 4]) {
      const topics = [
        { name, count, assignments: undefined },
        { name: 'no-such', count, assignments: undefined },
      ];
      const answer = await side.ask(createPartitions, { topics, timeoutMs: 9_000, validateOnly: false });
      answers.push(new Map(answer.results.map((one) => [one.name, one.errorCode])));
    }
    for (const [key, configOperation, value] of [
      ['retention.ms', 0, '5'],
      ['retention.ms', 0, 'x'],
      ['no.such', 0, '1'],
      ['cleanup.policy', 2, 'compact'],
      ['retention.ms', 1, undefined],
      ['retention.ms', 0, undefined],
    ] as const) {
      const configs = [{ name: key, configOperation, value }];
      const resources = [name, 'no-such'].map((resourceName) => ({ resourceType: 2, resourceName, configs }));
      const answer = await side.ask(incrementalAlterConfigs, { resources, validateOnly: false });
      answers.push([key, value, new Map(answer.responses.map((one) => [one.resourceName, one.errorCode]))]);
    }
    await until(`${name} has its configs`, async () => isAltered(await configs(side, name)));
    answers.push(
      (await configs(side, name))
        .filter(({ name: key }) => /^(cleanup.policy|retention.ms|max.message.bytes)$/.test(key))
        .map(({ name: key, value, configSource, configType }) => [key, value, configSource, configType]),
    );
    for (const version of [1, 5, 6]) {
      const topics = [{ name, topicId: 'AAAAAAAAAAAAAAAAAAAAAA' }];
      const answer = await side.ask(deleteTopics, { topics, topicNames: [name], timeoutMs: 9_000 }, version);
      answers.push(answer.responses.map((one) => [one.name, one.errorCode]));
    }
    return answers;
  });
});

/** Whether a broker shows what the last two alterations made: each is applied a moment after its answer. */
function isAltered(entries: Awaited<ReturnType<typeof configs>>): boolean {
  const value = (key: string) => entries.find(({ name }) => name === key)?.value;
  return value('cleanup.policy')?.includes('compact') === true && value('retention.ms') === '604800000';
}

async function configs({ ask }: Side, name: string) {
  const resources = [{ resourceType: 2, resourceName: name, configurationKeys: undefined }];
  const { results } = await ask(describeConfigs, { resources, includeSynonyms: false });
  return (results[0]?.configs ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
