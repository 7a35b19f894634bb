import { type Api, adapted } from './api.ts';

/** Submits (from the leader) or requests (from other members) the assignment of a generation. */
export interface SyncGroupRequest {
  readonly group: string;
  readonly generation: number;
  readonly memberId: string;
  readonly instanceId: string | undefined;
  readonly protocol: string;
  /** Empty except for the leader. */
  readonly assignments: readonly { readonly memberId: string; readonly assignment: Uint8Array }[];
}

/** The member's own assignment. */
export interface SyncGroupResponse {
  readonly errorCode: number;
  readonly assignment: Buffer;
}

/** SyncGroup (key 14) of the classic group protocol. */
export const syncGroup: Api<SyncGroupRequest, SyncGroupResponse> = adapted({
  name: 'SyncGroup',
  key: 14,
  min: 1,
  max: 5,
  flexibleFrom: 4,
  target: ({ group }) => ({ group }),
  errorCode: (response) => response.errorCode,
  repeatable: true,
  held: true,
  encode(writer, request, version) {
    writer.string(request.group);
    writer.int32(request.generation);
    writer.string(request.memberId);
    if (version >= 3) writer.nullableString(request.instanceId);
    if (version >= 5) {
      writer.nullableString('consumer');
      writer.nullableString(request.protocol);
    }
    writer.array(request.assignments, (assignment) => {
      writer.string(assignment.memberId);
      writer.bytes(assignment.assignment);
      writer.tags();
    });
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const errorCode = reader.int16();
    if (version >= 5) {
      reader.nullableString();
      reader.nullableString();
    }
    const assignment = reader.bytes();
    reader.tags();
    return { throttleMs, errorCode, assignment };
  },
});
