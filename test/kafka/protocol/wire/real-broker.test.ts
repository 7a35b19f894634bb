import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creationOf, filterOf } from '../../../../src/kafka/cluster/access/acls.ts';
import { aboutTopics } from '../../../../src/kafka/protocol/client/cluster-metadata.ts';
import type { Api } from '../../../../src/kafka/protocol/wire/api.ts';
import { alterUserScramCredentials } from '../../../../src/kafka/protocol/wire/apis/alter-user-scram-credentials.ts';
import { apiVersions } from '../../../../src/kafka/protocol/wire/apis/api-versions.ts';
import { createAcls } from '../../../../src/kafka/protocol/wire/apis/create-acls.ts';
import { createPartitions } from '../../../../src/kafka/protocol/wire/apis/create-partitions.ts';
import { createTopics } from '../../../../src/kafka/protocol/wire/apis/create-topics.ts';
import { deleteAcls } from '../../../../src/kafka/protocol/wire/apis/delete-acls.ts';
import { deleteTopics } from '../../../../src/kafka/protocol/wire/apis/delete-topics.ts';
import { describeAcls } from '../../../../src/kafka/protocol/wire/apis/describe-acls.ts';
import { describeCluster } from '../../../../src/kafka/protocol/wire/apis/describe-cluster.ts';
import { describeConfigs } from '../../../../src/kafka/protocol/wire/apis/describe-configs.ts';
import { describeUserScramCredentials } from '../../../../src/kafka/protocol/wire/apis/describe-user-scram-credentials.ts';
import { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { listOffsets } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { services } from '../../../services/services.ts';
import { openRaw, type RawBroker } from './raw-broker.ts';

const topic = `layouts-${process.pid}`;
const newTopic = {
  ...{ name: topic, numPartitions: 2, replicationFactor: 1 },
  configs: [{ name: 'retention.ms', value: '3600000' }],
};

const acl = {
  ...{ principal: `User:${topic}`, host: '*', resource_type: 'TOPIC', resource_name: topic },
  ...{ resource_pattern_type: 'LITERAL', operation: 'READ', permission: 'DENY' },
};

/** The requests in an order in which each finds what it needs. */
const conversation: (readonly [Api<never, unknown>, unknown])[] = [
  [apiVersions, { clientSoftwareName: 'weir', clientSoftwareVersion: '1.0' }],
  [createTopics, { topics: [newTopic, { ...newTopic, name: 'a b' }], timeoutMs: 5000, validateOnly: true }],
  [createTopics, { topics: [newTopic], timeoutMs: 5000, validateOnly: false }],
  [metadata, aboutTopics([topic, 'no-such-topic'])],
  [metadata, aboutTopics(undefined)],
  [metadata, aboutTopics([])],
  [findCoordinator, { key: 'a-group', keyType: 0, coordinatorKeys: ['a-group'] }],
  [listOffsets, { isolationLevel: 1, topics: [{ name: topic, partitions: [{ partitionIndex: 0, timestamp: -1n }] }] }],
  [
    describeConfigs,
    {
      resources: [
        { resourceType: 2, resourceName: topic },
        { resourceType: 2, resourceName: 'no-such-topic', configurationKeys: ['retention.ms'] },
      ],
    },
  ],
  [describeCluster, { includeFencedBrokers: true }],
  [createPartitions, { topics: [{ name: topic, count: 4 }], timeoutMs: 5000, validateOnly: true }],
  [
    deleteTopics,
    { topicNames: ['no-such-topic'], topics: [{ name: 'no-such-topic', topicId: noUuid }], timeoutMs: 5000 },
  ],
  [createAcls, { creations: [acl, { ...acl, resource_type: 'ANY' }].map(creationOf) }],
  [describeAcls, filterOf({ ...acl, operation: 'ANY' })],
  [deleteAcls, { filters: [acl, { ...acl, resource_name: 'no-such-topic' }].map(filterOf) }],
  [describeUserScramCredentials, { users: [{ name: 'no-such-user' }] }],
  [alterUserScramCredentials, { deletions: [{ name: 'no-such-user', mechanism: 2 }], upsertions: [] }],
];

let broker: RawBroker;

describe('every version that weir and a real broker both know', () => {
  beforeAll(async () => {
    broker = await openRaw(services().plaintext);
    await broker.ask(createTopics, createTopics.max, { topics: [newTopic], timeoutMs: 5000, validateOnly: false });
    const partitions = [0, 1].map((partitionIndex) => ({ partitionIndex, timestamp: -2n }));
    const isReady = async () => {
      const { topics } = await broker.ask(metadata, metadata.max, aboutTopics([topic]));
      const offsets = await broker.ask(listOffsets, listOffsets.max, { topics: [{ name: topic, partitions }] });
      const rows = [...(topics[0]?.partitions ?? []), ...(offsets.topics[0]?.partitions ?? [])];
      return rows.length === 4 && rows.every(({ errorCode }) => errorCode === 0);
    };
    while (!(await isReady())) await setTimeout(20);
  });

  afterAll(async () => {
    await broker.ask(deleteTopics, 6, { topics: [{ name: topic, topicId: noUuid }], timeoutMs: 5000 });
    broker.close();
  });

  it('is understood by the broker, and its answer is read to the last byte', async () => {
    const known = await broker.ask(apiVersions, 0, {});
    const asked: string[] = [];
    for (const [api, request] of conversation) {
      const range = known.apiKeys.find(({ apiKey }) => apiKey === api.key);
      for (
        let version = Math.max(api.min, range?.minVersion ?? 0);
        version <= Math.min(api.max, range?.maxVersion ?? 0);
        version++
      ) {
        await broker.ask(api, version, request as never);
        asked.push(`${api.name} v${version}`);
      }
    }
    // A broker that drops most versions would make this test meaningless.
    expect(new Set(asked).size).toBeGreaterThan(40);
  });

  it.each([7, 13])('reports a topic in Metadata v%d as it was created', async (version) => {
    const answer = await broker.ask(metadata, version, aboutTopics([topic]));
    expect(answer).toMatchObject({ topics: [{ errorCode: 0, name: topic, isInternal: false }] });
    expect(answer.topics[0]?.partitions).toHaveLength(2);
  });

  it.each([1, 9])('reports the offsets of an empty partition in ListOffsets v%d', async (version) => {
    const topics = [{ name: topic, partitions: [{ partitionIndex: 1, timestamp: -2n }] }];
    expect(await broker.ask(listOffsets, version, { topics })).toMatchObject({
      topics: [{ name: topic, partitions: [{ partitionIndex: 1, errorCode: 0, offset: 0n }] }],
    });
  });
});
