import { CliError, exitCodes } from '../../errors.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { inside, listOf, sorted, string } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import { type AccessCalls, roleMember } from './access-rows.ts';

const roleNames = inside('roles', sorted(listOf(inside('name', string)), byName));
const members = inside(
  'members',
  sorted(listOf(roleMember), (a, b) => byName(a.name, b.name)),
);

function byName(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A repeated change finds the work of the first done, and succeeds without changing anything. */
const change = { to: 'leader', repeats: true } as const;

/** The calls about roles. */
export function openRoleCalls(
  api: Api,
): Pick<AccessCalls, 'roles' | 'roleMembers' | 'createRole' | 'deleteRole' | 'changeMembers'> {
  const roles: AccessCalls['roles'] = async ({ prefix, user } = {}) => {
    try {
      const query = { filter: prefix, principal: user, principal_type: user === undefined ? undefined : 'User' };
      return await api.call(calls.get('read the roles', '/v1/security/roles', roleNames, { query, form: 'roles' }));
    } catch (error) {
      throw hasStatus(error, 404) ? noRoles() : error;
    }
  };
  return {
    roles,
    async roleMembers(role, from = 'any') {
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
    createRole: (role) =>
      api.call(calls.post(`create role "${role}"`, '/v1/security/roles', { ...change, body: { role } })),
    deleteRole: (role, deletesAcls) =>
      api.call(
        calls.delete(`delete role "${role}"`, pathOf`/v1/security/roles/${role}`, {
          ...change,
          query: { delete_acls: deletesAcls },
        }),
      ),
    changeMembers: (role, { add = [], remove = [] }) =>
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
