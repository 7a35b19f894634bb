import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
import { fetch } from '../../../../src/kafka/protocol/wire/apis/fetch.ts';
import { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { listOffsets } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { offsetCommit } from '../../../../src/kafka/protocol/wire/apis/offset-commit.ts';
import { offsetFetch, offsetFetchRequest } from '../../../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { saslAuthenticate } from '../../../../src/kafka/protocol/wire/apis/sasl-authenticate.ts';
import { saslHandshake } from '../../../../src/kafka/protocol/wire/apis/sasl-handshake.ts';
import { decodeResponse } from '../../../../src/kafka/protocol/wire/frame.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { MalformedBytes, sourceOf } from '../../../../src/kafka/protocol/wire/source.ts';
import { requestBytes } from '../../../services/answer.ts';

/** An API and a request, with its pinned bytes as hex by version. */
type Row = [api: Api<never, unknown>, request: unknown, bytes?: Readonly<Record<number, string>>];

const fetchRequest = {
  maxWaitMs: 7,
  minBytes: 1,
  maxBytes: 1024,
  isolationLevel: 1,
  topics: [
    {
      topic: 't',
      partitions: [{ partition: 3, currentLeaderEpoch: 5, fetchOffset: 9n, partitionMaxBytes: 512 }],
    },
  ],
  rackId: 'r',
};
const fetchHead = 'ffffffff' + '00000007' + '00000001' + '00000400' + '01';

const anyAcl = {
  resourceTypeFilter: 1,
  resourceNameFilter: undefined,
  patternTypeFilter: 1,
  principalFilter: undefined,
  hostFilter: undefined,
  operation: 1,
  permissionType: 1,
};

const apis: Row[] = [
  [apiVersions, { clientSoftwareName: 'weir', clientSoftwareVersion: '1' }, { 0: '', 3: '0577656972023100' }],
  [metadata, aboutTopics(['t']), { 5: '00000001000174' + '00', 13: `02${'00'.repeat(16)}027400000000` }],
  [findCoordinator, { key: 'g', keyType: 0, coordinatorKeys: ['g'] }, { 1: '00016700', 4: '0002026700' }],
  [
    listOffsets,
    {
      isolationLevel: 1,
      topics: [{ name: 't', partitions: [{ partitionIndex: 0, currentLeaderEpoch: 3, timestamp: -1n }] }],
    },
    { 1: 'ffffffff000000010001740000000100000000ffffffffffffffff' },
  ],
  [
    offsetCommit,
    {
      groupId: 'g',
      generationIdOrMemberEpoch: -1,
      memberId: '',
      topics: [{ name: 't', partitions: [{ partitionIndex: 0, committedOffset: 5n }] }],
    },
    {
      2: '000167ffffffff0000ffffffffffffffff000000010001740000000100000000' + '0000000000000005' + 'ffff',
      9: '0267ffffffff0100020274020000000000000000000000' + '05ffffffff00000000',
    },
  ],
  [
    offsetFetch,
    offsetFetchRequest({
      groups: [{ groupId: 'g', topics: [{ name: 't', partitionIndexes: [2] }] }],
      requireStable: true,
    }),
    {
      1: '000167000000010001740000000100000002',
      8: '02026702027402000000020000' + '0100',
      9: '02026700ffffffff02027402000000020000' + '0100',
    },
  ],
  [
    createTopics,
    {
      topics: [{ name: 't', numPartitions: 3, replicationFactor: 2, configs: [{ name: 'a', value: 'b' }] }],
      ...{ timeoutMs: 1, validateOnly: true },
    },
    { 7: '02027400000003000201' + '0202610262000000000001' + '0100' },
  ],
  [
    deleteTopics,
    { topicNames: ['t'], topics: [{ name: 't', topicId: noUuid }], timeoutMs: 1 },
    { 6: `020274${'00'.repeat(16)}000000000100` },
  ],
  [describeConfigs, { resources: [{ resourceType: 2, resourceName: 't' }] }, { 4: '020202740000' + '000000' }],
  [describeCluster, { includeFencedBrokers: true }, { 2: '00010100' }],
  [createPartitions, { topics: [{ name: 't', count: 3 }], timeoutMs: 1, validateOnly: false }],
  [
    fetch,
    fetchRequest,
    {
      4: `${fetchHead}00000001000174${'00000001' + '00000003' + '0000000000000009' + '00000200'}`,
      12: `${fetchHead}00000000ffffffff02027402${'00000003' + '00000005' + '0000000000000009'}${'ff'.repeat(12)}00000200000001027200`,
    },
  ],
  [createAcls, { creations: [] }, { 1: '00000000', 3: '0100' }],
  [describeAcls, anyAcl, { 1: '01ffff01ffffffff0101', 3: '0100010000010100' }],
  [deleteAcls, { filters: [anyAcl] }, { 3: '02' + '0100010000010100' + '00' }],
  [describeUserScramCredentials, { users: [{ name: 'u' }] }, { 0: '02027500' + '00' }],
  [alterUserScramCredentials, { deletions: [{ name: 'u', mechanism: 2 }], upsertions: [] }],
  [saslHandshake, { mechanism: 'PLAIN' }, { 1: '0005504c41494e' }],
  [saslAuthenticate, { authBytes: Buffer.from('x') }, { 0: '0000000178', 2: '027800' }],
];

const versions = apis.flatMap(([api, request, bytes]) =>
  Array.from({ length: api.max - api.min + 1 }, (_, at) => [api.name, api.min + at, api, request, bytes] as const),
);

describe('the layouts', () => {
  it.each(versions)('%s v%d writes its request, the pinned ones byte by byte', (...row) => {
    const [, version, api, request, bytes] = row;
    const hex = requestBytes(api, version, request as never).toString('hex');
    expect(hex).toBe(bytes?.[version] ?? hex);
  });

  it.each(versions)('%s v%d reads arbitrary bytes as an answer or refuses them', (_, version, api) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        try {
          api.response(version).read(sourceOf(Buffer.from(noise)));
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBytes);
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each(apis.map(([api, request]) => [api.name, api, request] as const))(
    '%s says whether it may be repeated and how long it may take inside',
    (_, api, request) => {
      const changes = ['CreateTopics', 'DeleteTopics', 'CreatePartitions'].includes(api.name);
      const isOnce = ['SaslAuthenticate', 'AlterUserScramCredentials'].includes(api.name);
      expect(api.repeatable).toBe(!changes && !isOnce);
      expect(api.timeoutMs(request as never)).toBe(changes ? 1 : api.name === 'Fetch' ? fetchRequest.maxWaitMs : 0);
    },
  );
});

describe('ApiVersions', () => {
  it("reads the answer of a broker that does not support the request's version", () => {
    const answer = Buffer.from('00230000000100120000' + '0002', 'hex');
    expect(decodeResponse(apiVersions, 4, answer)).toMatchObject({
      errorCode: 35,
      apiKeys: [{ apiKey: 18, minVersion: 0, maxVersion: 2 }],
    });
  });

  it('reads the bare error code of the oldest brokers', () => {
    expect(decodeResponse(apiVersions, 4, Buffer.from('0023', 'hex'))).toMatchObject({
      errorCode: 35,
      apiKeys: [],
    });
  });
});
