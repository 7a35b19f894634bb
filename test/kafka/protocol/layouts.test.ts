import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alterUserScramCredentials } from '../../../src/kafka/protocol/alter-user-scram-credentials.ts';
import type { Api } from '../../../src/kafka/protocol/api.ts';
import { apiVersions } from '../../../src/kafka/protocol/api-versions.ts';
import { createReader, createWriter } from '../../../src/kafka/protocol/codec.ts';
import { createAcls } from '../../../src/kafka/protocol/create-acls.ts';
import { createPartitions } from '../../../src/kafka/protocol/create-partitions.ts';
import { createTopics } from '../../../src/kafka/protocol/create-topics.ts';
import { deleteAcls } from '../../../src/kafka/protocol/delete-acls.ts';
import { deleteTopics } from '../../../src/kafka/protocol/delete-topics.ts';
import { describeAcls } from '../../../src/kafka/protocol/describe-acls.ts';
import { describeCluster } from '../../../src/kafka/protocol/describe-cluster.ts';
import { describeConfigs } from '../../../src/kafka/protocol/describe-configs.ts';
import { describeUserScramCredentials } from '../../../src/kafka/protocol/describe-user-scram-credentials.ts';
import { fetch } from '../../../src/kafka/protocol/fetch.ts';
import { findCoordinator } from '../../../src/kafka/protocol/find-coordinator.ts';
import { listOffsets } from '../../../src/kafka/protocol/list-offsets.ts';
import { metadata } from '../../../src/kafka/protocol/metadata.ts';
import { ProtocolError } from '../../../src/kafka/protocol/protocol-error.ts';
import { saslAuthenticate } from '../../../src/kafka/protocol/sasl-authenticate.ts';
import { saslHandshake } from '../../../src/kafka/protocol/sasl-handshake.ts';

/** An API and a request, with its pinned bytes as hex by version. */
type Row = [api: Api<never, unknown>, request: unknown, bytes?: Readonly<Record<number, string>>];

const fetchRequest = {
  ...{ maxWaitMs: 7, minBytes: 1, maxBytes: 1024, readCommitted: true, rack: 'r' },
  topics: [{ topic: 't', partitions: [{ partition: 3, leaderEpoch: 5, offset: 9n, maxBytes: 512 }] }],
};
const fetchHead = 'ffffffff' + '00000007' + '00000001' + '00000400' + '01';

const anyAcl = {
  ...{ resourceType: 'ANY', patternType: 'ANY', operation: 'ANY', permission: 'ANY' },
  ...{ resourceName: undefined, principal: undefined, host: undefined },
};

const apis: Row[] = [
  [apiVersions, { softwareName: 'weir', softwareVersion: '1' }, { 0: '', 3: '0577656972023100' }],
  [metadata, { topics: ['t'] }, { 5: '00000001000174' + '00', 13: `02${'00'.repeat(16)}027400000000` }],
  [findCoordinator, { keyType: 'group', keys: ['g'] }, { 1: '00016700', 4: '0002026700' }],
  [
    listOffsets,
    { isolation: 'committed', topics: [{ name: 't', partitions: [{ partition: 0, time: -1n, leaderEpoch: 3 }] }] },
  ],
  [
    createTopics,
    { topics: [{ name: 't', partitions: 3, replicas: 2, configs: [['a', 'b']] }], timeoutMs: 1, validateOnly: true },
    { 7: '02027400000003000201' + '0202610262000000000001' + '0100' },
  ],
  [deleteTopics, { topics: ['t'], timeoutMs: 1 }, { 6: `020274${'00'.repeat(16)}000000000100` }],
  [describeConfigs, { resources: [{ type: 2, name: 't', keys: undefined }] }, { 4: '020202740000' + '000000' }],
  [describeCluster, { fencedBrokers: true }, { 2: '00010100' }],
  [createPartitions, { topics: [{ name: 't', count: 3 }], timeoutMs: 1, validateOnly: false }],
  [
    fetch,
    fetchRequest,
    {
      4: `${fetchHead}00000001000174${'00000001' + '00000003' + '0000000000000009' + '00000200'}`,
      12: `${fetchHead}00000000ffffffff02027402${'00000003' + '00000005' + '0000000000000009'}${'ff'.repeat(12)}00000200000001027200`,
    },
  ],
  [createAcls, { acls: [] }, { 1: '00000000', 3: '0100' }],
  [describeAcls, anyAcl, { 1: '01ffff01ffffffff0101', 3: '0100010000010100' }],
  [deleteAcls, { filters: [anyAcl] }, { 3: '02' + '0100010000010100' + '00' }],
  [describeUserScramCredentials, { users: ['u'] }, { 0: '02027500' + '00' }],
  [alterUserScramCredentials, { deletions: [{ user: 'u', mechanism: 'SCRAM-SHA-512' }], upsertions: [] }],
  [saslHandshake, { mechanism: 'PLAIN' }, { 1: '0005504c41494e' }],
  [saslAuthenticate, { authBytes: Buffer.from('x') }, { 0: '0000000178', 2: '027800' }],
];

const versions = apis.flatMap(([api, request, bytes]) =>
  Array.from({ length: api.max - api.min + 1 }, (_, at) => [api.name, api.min + at, api, request, bytes] as const),
);

describe('the layouts', () => {
  it.each(versions)('%s v%d writes its request, the pinned ones byte by byte', (...row) => {
    const [, version, api, request, bytes] = row;
    const writer = createWriter(version >= api.flexibleFrom);
    api.encode(writer, request as never, version);
    const hex = writer.finish().toString('hex');
    expect(hex).toBe(bytes?.[version] ?? hex);
  });

  it.each(versions)(
    '%s v%d reads arbitrary bytes as an answer or refuses them with a ProtocolError',
    (_, version, api) => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
          try {
            api.decode(createReader(Buffer.from(noise), version >= api.flexibleFrom, api.name), version);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        }),
        { numRuns: 200 },
      );
    },
  );

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
    expect(apiVersions.decode(createReader(answer, true), 4)).toMatchObject({
      errorCode: 35,
      apis: [{ key: 18, min: 0, max: 2 }],
    });
  });

  it('reads the bare error code of the oldest brokers', () => {
    expect(apiVersions.decode(createReader(Buffer.from('0023', 'hex'), true), 4)).toMatchObject({
      errorCode: 35,
      apis: [],
    });
  });
});
