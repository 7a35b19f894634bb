import { type Api, adapted } from './api.ts';

/** A request to become or remain a member of a consumer group. */
export interface JoinGroupRequest {
  readonly group: string;
  readonly sessionTimeoutMs: number;
  /** How long the coordinator waits for all members to rejoin, in milliseconds. */
  readonly rebalanceTimeoutMs: number;
  /** Empty at first; the coordinator's MEMBER_ID_REQUIRED answer carries the id to use. */
  readonly memberId: string;
  /** The id of a static member, which survives a restart without a rebalance. */
  readonly instanceId: string | undefined;
  /** Assignors in order of preference, each with the member's subscription. */
  readonly protocols: readonly { readonly name: string; readonly metadata: Uint8Array }[];
  /** The reason for joining, for the broker's log. */
  readonly reason: string;
}

/** The membership in one generation of the group. */
export interface JoinGroupResponse {
  readonly errorCode: number;
  readonly generation: number;
  /** The assignor that all members support. */
  readonly protocol: string;
  readonly leader: string;
  readonly memberId: string;
  /** Whether the leader need not assign because a static member came back and the assignment is unchanged. */
  readonly skipAssignment: boolean;
  /** Empty except for the leader. */
  readonly members: readonly {
    readonly memberId: string;
    readonly instanceId: string | undefined;
    readonly metadata: Buffer;
  }[];
}

/** JoinGroup (key 11) of the classic group protocol. */
export const joinGroup: Api<JoinGroupRequest, JoinGroupResponse> = adapted({
  name: 'JoinGroup',
  key: 11,
  min: 2,
  max: 9,
  flexibleFrom: 6,
  target: ({ group }) => ({ group }),
  repeatable: true,
  held: true,
  timeoutMs: (request) => request.rebalanceTimeoutMs,
  errorCode: (response) => response.errorCode,
  encode(writer, request, version) {
    writer.string(request.group);
    writer.int32(request.sessionTimeoutMs);
    writer.int32(request.rebalanceTimeoutMs);
    writer.string(request.memberId);
    if (version >= 5) writer.nullableString(request.instanceId);
    writer.string('consumer');
    writer.array(request.protocols, (protocol) => {
      writer.string(protocol.name);
      writer.bytes(protocol.metadata);
      writer.tags();
    });
    if (version >= 8) writer.nullableString(request.reason);
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const errorCode = reader.int16();
    const generation = reader.int32();
    if (version >= 7) reader.nullableString();
    const protocol = reader.nullableString() ?? '';
    const leader = reader.string();
    const skipAssignment = version >= 9 ? reader.boolean() : false;
    const memberId = reader.string();
    const members = reader.array(() => {
      const member = {
        memberId: reader.string(),
        instanceId: version >= 5 ? reader.nullableString() : undefined,
        metadata: reader.bytes(),
      };
      reader.tags();
      return member;
    });
    reader.tags();
    return { throttleMs, errorCode, generation, protocol, leader, memberId, skipAssignment, members };
  },
});
