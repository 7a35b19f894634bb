import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Api } from '../../../src/kafka/protocol/api.ts';
import { createReader, createWriter } from '../../../src/kafka/protocol/codec.ts';

/** The place of throttle_time_ms in an answer, from the protocol guide: since which version, and after what. */
type Place = { readonly from: number; readonly after?: 'a code' | 'one list' | 'a code and one list' } | 'nowhere';

const places: Readonly<Record<number, Place>> = {
  0: { from: 1, after: 'one list' }, // Produce
  1: { from: 1 }, // Fetch
  2: { from: 2 }, // ListOffsets
  3: { from: 3 }, // Metadata
  8: { from: 3 }, // OffsetCommit
  9: { from: 3 }, // OffsetFetch
  10: { from: 1 }, // FindCoordinator
  11: { from: 2 }, // JoinGroup
  12: { from: 1 }, // Heartbeat
  13: { from: 1 }, // LeaveGroup
  14: { from: 1 }, // SyncGroup
  15: { from: 1 }, // DescribeGroups
  16: { from: 1 }, // ListGroups
  17: 'nowhere', // SaslHandshake
  18: { from: 1, after: 'a code and one list' }, // ApiVersions
  19: { from: 2 }, // CreateTopics
  20: { from: 1 }, // DeleteTopics
  21: { from: 0 }, // DeleteRecords
  22: { from: 0 }, // InitProducerId
  23: { from: 2 }, // OffsetForLeaderEpoch
  27: 'nowhere', // WriteTxnMarkers
  29: { from: 0 }, // DescribeAcls
  30: { from: 0 }, // CreateAcls
  31: { from: 0 }, // DeleteAcls
  32: { from: 0 }, // DescribeConfigs
  35: { from: 0 }, // DescribeLogDirs
  36: 'nowhere', // SaslAuthenticate
  37: { from: 0 }, // CreatePartitions
  42: { from: 0 }, // DeleteGroups
  43: { from: 0 }, // ElectLeaders
  44: { from: 0 }, // IncrementalAlterConfigs
  45: { from: 0 }, // AlterPartitionReassignments
  46: { from: 0 }, // ListPartitionReassignments
  47: { from: 0, after: 'a code' }, // OffsetDelete
  48: { from: 0 }, // DescribeClientQuotas
  49: { from: 0 }, // AlterClientQuotas
  50: { from: 0 }, // DescribeUserScramCredentials
  51: { from: 0 }, // AlterUserScramCredentials
  60: { from: 0 }, // DescribeCluster
  61: { from: 0 }, // DescribeProducers
  65: { from: 0 }, // DescribeTransactions
  66: { from: 0 }, // ListTransactions
  68: { from: 0 }, // ConsumerGroupHeartbeat
  69: { from: 0 }, // ConsumerGroupDescribe
  77: { from: 0 }, // ShareGroupDescribe
  90: { from: 0 }, // DescribeShareGroupOffsets
};

const folder = new URL('../../../src/kafka/protocol/', import.meta.url);
const modules = await Promise.all(readdirSync(folder).map((file) => import(new URL(file, folder).href)));
const apis = modules.flatMap((module) => Object.values(module)).filter(isApi);

function isApi(value: unknown): value is Api<unknown, unknown> {
  return typeof value === 'object' && value !== null && 'flexibleFrom' in value && 'decode' in value;
}

/** An answer with a throttle of 250 ms in its place and nothing else of interest: empty lists, empty text. */
function answerOf(place: Place, version: number, flexible: boolean): Buffer {
  const writer = createWriter(flexible);
  if (place !== 'nowhere' && version >= place.from) {
    if (place.after?.startsWith('a code')) writer.int16(0);
    if (place.after?.endsWith('one list')) writer.array([], () => undefined);
    writer.int32(250);
  }
  // 1 is an empty list or text of the compact form, and one unknown tagged field of one byte; 0 is that of the old one.
  writer.raw(Buffer.alloc(200, flexible ? 1 : 0));
  return writer.finish();
}

const rows = apis.flatMap((api) =>
  Array.from({ length: api.max - api.min + 1 }, (_, index) => [api.name, api.min + index, api] as const),
);

test.each(rows)('%s v%i reads the throttle time from its documented place', (_name, version, api) => {
  const place = places[api.key];
  if (place === undefined) throw new Error(`say here where an answer of API ${api.key} has throttle_time_ms`);
  const flexible = version >= api.flexibleFrom;
  const reader = createReader(answerOf(place, version, flexible), flexible, api.name);
  const expected = place !== 'nowhere' && version >= place.from ? 250 : 0;
  expect(api.decode(reader, version).throttleMs).toBe(expected);
});
