import { type Api, adapted } from './api.ts';
import { noUuid } from './codec.ts';
import { identifiedRows, type ToldTopic } from './partition-rows.ts';

/** The offset to commit for one partition: that of the next record to read. */
export interface OffsetToCommit {
  readonly partition: number;
  readonly offset: bigint;
  /** -1 when unknown. */
  readonly leaderEpoch: number;
  readonly metadata: string | undefined;
}

/** Commits offsets; an empty member id and generation -1 commit for an empty group from outside. */
export interface OffsetCommitRequest {
  readonly group: string;
  readonly generation: number;
  readonly memberId: string;
  readonly instanceId: string | undefined;
  readonly topics: readonly {
    readonly topic: string;
    /** The id of the topic, which replaces its name from version 10. */
    readonly topicId?: string | undefined;
    readonly partitions: readonly OffsetToCommit[];
  }[];
}

/** One error code per partition. */
export interface OffsetCommitResponse {
  readonly partitions: readonly (ToldTopic & { readonly partition: number; readonly errorCode: number })[];
}

/** The first version that names topics by id. */
const topicIdsFrom = 10;

/** OffsetCommit (key 8), by topic ids where the broker supports that: the offsets of a topic never become another one's. */
export const offsetCommitById: Api<OffsetCommitRequest, OffsetCommitResponse> = adapted({
  name: 'OffsetCommit',
  key: 8,
  min: 2,
  max: topicIdsFrom,
  flexibleFrom: 8,
  target: ({ group }) => ({ group }),
  repeatable: true,
  encode(writer, request, version) {
    writer.string(request.group);
    writer.int32(request.generation);
    writer.string(request.memberId);
    if (version >= 7) writer.nullableString(request.instanceId);
    // The retention time: the broker's default.
    if (version < 5) writer.int64(-1n);
    writer.array(request.topics, (topic) => {
      if (version >= topicIdsFrom) writer.uuid(topic.topicId ?? noUuid);
      else writer.string(topic.topic);
      writer.array(topic.partitions, (partition) => {
        writer.int32(partition.partition);
        writer.int64(partition.offset);
        if (version >= 6) writer.int32(partition.leaderEpoch);
        writer.nullableString(partition.metadata);
        writer.tags();
      });
      writer.tags();
    });
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = version >= 3 ? reader.int32() : 0;
    const partitions = identifiedRows(reader, version >= topicIdsFrom, (of) => {
      const row = { ...of, partition: reader.int32(), errorCode: reader.int16() };
      reader.tags();
      return row;
    });
    reader.tags();
    return { throttleMs, partitions };
  },
});

/** OffsetCommit by topic names. */
export const offsetCommit: Api<OffsetCommitRequest, OffsetCommitResponse> = {
  ...offsetCommitById,
  max: topicIdsFrom - 1,
};
