import { type Api, adapted } from './api.ts';

/** A member to remove. */
export interface LeavingMember {
  readonly memberId: string;
  /** The instance id of a static member to remove; undefined for other members. */
  readonly instanceId: string | undefined;
}

/** Removes members from a group. Before version 3 a request names one member: the first is sent. */
export interface LeaveGroupRequest {
  readonly group: string;
  readonly members: readonly LeavingMember[];
  /** The reason for leaving, for the broker's log. */
  readonly reason: string;
}

/** One error code for the request and, from version 3, one per member. */
export interface LeaveGroupResponse {
  readonly errorCode: number;
  readonly members: readonly (LeavingMember & { readonly errorCode: number })[];
}

/** LeaveGroup (key 13). */
export const leaveGroup: Api<LeaveGroupRequest, LeaveGroupResponse> = adapted({
  name: 'LeaveGroup',
  key: 13,
  min: 1,
  max: 5,
  flexibleFrom: 4,
  target: ({ group }) => ({ group }),
  repeatable: true,
  errorCode: (response) => response.errorCode,
  encode(writer, request, version) {
    writer.string(request.group);
    if (version < 3) writer.string(request.members[0]?.memberId ?? '');
    else {
      writer.array(request.members, (member) => {
        writer.string(member.memberId);
        writer.nullableString(member.instanceId);
        if (version >= 5) writer.nullableString(request.reason);
        writer.tags();
      });
    }
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const errorCode = reader.int16();
    const members =
      version < 3
        ? []
        : reader.array(() => {
            const member = {
              memberId: reader.string(),
              instanceId: reader.nullableString(),
              errorCode: reader.int16(),
            };
            reader.tags();
            return member;
          });
    reader.tags();
    return { throttleMs, errorCode, members };
  },
});
