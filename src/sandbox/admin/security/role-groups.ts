import { list, object, optional, text } from '../../http/readers.ts';
import { by, type Route } from '../request.ts';
import { rpc, rpcError } from '../rpc.ts';
import type { World } from '../world.ts';

const named = object({ name: text });
const changeBody = object({
  roleName: text,
  members: list(object({ user: optional(named), group: optional(named) })),
});

/**
 * The calls of version 2 of the Admin API about the members of roles, which can be groups
 * (redpanda 26: proto/redpanda/core/admin/v2/security.proto).
 */
export const groupRoutes: readonly Route[] = [
  rpc('v2.roles.get', 'SecurityService/GetRole', {
    since: '26.1',
    body: named,
    handle: (world, { name }) => ({ role: show(name, principalsOf(world, name)) }),
  }),
  rpc('v2.roles.list', 'SecurityService/ListRoles', {
    since: '26.1',
    body: object({}),
    handle: ({ state }) => ({ roles: [...state.roles].map(([name, principals]) => show(name, principals)) }),
  }),
  change('v2.roles.members.add', 'AddRoleMembers', (current, one) => current.add(one)),
  change('v2.roles.members.remove', 'RemoveRoleMembers', (current, one) => current.delete(one)),
];

function change(name: string, method: string, make: (current: Set<string>, principal: string) => unknown): Route {
  return rpc(name, `SecurityService/${method}`, {
    since: '26.1',
    body: changeBody,
    who: by.forwarded,
    handle(world, { roleName, members }) {
      const current = principalsOf(world, roleName);
      for (const { user, group } of members) {
        make(current, user === undefined ? `Group:${group?.name}` : `User:${user.name}`);
      }
      return { role: show(roleName, current) };
    },
  });
}

/** The type and the name of a member that is stored as a principal. */
export function memberOf(principal: string): { readonly type: string; readonly name: string } {
  const [type = '', ...name] = principal.split(':');
  return { type, name: name.join(':') };
}

function principalsOf({ state }: World, name: string): Set<string> {
  const principals = state.roles.get(name);
  if (principals === undefined) throw rpcError('not_found', `Role '${name}' does not exist`);
  return principals;
}

function show(name: string, principals: Iterable<string>) {
  const members = [...principals].sort().map(memberOf);
  return {
    name,
    members: members.map(({ type, name: member }) => ({ [type === 'User' ? 'user' : 'group']: { name: member } })),
  };
}
