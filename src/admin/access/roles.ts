import { CliError, exitCodes } from '../../errors.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import type { Api, Call } from '../client/api.ts';
import { listIn, needText } from '../client/read.ts';
import type { AccessCalls, RoleMember } from './access-rows.ts';

/** The calls about roles. */
export function openRoleCalls(
  api: Api,
): Pick<AccessCalls, 'roles' | 'roleMembers' | 'createRole' | 'deleteRole' | 'changeMembers'> {
  const roles: AccessCalls['roles'] = async ({ prefix, user } = {}) => {
    try {
      return await api.call({
        doing: 'read the roles',
        method: 'GET',
        path: '/v1/security/roles',
        query: { filter: prefix, principal: user, principal_type: user === undefined ? undefined : 'User' },
        read: readRoles,
      });
    } catch (error) {
      throw hasStatus(error, 404) ? noRoles() : error;
    }
  };
  return {
    roles,
    async roleMembers(role, from = 'any') {
      try {
        return await api.call({
          doing: `read the members of role "${role}"`,
          method: 'GET',
          path: pathOf`/v1/security/roles/${role}/members`,
          to: from,
          read: readMembers,
        });
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
        // An answer without a code of its own may also mean that there are no roles at all.
        if (error.number !== unknownRole) await roles({ prefix: role });
        return undefined;
      }
    },
    createRole: (role) =>
      api.call({ ...change(`create role "${role}"`, '/v1/security/roles'), method: 'POST', body: { role } }),
    deleteRole: (role, deletesAcls) =>
      api.call({
        ...change(`delete role "${role}"`, pathOf`/v1/security/roles/${role}`),
        method: 'DELETE',
        query: { delete_acls: deletesAcls },
      }),
    changeMembers: (role, { add = [], remove = [] }) =>
      api.call({
        ...change(`change the members of role "${role}"`, pathOf`/v1/security/roles/${role}/members`),
        method: 'POST',
        body: { add, remove },
      }),
  };
}

/** The code inside an answer about a role that does not exist. */
const unknownRole = 40_401;

/** A change of a role. A repeated one finds the work of the first done, and succeeds without changing anything. */
function change(doing: string, path: string): Omit<Call<void>, 'method'> {
  return { doing, path, to: 'leader', repeats: true, read: () => undefined };
}

function readRoles(body: unknown, what: string): readonly string[] {
  return listIn(body, 'roles', what)
    .map((one) => needText(one, 'name', what))
    .sort();
}

function readMembers(body: unknown, what: string): readonly RoleMember[] {
  return listIn(body, 'members', what)
    .map((one) => ({ name: needText(one, 'name', what), principal_type: needText(one, 'principal_type', what) }))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function noRoles(): CliError {
  return new CliError(exitCodes.failure, 'the Admin API of this cluster has no roles', {
    code: 'UNSUPPORTED_VERSION',
    hints: ['roles need Redpanda 24.1 or newer'],
  });
}
