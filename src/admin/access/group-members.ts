import { type CliError, exitCodes, rephrased } from '../../errors.ts';
import { byName } from '../../format/order.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { inside, listOf, mapped, maybe, row, sorted, string } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
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

/**
 * The calls about roles whose members can be groups, which only version 2 of the Admin API takes and names
 * (redpanda 26: src/v/redpanda/admin/security.cc:367 and services/security.cc:213). A node that may not answer itself
 * asks the one that may.
 */
export function createGroupCalls(api: Api) {
  return {
    /** The members of a role, sorted. @throws ApiError (404) if there is no such role, or no version 2 of the API */
    async members(name: string): Promise<readonly RoleMember[]> {
      const more = { body: { name }, answer: role, form: 'role', changes: false, to: 'leader' } as const;
      return (await api.call(calls.post(`read the members of role "${name}"`, pathOfCall('GetRole'), more))).members;
    },
    /** The names of the roles with a member. */
    async rolesOf(one: RoleMember): Promise<readonly string[]> {
      const more = { body: {}, answer: roles, form: 'roles', changes: false } as const;
      const all = await api.call(calls.post('read the roles', pathOfCall('ListRoles'), more)).catch(asTooOld);
      const has = (two: RoleMember) => two.name === one.name && two.principal_type === one.principal_type;
      return all.filter(({ members }) => members.some(has)).map(({ name }) => name);
    },
    /** Adds or removes members; those that are there, or not there, already are no error. */
    async change(roleName: string, { add, remove }: MemberChange): Promise<void> {
      const members = (add ?? remove ?? []).map(({ name, principal_type: type }) =>
        type === 'Group' ? { group: { name } } : { user: { name } },
      );
      const path = pathOfCall(add === undefined ? 'RemoveRoleMembers' : 'AddRoleMembers');
      const more = { body: { roleName, members }, answer: role, form: 'role', repeats: true } as const;
      await api.call(calls.post(`change the members of role "${roleName}"`, path, more)).catch(asTooOld);
    },
  };
}

function pathOfCall(name: string) {
  return pathOf`/redpanda.core.admin.v2.SecurityService/${name}`;
}

function asTooOld(error: unknown): never {
  if (!hasStatus(error, 404)) throw error;
  throw tooOld(error);
}

function tooOld(error: CliError): CliError {
  return rephrased(error, 'the Admin API of this cluster knows no groups as members of roles', {
    exitCode: exitCodes.failure,
    code: 'UNSUPPORTED_VERSION',
    hints: ['groups as members need Redpanda 26.1 or newer'],
  });
}
