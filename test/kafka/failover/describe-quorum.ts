import { type Api, adapted } from '../../../src/kafka/protocol/api.ts';
import type { Reader } from '../../../src/kafka/protocol/codec.ts';

/** The leader of the metadata log, which is the controller; -1 during an election. */
export interface QuorumLeader {
  readonly leaderId: number;
}

const noLeader: QuorumLeader = { leaderId: -1 };

/** DescribeQuorum v0 (KIP-595): metadata names any broker as the controller, this names the active one. */
export const describeQuorum: Api<undefined, QuorumLeader> = adapted({
  name: 'DescribeQuorum',
  key: 55,
  min: 0,
  max: 0,
  flexibleFrom: 0,
  target: 'any',
  repeatable: true,
  encode(writer) {
    writer.array(['__cluster_metadata'], (topic) => {
      writer.string(topic);
      writer.array([0], (partition) => {
        writer.int32(partition);
        writer.tags();
      });
      writer.tags();
    });
    writer.tags();
  },
  decode(reader) {
    reader.int16(); // error_code: without a leader there are no topics either
    const leaders = reader.array(() => readTopic(reader)).flat();
    reader.tags();
    return { throttleMs: 0, ...(leaders[0] ?? noLeader) };
  },
});

function readTopic(reader: Reader): readonly QuorumLeader[] {
  reader.string();
  const leaders = reader.array(() => {
    reader.int32(); // partition
    const errorCode = reader.int16();
    const leaderId = reader.int32();
    reader.int32(); // leader_epoch
    reader.int64(); // high_watermark
    reader.array(() => readReplica(reader)); // current_voters
    reader.array(() => readReplica(reader)); // observers
    reader.tags();
    return errorCode === 0 ? { leaderId } : noLeader;
  });
  reader.tags();
  return leaders;
}

function readReplica(reader: Reader): void {
  reader.int32(); // replica_id
  reader.int64(); // log_end_offset
  reader.tags();
}
