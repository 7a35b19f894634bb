import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** The share groups to describe, all with the same coordinator. */
export interface ShareGroupDescribeRequest {
  readonly groups: readonly string[];
}

/** A member of a share group. Several members may share a partition. */
export interface ShareGroupMember {
  readonly memberId: string;
  readonly clientId: string;
  readonly clientHost: string;
  readonly assignment: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

/** A share group; `errorCode` is GROUP_ID_NOT_FOUND (69) for a missing group and for one of another type. */
export interface DescribedShareGroup {
  readonly group: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  /** `Empty`, `Stable` or `Dead`. */
  readonly state: string;
  readonly assignor: string;
  readonly members: readonly ShareGroupMember[];
}

/** The groups in the order of the request. */
export interface ShareGroupDescribeResponse {
  readonly groups: readonly DescribedShareGroup[];
}

/** ShareGroupDescribe (key 77, KIP-932). Version 0 was an early access version of Kafka 4.0. */
export const shareGroupDescribe: Api<ShareGroupDescribeRequest, ShareGroupDescribeResponse> = adapted({
  name: 'ShareGroupDescribe',
  key: 77,
  min: 1,
  max: 1,
  flexibleFrom: 0,
  target: 'coordinator',
  repeatable: true,
  encode(writer, { groups }) {
    writer.array(groups, writer.string);
    writer.boolean(false); // include_authorized_operations
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const groups = reader.array(() => readGroup(reader));
    reader.tags();
    return { throttleMs, groups };
  },
});

function readGroup(reader: Reader): DescribedShareGroup {
  const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
  const group = { group: reader.string(), state: reader.string() };
  reader.int32(); // group_epoch
  reader.int32(); // assignment_epoch
  const rest = { assignor: reader.string(), members: reader.array(() => readMember(reader)) };
  reader.int32(); // authorized_operations
  reader.tags();
  return { ...error, ...group, ...rest };
}

function readMember(reader: Reader): ShareGroupMember {
  const memberId = reader.string();
  reader.nullableString(); // rack_id
  reader.int32(); // member_epoch
  const client = { clientId: reader.string(), clientHost: reader.string() };
  reader.array(() => reader.string()); // subscribed_topic_names
  const assignment = reader.array(() => {
    reader.uuid(); // topic_id
    const item = { topic: reader.string(), partitions: reader.int32s() };
    reader.tags();
    return item;
  });
  reader.tags(); // of the assignment
  reader.tags();
  return { memberId, ...client, assignment };
}
