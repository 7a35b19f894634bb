import { byName } from '../../format/order.ts';
import { inside, listOf, mapped, maybe, row, sorted, string } from '../../shape/shape.ts';
import type { Api } from '../client/api.ts';
import { rpc } from '../client/rpc.ts';
import type { MemberChange, RoleMember } from './access-rows.ts';

/** A member of a role in version 2 of the API: one of the two fields is there. */
const member = mapped(
  row({ user: maybe(row({ name: string })), group: maybe(row({ name: string })) }),
  ({ user, group }): RoleMember => ({
    name: user?.name ?? group?.name ?? '',
    principal_type: user === null ? 'Group' : 'User',
  }),
);

const Role = row({ name: string, members: sorted(listOf(member), byName) });
const role = inside('role', Role);
const roles = inside('roles', listOf(Role));

const needs = { what: 'groups as members of roles', since: '26.1' } as const;

/**
 * The calls about roles whose members can be groups, which only version 2 of the Admin API takes and names
 * (redpanda 26: src/v/redpanda/admin/security.cc:367 and services/security.cc:213).
 */
export function createGroupCalls(api: Api) {
  return {
    /** The members of a role, sorted. @throws ApiError (404) if there is no such role */
    async members(name: string): Promise<readonly RoleMember[]> {
      const doing = `read the members of role "${name}"`;
      const more = { needs, body: { name }, answer: role, form: 'role', changes: false, to: 'leader' } as const;
      return (await api.call(rpc('SecurityService/GetRole', { doing, ...more }))).members;
    },
    /** The names of the roles with a member. */
    async rolesOf(one: RoleMember): Promise<readonly string[]> {
      const more = { needs, answer: roles, form: 'roles', changes: false } as const;
      const all = await api.call(rpc('SecurityService/ListRoles', { doing: 'read the roles', ...more }));
      const has = (two: RoleMember) => two.name === one.name && two.principal_type === one.principal_type;
      return all.filter(({ members }) => members.some(has)).map(({ name }) => name);
    },
    /** Adds or removes members; those that are there, or not there, already are no error. */
    async change(roleName: string, { add, remove }: MemberChange): Promise<void> {
      const members = (add ?? remove ?? []).map(({ name, principal_type: type }) =>
        type === 'Group' ? { group: { name } } : { user: { name } },
      );
      const doing = `change the members of role "${roleName}"`;
      const more = { needs, body: { roleName, members }, answer: role, form: 'role', repeats: true } as const;
      await api.call(rpc(`SecurityService/${add === undefined ? 'Remove' : 'Add'}RoleMembers`, { doing, ...more }));
    },
  };
}
