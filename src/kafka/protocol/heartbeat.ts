import { type Api, adapted } from './api.ts';

/** Reports that a member is alive. */
export interface HeartbeatRequest {
  readonly group: string;
  readonly generation: number;
  readonly memberId: string;
  readonly instanceId: string | undefined;
}

/** The answer to a heartbeat; REBALANCE_IN_PROGRESS (27) in `errorCode` asks the member to rejoin. */
export interface HeartbeatResponse {
  readonly errorCode: number;
}

/** Heartbeat (key 12) of the classic group protocol. */
export const heartbeat: Api<HeartbeatRequest, HeartbeatResponse> = adapted({
  name: 'Heartbeat',
  key: 12,
  min: 1,
  max: 4,
  flexibleFrom: 4,
  target: ({ group }) => ({ group }),
  errorCode: (response) => response.errorCode,
  repeatable: true,
  encode(writer, request, version) {
    writer.string(request.group);
    writer.int32(request.generation);
    writer.string(request.memberId);
    if (version >= 3) writer.nullableString(request.instanceId);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const errorCode = reader.int16();
    reader.tags();
    return { throttleMs, errorCode };
  },
});
