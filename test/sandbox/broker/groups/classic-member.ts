import { heartbeat } from '../../../../src/kafka/protocol/wire/apis/heartbeat.ts';
import { joinGroup } from '../../../../src/kafka/protocol/wire/apis/join-group.ts';
import { syncGroup } from '../../../../src/kafka/protocol/wire/apis/sync-group.ts';
import type { RawClient } from '../client.ts';

/** The properties of a joining member. */
export interface Joining {
  readonly memberId?: string;
  readonly groupInstanceId?: string;
  readonly protocols?: readonly string[];
  readonly protocolType?: string | undefined;
  readonly sessionTimeoutMs?: number;
  readonly version?: number;
}

/** Sends a JoinGroup request for group `g`. */
export function join(client: RawClient, joining: Joining = {}) {
  const { memberId = '', groupInstanceId, protocols = ['range'], version = 9 } = joining;
  return client.ask(
    joinGroup,
    {
      groupId: 'g',
      sessionTimeoutMs: joining.sessionTimeoutMs ?? 10_000,
      rebalanceTimeoutMs: 60_000,
      memberId,
      groupInstanceId,
      protocolType: joining.protocolType ?? 'consumer',
      protocols: protocols.map((name) => ({ name, metadata: Buffer.from(`${name} of it`) })),
    },
    version,
  );
}

/** Sends a SyncGroup request for group `g`; `shares` is keyed by member id. */
export function sync(
  client: RawClient,
  member: { readonly memberId: string; readonly generationId: number },
  shares = {},
) {
  const assignments = Object.entries(shares).map(([memberId, text]) => ({
    memberId,
    assignment: Buffer.from(String(text)),
  }));
  const protocol = { protocolType: 'consumer', protocolName: 'range' };
  return client.ask(syncGroup, { ...protocol, groupId: 'g', ...member, assignments });
}

/** Sends a Heartbeat request for group `g`. */
export function beat(client: RawClient, memberId: string, generationId: number, groupInstanceId?: string) {
  return client.ask(heartbeat, { groupId: 'g', memberId, generationId, groupInstanceId });
}
