import type { ReadRequestOf, WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import type { consumerGroupHeartbeat } from '../../../kafka/protocol/wire/apis/consumer-group-heartbeat.ts';
import type { heartbeat } from '../../../kafka/protocol/wire/apis/heartbeat.ts';
import type { joinGroup } from '../../../kafka/protocol/wire/apis/join-group.ts';
import type { syncGroup } from '../../../kafka/protocol/wire/apis/sync-group.ts';

/** A decoded JoinGroup request. */
export type JoinGroupRequest = ReadRequestOf<typeof joinGroup>;
/** A JoinGroup response; only the leader's lists the members. */
export type JoinGroupResponse = WrittenResponseOf<typeof joinGroup>;
/** A decoded SyncGroup request; only the leader's has assignments. */
export type SyncGroupRequest = ReadRequestOf<typeof syncGroup>;
/** A SyncGroup response. */
export type SyncGroupResponse = WrittenResponseOf<typeof syncGroup>;
/** A decoded Heartbeat request. */
export type HeartbeatRequest = ReadRequestOf<typeof heartbeat>;
/** A decoded ConsumerGroupHeartbeat request. */
export type ConsumerGroupHeartbeatRequest = ReadRequestOf<typeof consumerGroupHeartbeat>;
/** A ConsumerGroupHeartbeat response. */
export type ConsumerGroupHeartbeatResponse = WrittenResponseOf<typeof consumerGroupHeartbeat>;

/** Builds the response to a failed JoinGroup. */
export function joinError(errorCode: number, memberId: string): JoinGroupResponse {
  return { errorCode, generationId: -1, leader: '', memberId, members: [] };
}

/** Builds the response to a failed SyncGroup. */
export function syncError(errorCode: number): SyncGroupResponse {
  return { errorCode, assignment: new Uint8Array() };
}
