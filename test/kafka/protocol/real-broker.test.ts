import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../../src/kafka/protocol/api.ts';
import { apiVersions } from '../../../src/kafka/protocol/api-versions.ts';
import { createReader, createWriter } from '../../../src/kafka/protocol/codec.ts';
import { createPartitions } from '../../../src/kafka/protocol/create-partitions.ts';
import { createTopics } from '../../../src/kafka/protocol/create-topics.ts';
import { deleteTopics } from '../../../src/kafka/protocol/delete-topics.ts';
import { describeCluster } from '../../../src/kafka/protocol/describe-cluster.ts';
import { describeConfigs } from '../../../src/kafka/protocol/describe-configs.ts';
import { findCoordinator } from '../../../src/kafka/protocol/find-coordinator.ts';
import { listOffsets } from '../../../src/kafka/protocol/list-offsets.ts';
import { metadata } from '../../../src/kafka/protocol/metadata.ts';
import { services } from '../../services/services.ts';

const topic = `layouts-${process.pid}`;
const newTopic = { name: topic, partitions: 2, replicas: 1, configs: [['retention.ms', '3600000']] };

/** The requests in an order in which each finds what it needs. */
const conversation: (readonly [Api<never, unknown>, unknown])[] = [
  [apiVersions, { softwareName: 'weir', softwareVersion: '1.0' }],
  [createTopics, { topics: [newTopic, { ...newTopic, name: 'a b' }], timeoutMs: 5000, validateOnly: true }],
  [createTopics, { topics: [newTopic], timeoutMs: 5000, validateOnly: false }],
  [metadata, { topics: [topic, 'no-such-topic'] }],
  [metadata, { topics: undefined }],
  [metadata, { topics: [] }],
  [findCoordinator, { keyType: 'group', keys: ['a-group'] }],
  [
    listOffsets,
    {
      isolation: 'committed',
      topics: [{ name: topic, partitions: [{ partition: 0, time: -1n, leaderEpoch: -1 }] }],
    },
  ],
  [
    describeConfigs,
    {
      resources: [
        { type: 2, name: topic, keys: undefined },
        { type: 2, name: 'no-such-topic', keys: ['retention.ms'] },
      ],
    },
  ],
  [describeCluster, { fencedBrokers: true }],
  [createPartitions, { topics: [{ name: topic, count: 4 }], timeoutMs: 5000, validateOnly: true }],
  [deleteTopics, { topics: ['no-such-topic'], timeoutMs: 5000 }],
];

let socket: Socket;
let received = Buffer.alloc(0);

async function ask(api: Api<never, unknown>, request: unknown, version: number): Promise<unknown> {
  const flexible = version >= api.flexibleFrom;
  const header = createWriter(false);
  header.int16(api.key);
  header.int16(version);
  header.int32(1);
  header.nullableString('weir-test');
  if (flexible) header.int8(0);
  const body = createWriter(flexible);
  api.encode(body, request as never, version);
  const length = Buffer.alloc(4);
  length.writeInt32BE(header.finish().length + body.finish().length);
  socket.write(Buffer.concat([length, header.finish(), body.finish()]));
  const reader = createReader(await frame(), flexible, api.name);
  if (flexible && api !== (apiVersions as Api<never, unknown>)) reader.tags();
  const response = api.decode(reader, version);
  expect(reader.remaining).toBe(0);
  return response;
}

/** The next answer after its length and correlation id. */
async function frame(): Promise<Buffer> {
  while (received.length < 4 || received.length < 4 + received.readInt32BE(0)) {
    const [chunk] = await once(socket, 'data');
    received = Buffer.concat([received, chunk]);
  }
  const end = 4 + received.readInt32BE(0);
  const answer = received.subarray(8, end);
  received = received.subarray(end);
  return answer;
}

describe('every version that weir and a real broker both know', () => {
  beforeAll(async () => {
    const [host, port] = services().plaintext.split(':');
    socket = connect(Number(port), host);
    await once(socket, 'connect');
  });

  afterAll(async () => {
    await ask(deleteTopics, { topics: [topic], timeoutMs: 5000 }, 6);
    socket.destroy();
  });

  it('is understood by the broker, and its answer is read to the last byte', async () => {
    const known = (await ask(apiVersions, conversation[0]?.[1], 0)) as {
      apis: { key: number; min: number; max: number }[];
    };
    const asked: string[] = [];
    for (const [api, request] of conversation) {
      const range = known.apis.find(({ key }) => key === api.key);
      for (let version = Math.max(api.min, range?.min ?? 0); version <= Math.min(api.max, range?.max ?? 0); version++) {
        await ask(api, request, version);
        asked.push(`${api.name} v${version}`);
      }
    }
    // A broker that drops most versions would make this test an empty one.
    expect(new Set(asked).size).toBeGreaterThan(40);
  });

  it.each([7, 13])('tells of a topic in Metadata v%d what was created', async (version) => {
    const answer = await ask(metadata, { topics: [topic] }, version);
    expect(answer).toMatchObject({ topics: [{ errorCode: 0, name: topic, internal: false }] });
    const { topics } = answer as { topics: { partitions: unknown[] }[] };
    expect(topics[0]?.partitions).toHaveLength(2);
  });

  it.each([1, 9])('tells the offsets of an empty partition in ListOffsets v%d', async (version) => {
    const request = {
      isolation: 'uncommitted',
      topics: [{ name: topic, partitions: [{ partition: 1, time: -2n, leaderEpoch: -1 }] }],
    };
    expect(await ask(listOffsets, request, version)).toMatchObject({
      topics: [{ name: topic, partitions: [{ partition: 1, errorCode: 0, offset: 0n }] }],
    });
  });
});
