import { type Api, adapted } from './api.ts';
import { noUuid, type Reader, type Writer } from './codec.ts';
import { identifiedRows, type ToldTopic } from './partition-rows.ts';

/** The partitions of one topic. */
export interface OffsetFetchTopic {
  readonly topic: string;
  /** The id of the topic, which replaces its name from version 10. */
  readonly topicId?: string | undefined;
  readonly partitions: readonly number[];
}

/** The offsets of a group to fetch. */
export interface OffsetFetchGroup {
  readonly group: string;
  /** The partitions; undefined for every partition that has a committed offset. */
  readonly topics: readonly OffsetFetchTopic[] | undefined;
}

/** Fetches committed offsets. Before version 8 a request holds one group: the first is sent. */
export interface OffsetFetchRequest {
  readonly groups: readonly OffsetFetchGroup[];
  /** Whether to wait for pending transactions instead of returning offsets that they may overwrite (from version 7). */
  readonly requireStable: boolean;
}

/** The committed offset of one partition. */
export interface CommittedOffset extends ToldTopic {
  readonly partition: number;
  /** -1 if there is none. */
  readonly offset: bigint;
  readonly leaderEpoch: number;
  readonly metadata: string | undefined;
  readonly errorCode: number;
}

/** The offsets of each requested group. */
export interface OffsetFetchResponse {
  readonly groups: readonly {
    /** Empty before version 8, when there is only the requested group. */
    readonly group: string;
    readonly errorCode: number;
    readonly partitions: readonly CommittedOffset[];
  }[];
}

/** The first versions with the member's id and epoch, and with topic ids instead of names. */
const memberFrom = 9;
const topicIdsFrom = 10;

/** OffsetFetch (key 9), by topic ids where the broker supports that: offsets of a deleted topic are not another one's. */
export const offsetFetchById: Api<OffsetFetchRequest, OffsetFetchResponse> = adapted({
  name: 'OffsetFetch',
  key: 9,
  min: 1,
  max: topicIdsFrom,
  flexibleFrom: 6,
  target: 'coordinator',
  repeatable: true,
  errorCode: ({ groups: [group, ...others] }) => (others.length === 0 ? (group?.errorCode ?? 0) : 0),
  encode(writer, request, version) {
    if (version >= 8) {
      writer.array(request.groups, (group) => {
        writer.string(group.group);
        // As by a client that is no member: neither id nor epoch is checked.
        if (version >= memberFrom) writer.nullableString(undefined);
        if (version >= memberFrom) writer.int32(-1);
        encodeTopics(writer, group, version);
        writer.tags();
      });
    } else {
      const [group] = request.groups;
      writer.string(group?.group ?? '');
      encodeTopics(writer, group, version);
    }
    if (version >= 7) writer.boolean(request.requireStable);
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = version >= 3 ? reader.int32() : 0;
    if (version < 8) return { throttleMs, groups: [decodeOnlyGroup(reader, version)] };
    const groups = reader.array(() => {
      const group = reader.string();
      const partitions = decodeTopics(reader, version);
      const errorCode = reader.int16();
      reader.tags();
      return { group, errorCode, partitions };
    });
    reader.tags();
    return { throttleMs, groups };
  },
});

/** OffsetFetch by topic names. */
export const offsetFetch: Api<OffsetFetchRequest, OffsetFetchResponse> = { ...offsetFetchById, max: 8 };

function encodeTopics(writer: Writer, group: OffsetFetchGroup | undefined, version: number): void {
  // Version 1 has no null list, so it cannot request all partitions.
  const topics = version < 2 ? (group?.topics ?? []) : group?.topics;
  writer.nullableArray(topics, (topic) => {
    if (version >= topicIdsFrom) writer.uuid(topic.topicId ?? noUuid);
    else writer.string(topic.topic);
    writer.array(topic.partitions, (partition) => writer.int32(partition));
    writer.tags();
  });
}

function decodeOnlyGroup(reader: Reader, version: number): OffsetFetchResponse['groups'][number] {
  const partitions = decodeTopics(reader, version);
  const errorCode = version >= 2 ? reader.int16() : 0;
  reader.tags();
  return { group: '', errorCode, partitions };
}

function decodeTopics(reader: Reader, version: number): CommittedOffset[] {
  return identifiedRows(reader, version >= topicIdsFrom, (of) => {
    const row = {
      ...of,
      partition: reader.int32(),
      offset: reader.int64(),
      leaderEpoch: version >= 5 ? reader.int32() : -1,
      metadata: reader.nullableString(),
      errorCode: reader.int16(),
    };
    reader.tags();
    return row;
  });
}
