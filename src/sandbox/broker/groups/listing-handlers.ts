import { deleteGroups } from '../../../kafka/protocol/wire/apis/delete-groups.ts';
import { describeGroups } from '../../../kafka/protocol/wire/apis/describe-groups.ts';
import { listGroups } from '../../../kafka/protocol/wire/apis/list-groups.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { type Handler, handler } from '../serve/handler.ts';
import { describeGroup, listedGroup, undescribedGroup } from './describe.ts';
import type { GroupWorld } from './group.ts';
import { coordinatorCode } from './permission.ts';

/** The handlers of the APIs that list, describe and delete groups. */
export function listingHandlers(world: GroupWorld): readonly Handler[] {
  return [listHandler(world), describeHandler(world), deleteHandler(world)];
}

function listHandler({ groups }: GroupWorld): Handler {
  return handler(listGroups, {
    handle(context, { statesFilter, typesFilter }) {
      const fits = (filter: readonly string[], value: string): boolean =>
        filter.length === 0 || filter.some((one) => one.toLowerCase() === value.toLowerCase());
      const { cluster, broker } = context;
      const rows = [...groups.values()]
        .filter(({ groupId }) => cluster.coordinators.coordinatorOf('group', groupId) === broker)
        .map(listedGroup)
        .filter(({ groupState, groupType }) => fits(statesFilter, groupState) && fits(typesFilter, groupType));
      return { errorCode: codes.NONE, groups: rows };
    },
    refuse: (_request, errorCode) => ({ errorCode, groups: [] }),
  });
}

function describeHandler(world: GroupWorld): Handler {
  return handler(describeGroups, {
    handle: (context, request) => ({
      groups: request.groups.map((groupId) => {
        const code = coordinatorCode(context, groupId);
        return code === codes.NONE ? describeGroup(world, groupId, context.version) : undescribedGroup(groupId, code);
      }),
    }),
    refuse: (request, code) => ({ groups: request.groups.map((groupId) => undescribedGroup(groupId, code)) }),
  });
}

function deleteHandler(world: GroupWorld): Handler {
  return handler(deleteGroups, {
    handle: (context, { groupsNames }) => ({
      results: groupsNames.map((groupId) => ({
        groupId,
        errorCode: coordinatorCode(context, groupId) || deleteGroup(world, groupId),
      })),
    }),
    refuse: ({ groupsNames }, errorCode) => ({ results: groupsNames.map((groupId) => ({ groupId, errorCode })) }),
  });
}

function deleteGroup({ groups }: GroupWorld, groupId: string): number {
  const group = groups.get(groupId);
  if (group === undefined) return codes.GROUP_ID_NOT_FOUND;
  if (group.membership.members.size > 0) return codes.NON_EMPTY_GROUP;
  group.timers.cancelAll();
  groups.delete(groupId);
  return codes.NONE;
}
