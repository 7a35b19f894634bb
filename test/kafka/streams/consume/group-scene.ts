import type { ReadRequestOf } from '../../../../src/kafka/protocol/wire/api.ts';
import { type listOffsets, offsetTimes } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import type { offsetCommit } from '../../../../src/kafka/protocol/wire/apis/offset-commit.ts';
import type { offsetFetch } from '../../../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { openGroupSource } from '../../../../src/kafka/streams/consume/group-source.ts';
import type { PartitionPosition } from '../../../../src/kafka/streams/consume/position.ts';
import type { ConsumeRequest } from '../../../../src/kafka/streams/consume/request.ts';
import type { PositionSource } from '../../../../src/kafka/streams/consume/topic-source.ts';
import type { TopicPartitions } from '../../../../src/kafka/streams/groups/subscription.ts';
import {
  assignment,
  commitAnswer,
  place,
  type ScriptedCoordinator,
  scriptedCoordinator,
} from '../groups/coordinator.ts';
import { requestOf } from './consuming.ts';

/** A group source in virtual time, and its surroundings. */
export interface GroupScene extends ScriptedCoordinator {
  readonly source: PositionSource;
  readonly warnings: readonly string[];
  /** What the group has committed, by partition. */
  readonly offsets: Map<string, bigint>;
  /** The next assignment of SyncGroup. */
  assign(share: readonly TopicPartitions[]): void;
  wakes(): number;
}

/** A classic group that stores commits, and topics that begin at 0 and end at 100. */
export async function groupScene(
  topics: Readonly<Record<string, number>>,
  more: Partial<ConsumeRequest> = {},
): Promise<GroupScene> {
  const coordinator = scriptedCoordinator();
  for (const [name, count] of Object.entries(topics)) {
    coordinator.topics.set(name, count);
    coordinator.ids.set(name, `${name}-1`);
  }
  const [offsets, warnings] = [new Map<string, bigint>(), [] as string[]];
  let [generation, wakes] = [0, 0];
  let share: readonly TopicPartitions[] = Object.entries(topics).map(([topic, count]) => ({
    ...{ topic, partitions: Array.from({ length: count }, (_, index) => index) },
  }));
  coordinator.on('JoinGroup', (request) => {
    generation += 1;
    return place(request, generation);
  });
  coordinator.on('SyncGroup', () => assignment(share));
  coordinator.on('Heartbeat', () => ({ errorCode: 0 }));
  coordinator.on('LeaveGroup', () => ({ errorCode: 0, members: [] }));
  coordinator.on('ListOffsets', listedOffsets);
  coordinator.on('OffsetFetch', (request) => committedAnswer(request, offsets));
  coordinator.on('OffsetCommit', (request) => take(request, offsets));
  const request = requestOf('start', {
    ...{ topics: Object.keys(topics), warn: (line) => warnings.push(line) },
    ...more,
  });
  const group = {
    name: 'g',
    instanceId: undefined,
    protocol: 'classic',
    balancers: ['range'],
    assignor: undefined,
  } as const;
  const source = await openGroupSource(coordinator.client, request, group, () => {
    wakes += 1;
  });
  const assign = (next: readonly TopicPartitions[]): void => {
    share = next;
  };
  return { ...coordinator, source, warnings, offsets, assign, wakes: () => wakes };
}

/** Answers a commit and stores what is not refused. */
export function take(
  request: ReadRequestOf<typeof offsetCommit>,
  offsets: Map<string, bigint>,
  codeOf?: (name: string) => number,
) {
  for (const { name: topic, partitions } of request.topics) {
    for (const { partitionIndex, committedOffset } of partitions) {
      const name = `${topic}/${partitionIndex}`;
      if ((codeOf?.(name) ?? 0) === 0) offsets.set(name, committedOffset);
    }
  }
  return commitAnswer(request, codeOf);
}

/** Answers an OffsetFetch from what is stored. */
export function committedAnswer(request: ReadRequestOf<typeof offsetFetch>, offsets: ReadonlyMap<string, bigint>) {
  const topics = (request.groups[0]?.topics ?? []).map(({ name, partitionIndexes }) => ({
    name,
    topicId: noUuid,
    partitions: partitionIndexes.map((partitionIndex) => ({
      partitionIndex,
      committedOffset: offsets.get(`${name}/${partitionIndex}`) ?? -1n,
      committedLeaderEpoch: -1,
      metadata: '',
      errorCode: 0,
    })),
  }));
  return { groups: [{ groupId: 'g', errorCode: 0, topics }] };
}

/** Every log is from 0 to 100. */
function listedOffsets(request: ReadRequestOf<typeof listOffsets>) {
  return {
    topics: request.topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionIndex, timestamp }) => ({
        partitionIndex,
        errorCode: 0,
        timestamp: -1n,
        offset: timestamp === offsetTimes.earliest ? 0n : 100n,
      })),
    })),
  };
}

/** For example `a/0:5`: a partition and the offset up to which it is printed. */
export function shown(positions: readonly PartitionPosition[] | undefined): readonly string[] {
  return (positions ?? []).map(({ topic, partition, printed }) => `${topic}/${partition}:${printed}`);
}

/** Moves a position as if its records had been printed. */
export function print(positions: readonly PartitionPosition[], name: string, until: bigint): PartitionPosition {
  const position = positions.find(({ topic, partition }) => `${topic}/${partition}` === name);
  if (position === undefined) throw new Error(`${name} is not read`);
  position.offset = until;
  position.printed = until;
  return position;
}
