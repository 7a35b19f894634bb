import { CliError, exitCodes } from '../../errors.ts';
import { byName, compareText } from '../../format/order.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { inside, listOf, sorted, string } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import { type MemberChange, type ReadFrom, RoleMember, type RoleQuery } from './access-rows.ts';
import { createGroupCalls } from './group-members.ts';

const roleNames = inside('roles', sorted(listOf(inside('name', string)), compareText));
const members = inside('members', sorted(listOf(RoleMember), byName));

/** A repeated change finds the work of the first done, and succeeds without changing anything. */
const repeated = { to: 'leader', repeats: true } as const;

/** The calls about roles. */
export function createRoleCalls(api: Api) {
  const groups = createGroupCalls(api);
  const roles = async ({ prefix, member }: RoleQuery = {}): Promise<readonly string[]> => {
    if (member !== undefined && isGroup(member)) {
      const names = await groups.rolesOf(member);
      return names.filter((name) => name.startsWith(prefix ?? '')).sort(compareText);
    }
    try {
      const query = { filter: prefix, principal: member?.name, principal_type: member?.principal_type };
      return await api.call(
        calls.get('read the roles', pathOf`/v1/security/roles`, roleNames, { query, form: 'roles' }),
      );
    } catch (error) {
      throw hasStatus(error, 404) ? noRoles() : error;
    }
  };
  return {
    /**
     * The names of the roles, sorted.
     * @throws CliError (exit 1) if the version of the server has no roles
     */
    roles,
    /** The members of a role, sorted; undefined if there is no such role. */
    async roleMembers(role: string, from: ReadFrom = 'any') {
      try {
        const path = pathOf`/v1/security/roles/${role}/members`;
        const more = { to: from, form: 'members' } as const;
        const named = await api.call(calls.get(`read the members of role "${role}"`, path, members, more));
        // It has no word for a group.
        return named.every(({ principal_type: type }) => type === 'User') ? named : await groups.members(role);
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
        // An answer without a code of its own may also mean that there are no roles at all.
        if (error.number !== unknownRole) await roles({ prefix: role });
        return undefined;
      }
    },
    /** Creates a role without members; a role without members that exists already is no error. */
    createRole: (role: string) =>
      api.call(calls.post(`create role "${role}"`, pathOf`/v1/security/roles`, { ...repeated, body: { role } })),
    /** Deletes a role, and if asked to, its ACLs; a role that does not exist is no error. */
    deleteRole: (role: string, deletesAcls: boolean) =>
      api.call(
        calls.delete(`delete role "${role}"`, pathOf`/v1/security/roles/${role}`, {
          ...repeated,
          query: { delete_acls: deletesAcls },
        }),
      ),
    /** Adds or removes members; those that are there, or not there, already are no error. */
    changeMembers: (role: string, change: MemberChange) =>
      [...(change.add ?? []), ...(change.remove ?? [])].some(isGroup)
        ? groups.change(role, change)
        : changeUsers(api, role, change),
  };
}

function isGroup({ principal_type: type }: RoleMember): boolean {
  return type === 'Group';
}

function changeUsers(api: Api, role: string, { add = [], remove = [] }: MemberChange): Promise<void> {
  return api.call(
    calls.post(`change the members of role "${role}"`, pathOf`/v1/security/roles/${role}/members`, {
      ...repeated,
      body: { add, remove },
    }),
  );
}

/** The code inside an answer about a role that does not exist. */
const unknownRole = 40_401;

function noRoles(): CliError {
  return new CliError(exitCodes.failure, 'the Admin API of this cluster has no roles', {
    code: 'UNSUPPORTED_VERSION',
    hints: ['roles need Redpanda 24.1 or newer'],
  });
}
