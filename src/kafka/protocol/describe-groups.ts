import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** The groups to describe, all with the same coordinator. */
export interface DescribeGroupsRequest {
  readonly groups: readonly string[];
}

/** A member of a group of the classic protocol. */
export interface ClassicGroupMember {
  readonly memberId: string;
  readonly instanceId: string | undefined;
  readonly clientId: string;
  readonly clientHost: string;
  /** The member's share, in the encoding of the group's protocol type; empty during a rebalance. */
  readonly assignment: Buffer;
}

/** A group of the classic protocol. Before version 6, a group that does not exist has the state `Dead` and no error. */
export interface DescribedClassicGroup {
  readonly group: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  /** `Empty`, `PreparingRebalance`, `CompletingRebalance`, `Stable` or `Dead`. */
  readonly state: string;
  readonly protocolType: string;
  /** The assignor of a consumer group; empty for none. */
  readonly protocol: string;
  readonly members: readonly ClassicGroupMember[];
}

/** The groups in the order of the request. */
export interface DescribeGroupsResponse {
  readonly groups: readonly DescribedClassicGroup[];
}

/** DescribeGroups (key 15). */
export const describeGroups: Api<DescribeGroupsRequest, DescribeGroupsResponse> = adapted({
  name: 'DescribeGroups',
  key: 15,
  min: 0,
  max: 6,
  flexibleFrom: 5,
  target: 'coordinator',
  repeatable: true,
  encode(writer, { groups }, version) {
    writer.array(groups, writer.string);
    if (version >= 3) writer.boolean(false); // include_authorized_operations
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = version >= 1 ? reader.int32() : 0;
    const groups = reader.array(() => readGroup(reader, version));
    reader.tags();
    return { throttleMs, groups };
  },
});

function readGroup(reader: Reader, version: number): DescribedClassicGroup {
  const errorCode = reader.int16();
  const errorMessage = version >= 6 ? reader.nullableString() : undefined;
  const group = {
    group: reader.string(),
    state: reader.string(),
    protocolType: reader.string(),
    protocol: reader.string(),
    members: reader.array(() => readMember(reader, version)),
  };
  if (version >= 3) reader.int32(); // authorized_operations
  reader.tags();
  return { errorCode, errorMessage, ...group };
}

function readMember(reader: Reader, version: number): ClassicGroupMember {
  const memberId = reader.string();
  const instanceId = version >= 4 ? reader.nullableString() : undefined;
  const client = { clientId: reader.string(), clientHost: reader.string() };
  reader.bytes(); // the metadata that the member joined with
  const assignment = reader.bytes();
  reader.tags();
  return { memberId, instanceId, ...client, assignment };
}
