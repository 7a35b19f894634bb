import type { Api } from './api.ts';

/** A member to remove. */
export interface LeavingMember {
  readonly memberId: string;
  /** Removes a static member by name; undefined otherwise. */
  readonly instanceId: string | undefined;
}

/** Takes members out of a group. Before version 3 a request names one only: the first is sent. */
export interface LeaveGroupRequest {
  readonly group: string;
  readonly members: readonly LeavingMember[];
  /** Why, for the broker's log. */
  readonly reason: string;
}

/** One code for the request, one per member from version 3 on. */
export interface LeaveGroupResponse {
  readonly errorCode: number;
  readonly members: readonly (LeavingMember & { readonly errorCode: number })[];
}

/** LeaveGroup (key 13). */
export const leaveGroup: Api<LeaveGroupRequest, LeaveGroupResponse> = {
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
};
