import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../../../src/kafka/protocol/api.ts';
import { createReader, createWriter } from '../../../../src/kafka/protocol/codec.ts';
import { deleteGroups } from '../../../../src/kafka/protocol/delete-groups.ts';
import { describeGroups } from '../../../../src/kafka/protocol/describe-groups.ts';
import { describeShareGroupOffsets } from '../../../../src/kafka/protocol/describe-share-group-offsets.ts';
import { listGroups } from '../../../../src/kafka/protocol/list-groups.ts';
import { offsetDelete } from '../../../../src/kafka/protocol/offset-delete.ts';
import { offsetFetch } from '../../../../src/kafka/protocol/offset-fetch.ts';
import { shareGroupDescribe } from '../../../../src/kafka/protocol/share-group-describe.ts';

type Bytes = Readonly<Record<string, Readonly<Record<'request' | 'response', Readonly<Record<string, string>>>>>>;

// Made by Kafka's own classes; see make-golden.ts.
const bytes = JSON.parse(readFileSync(join(import.meta.dirname, 'group-bytes.json'), 'utf8')) as Bytes;

/** An API, a request, and what weir reads from the answer of `group-messages.json` in a version. */
type Row = [api: Api<never, unknown>, request: unknown, answer: (version: number) => unknown];

const from = (first: number, version: number, value: unknown): unknown => (version >= first ? value : undefined);
const groups = ['g', 'h'];

const rows: Row[] = [
  [
    listGroups,
    { states: ['Stable', 'Empty'], types: ['classic'] },
    (version) => ({
      throttleMs: version >= 1 ? 7 : 0,
      errorCode: 0,
      groups: [
        ['g', 'consumer', 'Stable', 'classic'],
        ['h', 'share', 'Empty', 'share'],
      ].map(([group, protocolType, state, type]) => {
        return { group, protocolType, state: from(4, version, state), type: from(5, version, type) };
      }),
    }),
  ],
  [
    describeGroups,
    { groups },
    (version) => ({
      throttleMs: version >= 1 ? 7 : 0,
      groups: [
        {
          ...{ errorCode: 0, errorMessage: undefined, group: 'g', state: 'Stable' },
          ...{ protocolType: 'consumer', protocol: 'range' },
          members: [
            {
              ...{ memberId: 'm1', instanceId: from(4, version, 'i1'), clientId: 'c1', clientHost: '/127.0.0.1' },
              assignment: Buffer.from([0, 2, 3, 4]),
            },
            {
              ...{ memberId: 'm2', instanceId: undefined, clientId: 'c2', clientHost: '/::1' },
              assignment: Buffer.alloc(0),
            },
          ],
        },
        {
          ...{ errorCode: 69, errorMessage: from(6, version, 'Group h not found.'), group: 'h', state: 'Dead' },
          ...{ protocolType: '', protocol: '', members: [] },
        },
      ],
    }),
  ],
  [
    shareGroupDescribe,
    { groups },
    () => ({
      throttleMs: 7,
      groups: [
        {
          ...{ errorCode: 0, errorMessage: undefined, group: 'g', state: 'Stable', assignor: 'simple' },
          members: [
            {
              ...{ memberId: 'm1', clientId: 'c1', clientHost: '/127.0.0.1' },
              assignment: [{ topic: 't', partitions: [0, 2] }],
            },
          ],
        },
        { errorCode: 69, errorMessage: 'no', group: 'h', state: '', assignor: '', members: [] },
      ],
    }),
  ],
  [
    describeShareGroupOffsets,
    { groups },
    () => ({
      throttleMs: 7,
      groups: [
        {
          ...{ group: 'g', errorCode: 0, errorMessage: undefined },
          partitions: [
            { topic: 't', partition: 0, startOffset: 9n, errorCode: 0 },
            { topic: 't', partition: 2, startOffset: -1n, errorCode: 3 },
          ],
        },
        { group: 'h', errorCode: 69, errorMessage: 'no', partitions: [] },
      ],
    }),
  ],
  [
    deleteGroups,
    { groups },
    () => ({
      throttleMs: 7,
      groups: [
        { group: 'g', errorCode: 0 },
        { group: 'h', errorCode: 68 },
      ],
    }),
  ],
  [
    offsetDelete,
    {
      group: 'g',
      topics: [
        { topic: 't', partitions: [0, 2] },
        { topic: 'u', partitions: [1] },
      ],
    },
    () => ({
      throttleMs: 7,
      errorCode: 0,
      partitions: [
        { topic: 't', partition: 0, errorCode: 0 },
        { topic: 't', partition: 2, errorCode: 86 },
        { topic: 'u', partition: 1, errorCode: 3 },
      ],
    }),
  ],
  [
    offsetFetch,
    { groups: groups.map((group) => ({ group, topics: undefined })), requireStable: true },
    () => ({
      throttleMs: 7,
      groups: [
        {
          ...{ group: 'g', errorCode: 0 },
          partitions: [{ topic: 't', partition: 3, offset: 9n, leaderEpoch: 4, metadata: 'note', errorCode: 0 }],
        },
        { group: 'h', errorCode: 30, partitions: [] },
      ],
    }),
  ],
];

/** Every version that both weir and the golden file have. */
const versions = rows.flatMap(([api, request, answer]) =>
  Object.entries(bytes[api.name]?.request ?? {})
    .filter(([version]) => Number(version) >= api.min && Number(version) <= api.max)
    .map(([version, hex]) => [api.name, Number(version), { api, request, answer, hex }] as const),
);

describe('the layouts of the group APIs agree with the Java classes', () => {
  it.each(rows.map(([api]) => [api.name, api] as const))('%s is known in every version of weir', (name, api) => {
    const known = versions.filter(([own]) => own === name).map(([, version]) => version);
    // Before version 8, OffsetFetch has another layout: one group. Another test sends those to a real broker.
    const first = api === (offsetFetch as unknown) ? 8 : api.min;
    expect(known).toEqual(Array.from({ length: api.max - first + 1 }, (_, at) => first + at));
  });

  it.each(versions)('%s v%d writes the same request', (_, version, { api, request, hex }) => {
    const writer = createWriter(version >= api.flexibleFrom);
    api.encode(writer, request as never, version);
    expect(writer.finish().toString('hex')).toBe(hex);
  });

  it.each(versions)('%s v%d reads the answer to its last byte', (name, version, { api, answer }) => {
    const hex = bytes[name]?.response[version] ?? '';
    const reader = createReader(Buffer.from(hex, 'hex'), version >= api.flexibleFrom, name);
    expect(api.decode(reader, version)).toEqual(answer(version));
    expect(reader.remaining).toBe(0);
  });
});
