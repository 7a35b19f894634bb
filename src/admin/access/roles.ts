import { CliError, exitCodes } from '../../errors.ts';
import { byName, compareText } from '../../format/order.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { inside, listOf, sorted, string } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import { type MemberChange, type ReadFrom, RoleMember, type RoleQuery } from './access-rows.ts';

const roleNames = inside('roles', sorted(listOf(inside('name', string)), compareText));
const members = inside('members', sorted(listOf(RoleMember), byName));

/** A repeated change finds the work of the first done, and succeeds without changing anything. */
const change = { to: 'leader', repeats: true } as const;

/** The calls about roles. */
export function createRoleCalls(api: Api) {
  const roles = async ({ prefix, member }: RoleQuery = {}): Promise<readonly string[]> => {
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
        return await api.call(calls.get(`read the members of role "${role}"`, path, members, more));
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
        // An answer without a code of its own may also mean that there are no roles at all.
        if (error.number !== unknownRole) await roles({ prefix: role });
        return undefined;
      }
    },
    /** Creates a role without members; a role without members that exists already is no error. */
    createRole: (role: string) =>
      api.call(calls.post(`create role "${role}"`, pathOf`/v1/security/roles`, { ...change, body: { role } })),
    /** Deletes a role, and if asked to, its ACLs; a role that does not exist is no error. */
    deleteRole: (role: string, deletesAcls: boolean) =>
      api.call(
        calls.delete(`delete role "${role}"`, pathOf`/v1/security/roles/${role}`, {
          ...change,
          query: { delete_acls: deletesAcls },
        }),
      ),
    /** Adds or removes members; those that are there, or not there, already are no error. */
    changeMembers: (role: string, { add = [], remove = [] }: MemberChange) =>
      api.call(
        calls.post(`change the members of role "${role}"`, pathOf`/v1/security/roles/${role}/members`, {
          ...change,
          body: { add, remove },
        }),
      ),
  };
}

/** The code inside an answer about a role that does not exist. */
const unknownRole = 40_401;

function noRoles(): CliError {
  return new CliError(exitCodes.failure, 'the Admin API of this cluster has no roles', {
    code: 'UNSUPPORTED_VERSION',
    hints: ['roles need Redpanda 24.1 or newer'],
  });
}
