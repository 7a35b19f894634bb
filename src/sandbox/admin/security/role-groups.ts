import { list, object, optional, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { AdminError, notFound } from '../admin-error.ts';
import { type AdminRequest, by, ok, type Route, readJson, route } from '../request.ts';
import type { World } from '../world.ts';

const service = '/redpanda.core.admin.v2.SecurityService';

/**
 * The calls of version 2 of the Admin API about the members of roles, which can be groups
 * (redpanda 26: proto/redpanda/core/admin/v2/security.proto). Earlier releases do not have them.
 */
export const groupRoutes: readonly Route[] = [
  route('v2.roles.get', `POST ${service}/GetRole`, by.superuser, since26(get)),
  route('v2.roles.list', `POST ${service}/ListRoles`, by.superuser, since26(listAll)),
  route('v2.roles.members.add', `POST ${service}/AddRoleMembers`, by.forwarded, since26(add)),
  route('v2.roles.members.remove', `POST ${service}/RemoveRoleMembers`, by.forwarded, since26(remove)),
];

/** The type and the name of a member that is stored as a principal. */
export function memberOf(principal: string): { readonly type: string; readonly name: string } {
  const [type = '', ...name] = principal.split(':');
  return { type, name: name.join(':') };
}

function since26(handle: Route['handle']): Route['handle'] {
  return (world, request) => {
    if (world.settings.release === '24.3') throw notFound('Not found');
    return handle(world, request);
  };
}

function principalsOf({ state }: World, name: string): Set<string> {
  const principals = state.roles.get(name);
  const message = `Role '${name}' does not exist`;
  if (principals === undefined) throw new AdminError(404, message, { code: 'not_found', message });
  return principals;
}

function show(name: string, principals: Iterable<string>) {
  const members = [...principals].sort().map(memberOf);
  return {
    name,
    members: members.map(({ type, name: member }) => ({ [type === 'User' ? 'user' : 'group']: { name: member } })),
  };
}

const getBody = object({ name: text });

function get(world: World, request: AdminRequest): Reply {
  const { name } = readJson(request, getBody);
  return ok({ role: show(name, principalsOf(world, name)) });
}

function listAll({ state }: World): Reply {
  return ok({ roles: [...state.roles].map(([name, principals]) => show(name, principals)) });
}

const named = object({ name: text });
const changeBody = object({
  roleName: text,
  members: list(object({ user: optional(named), group: optional(named) })),
});

function readChange(world: World, request: AdminRequest) {
  const { roleName, members } = readJson(request, changeBody);
  const principals = members.map(({ user, group }) =>
    user === undefined ? `Group:${group?.name}` : `User:${user.name}`,
  );
  return { roleName, principals, current: principalsOf(world, roleName) };
}

function add(world: World, request: AdminRequest): Reply {
  const { roleName, principals, current } = readChange(world, request);
  for (const one of principals) current.add(one);
  return ok({ role: show(roleName, current) });
}

function remove(world: World, request: AdminRequest): Reply {
  const { roleName, principals, current } = readChange(world, request);
  for (const one of principals) current.delete(one);
  return ok({ role: show(roleName, current) });
}
