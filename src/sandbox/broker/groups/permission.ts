import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { RequestContext } from '../serve/handler.ts';
import type { Caller, Group, GroupWorld } from './group.ts';

/** The error code for a request to a broker that is not the group's coordinator or is not ready; 0 otherwise. */
export function coordinatorCode({ cluster, broker }: RequestContext, groupId: string): number {
  return cluster.coordinators.check(broker, 'group', groupId);
}

/** Identifies the sender of a request. All clients of the model are on this machine. */
export function callerOf({ clientId, version }: RequestContext): Caller {
  return { clientId: clientId ?? '', clientHost: '/127.0.0.1', apiVersion: version };
}

/** Returns the group if it has the type that a request needs, or an error code. */
export function groupFor<G extends Group>(
  { groups }: GroupWorld,
  context: RequestContext,
  { groupId, is }: { readonly groupId: string; readonly is: (group: Group) => group is G },
): G | number {
  if (groupId === '') return codes.INVALID_GROUP_ID;
  const code = coordinatorCode(context, groupId);
  if (code !== codes.NONE) return code;
  const group = groups.get(groupId);
  return group !== undefined && is(group) ? group : codes.UNKNOWN_MEMBER_ID;
}
