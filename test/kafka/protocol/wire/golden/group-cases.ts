import { deleteGroups } from '../../../../../src/kafka/protocol/wire/apis/delete-groups.ts';
import { describeGroups } from '../../../../../src/kafka/protocol/wire/apis/describe-groups.ts';
import { describeShareGroupOffsets } from '../../../../../src/kafka/protocol/wire/apis/describe-share-group-offsets.ts';
import { listGroups } from '../../../../../src/kafka/protocol/wire/apis/list-groups.ts';
import { offsetDelete } from '../../../../../src/kafka/protocol/wire/apis/offset-delete.ts';
import { offsetFetch } from '../../../../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { shareGroupDescribe } from '../../../../../src/kafka/protocol/wire/apis/share-group-describe.ts';
import type { GoldenCase } from './case.ts';

const groups = ['g', 'h-ä'];
const noOperations = -2_147_483_648;
const topicId = 'AAAAAAAAAAAAAAAAAAAAAg';
const found = { errorCode: 0, errorMessage: null };
const missing = { errorCode: 69, errorMessage: 'no' };

/** ListGroups in the versions that have the same fields: no throttling, throttling, states, types. */
function listings(): readonly GoldenCase[] {
  const pick = (fields: object, version: number, since: readonly (readonly [name: string, version: number])[]) =>
    Object.fromEntries(
      Object.entries(fields).filter(([name]) => since.every((one) => one[0] !== name || one[1] <= version)),
    );
  const since = [
    ['statesFilter', 4],
    ['typesFilter', 5],
    ['groupState', 4],
    ['groupType', 5],
  ] as const;
  return [0, 1, 2, 3, 4, 5].map((version) => {
    const own = (fields: object): object => pick(fields, version, since);
    const row = (group: string, protocolType: string, state: string, type: string) => ({
      kafka: own({ groupId: group, protocolType, groupState: state, groupType: type }),
    });
    const rows = [row('g', 'consumer', 'Stable', 'classic'), row('h-ä', 'share', 'Empty', 'share')];
    return {
      api: { ...listGroups, min: version, max: version },
      request: {
        kafka: own({ statesFilter: ['Stable', 'Empty'], typesFilter: ['classic'] }),
      },
      answer: {
        kafka: { throttleTimeMs: version >= 1 ? 7 : 0, errorCode: 31, groups: rows.map(({ kafka }) => kafka) },
      },
    };
  });
}

/** DescribeGroups in each version: static members since 4, the broker's error text since 6. */
function classicDescriptions(): readonly GoldenCase[] {
  return [0, 1, 2, 3, 4, 5, 6].map((version) => {
    const operations = version >= 3 ? { authorizedOperations: 8 } : {};
    const member = { memberId: 'm1', clientId: 'c1', clientHost: '/127.0.0.1' };
    const bare = { memberId: 'm2', clientId: 'c2', clientHost: '/::1' };
    const group = { groupState: 'Stable', protocolType: 'consumer' };
    const dead = { groupState: 'Dead', protocolType: '' };
    return {
      api: { ...describeGroups, min: version, max: version },
      request: {
        kafka: { groups, ...(version >= 3 && { includeAuthorizedOperations: false }) },
      },
      answer: {
        kafka: {
          throttleTimeMs: version >= 1 ? 7 : 0,
          groups: [
            {
              ...{ ...found, groupId: 'g', ...group, protocolData: 'range', ...operations },
              members: [
                {
                  ...{ ...member, memberMetadata: 'AAE=', memberAssignment: 'AAIDBA==' },
                  ...(version >= 4 && { groupInstanceId: 'i1' }),
                },
                {
                  ...{ ...bare, memberMetadata: '', memberAssignment: '' },
                  ...(version >= 4 && { groupInstanceId: null }),
                },
              ],
            },
            {
              ...{ errorCode: 69, groupId: 'h-ä', ...dead, protocolData: '', ...operations, members: [] },
              errorMessage: version >= 6 ? 'no' : null,
            },
          ],
        },
      },
    };
  });
}

const shareGroups: readonly GoldenCase[] = [
  {
    api: shareGroupDescribe,
    request: { kafka: { groupIds: groups, includeAuthorizedOperations: false } },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        groups: [
          {
            ...{ ...found, groupId: 'g', groupState: 'Stable', groupEpoch: 3, assignmentEpoch: 2 },
            ...{ assignorName: 'simple', authorizedOperations: noOperations },
            members: [
              {
                ...{ memberId: 'm1', rackId: 'r', memberEpoch: 3, clientId: 'c1', clientHost: '/127.0.0.1' },
                subscribedTopicNames: ['t', 'u'],
                assignment: { topicPartitions: [{ topicId, topicName: 't', partitions: [0, 2] }] },
              },
            ],
          },
          {
            ...{ ...missing, groupId: 'h-ä', groupState: '', groupEpoch: 0, assignmentEpoch: 0 },
            ...{ assignorName: '', members: [], authorizedOperations: noOperations },
          },
        ],
      },
    },
  },
  {
    api: describeShareGroupOffsets,
    request: { kafka: { groups: groups.map((groupId) => ({ groupId, topics: null })) } },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        groups: [
          {
            ...{ ...found, groupId: 'g' },
            topics: [
              {
                ...{ topicName: 't', topicId },
                partitions: [
                  { partitionIndex: 0, startOffset: 9, leaderEpoch: 4, ...found },
                  { partitionIndex: 2, startOffset: -1, leaderEpoch: 0, errorCode: 3, errorMessage: 'gone' },
                ],
              },
            ],
          },
          { ...missing, groupId: 'h-ä', topics: [] },
        ],
      },
    },
  },
];

const deletions: readonly GoldenCase[] = [
  {
    api: deleteGroups,
    request: { kafka: { groupsNames: groups } },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        results: groups.map((groupId, at) => ({ groupId, errorCode: at * 68 })),
      },
    },
  },
  {
    api: offsetDelete,
    request: {
      kafka: {
        groupId: 'g',
        topics: [
          { name: 't', partitions: [{ partitionIndex: 0 }, { partitionIndex: 2 }] },
          { name: 'u', partitions: [{ partitionIndex: 1 }] },
        ],
      },
    },
    answer: {
      kafka: {
        ...{ errorCode: 0, throttleTimeMs: 7 },
        topics: [
          {
            name: 't',
            partitions: [
              { partitionIndex: 0, errorCode: 0 },
              { partitionIndex: 2, errorCode: 86 },
            ],
          },
          { name: 'u', partitions: [{ partitionIndex: 1, errorCode: 3 }] },
        ],
      },
    },
  },
];

/** OffsetFetch of several groups; earlier versions ask about one group. */
const fetches: GoldenCase = {
  api: { ...offsetFetch, min: 8, max: 8 },
  request: {
    kafka: { groups: groups.map((groupId) => ({ groupId, topics: null })), requireStable: true },
  },
  answer: {
    kafka: {
      throttleTimeMs: 7,
      groups: [
        {
          ...{ groupId: 'g', errorCode: 0 },
          topics: [
            {
              name: 't',
              partitions: [
                { partitionIndex: 3, committedOffset: 9, committedLeaderEpoch: 4, metadata: 'note', errorCode: 0 },
              ],
            },
          ],
        },
        { groupId: 'h-ä', topics: [], errorCode: 30 },
      ],
    },
  },
};

/** The messages about groups. */
export const groupCases: readonly GoldenCase[] = [
  ...listings(),
  ...classicDescriptions(),
  ...shareGroups,
  ...deletions,
  fetches,
];
