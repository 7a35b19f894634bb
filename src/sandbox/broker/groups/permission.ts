import { codes } from '../error-codes.ts';
import type { RequestContext } from '../serve/handler.ts';
import type { Caller, Group, GroupWorld } from './group.ts';

/** The code with which the broker refuses a request about this group, for being the wrong one or not ready. */
export function coordinatorCode({ cluster, broker }: RequestContext, groupId: string): number {
  return cluster.coordinators.check(broker, 'group', groupId);
}

/** Who sends the request. Every client of a model is on this machine. */
export function callerOf({ clientId, version }: RequestContext): Caller {
  return { clientId: clientId ?? '', clientHost: '/127.0.0.1', apiVersion: version };
}

/** The group in the form that a request needs, or the code that refuses it. */
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
