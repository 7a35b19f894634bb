import type { OffsetCommitRequest, OffsetCommitResponse } from '../../../../kafka/wire/apis/offset-commit.ts';
import type { TxnOffsetCommitRequest, TxnOffsetCommitResponse } from '../../../../kafka/wire/apis/txn-offset-commit.ts';
import { codes } from '../../error-codes.ts';
import { type Group, type GroupTopic, type GroupWorld, groupOf } from '../group.ts';
import { type Committer, commitCode, commitCodeWithoutGroup } from './may-commit.ts';
import type { Producer } from './store.ts';

/** One partition of a commit. */
interface Wanted {
  readonly partitionIndex: number;
  readonly committedOffset: bigint;
  readonly committedLeaderEpoch: number;
  readonly committedMetadata: string | undefined;
}

/** Commits offsets and returns an error code for each partition. */
export function commitOffsets(
  world: GroupWorld,
  request: OffsetCommitRequest,
  apiVersion: number,
): OffsetCommitResponse {
  const code = openFor(world, { ...request, isTransactional: false, apiVersion });
  const group = world.groups.get(request.groupId);
  const topics = request.topics.map(({ name, partitions }) => {
    const topic = world.environment.topic(name);
    const done = partitions.map((one) => ({
      partitionIndex: one.partitionIndex,
      errorCode:
        topic === undefined ? codes.UNKNOWN_TOPIC_OR_PARTITION : code || commitOne({ world, group, topic }, one),
    }));
    return { name, partitions: done };
  });
  return { topics };
}

/** Stores offsets as pending until the producer's transaction ends. */
export function commitInTransaction(
  world: GroupWorld,
  request: TxnOffsetCommitRequest,
  apiVersion: number,
): TxnOffsetCommitResponse {
  const committer = { ...request, generationIdOrMemberEpoch: request.generationId, isTransactional: true, apiVersion };
  const code = openFor(world, committer);
  const group = world.groups.get(request.groupId);
  const topics = request.topics.map(({ name, partitions }) => {
    const topic = world.environment.topic(name);
    const place = { world, group, topic, producer: request };
    const done = partitions.map((one) => ({
      partitionIndex: one.partitionIndex,
      errorCode: topic === undefined ? codes.UNKNOWN_TOPIC_OR_PARTITION : code || commitOne({ ...place, topic }, one),
    }));
    return { name, partitions: done };
  });
  return { topics };
}

/** Returns the error code for the whole request. With NONE the group exists afterward. */
function openFor(world: GroupWorld, committer: Committer & { readonly groupId: string }): number {
  const group = world.groups.get(committer.groupId);
  if (group !== undefined) return commitCode(group, committer);
  const code = commitCodeWithoutGroup(committer);
  if (code === codes.NONE) groupOf(world, committer.groupId);
  return code;
}

interface Place {
  readonly world: GroupWorld;
  readonly group: Group | undefined;
  readonly topic: GroupTopic;
  /** Set in a transaction. */
  readonly producer?: Producer;
}

function commitOne({ world, group, topic, producer }: Place, wanted: Wanted): number {
  if (wanted.partitionIndex < 0 || wanted.partitionIndex >= topic.partitions) return codes.UNKNOWN_TOPIC_OR_PARTITION;
  const metadata = wanted.committedMetadata ?? '';
  const limit = world.environment.settings.offsetMetadataMaxBytes;
  if (Buffer.byteLength(metadata) > limit) return codes.OFFSET_METADATA_TOO_LARGE;
  const partition = { topic: topic.name, partition: wanted.partitionIndex };
  const committed = {
    offset: Number(wanted.committedOffset),
    leaderEpoch: wanted.committedLeaderEpoch,
    metadata,
    topicId: topic.id,
  };
  if (producer === undefined) group?.offsets.put(partition, committed);
  else if (group?.offsets.putPending(producer, partition, committed) === false) return codes.INVALID_PRODUCER_EPOCH;
  return codes.NONE;
}
