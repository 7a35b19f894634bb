import { compareText } from '../../format/order.ts';
import { at, inside, listOf, row, sorted, string } from '../../shape/shape.ts';
import type { Api } from '../client/api.ts';
import { timestamp } from '../client/proto-json.ts';
import { rpc } from '../client/rpc.ts';
import type { CurrentUser } from './access-rows.ts';

const needs = { what: 'calls about the current user', since: '26.1' } as const;
const read = { doing: 'read who the user is', needs, changes: false } as const;
const names = sorted(listOf(string), compareText);

const currentRoles = rpc('SecurityService/ListCurrentUserRoles', { ...read, answer: inside('roles', names) });
const ownerOfToken = rpc('SecurityService/ResolveOidcIdentity', {
  ...read,
  answer: row({ principal: string, expire: at('expire', timestamp), groups: names }),
});

/** The calls about who the requests come from. */
export function createCurrentUserCalls(api: Api) {
  return {
    /** The user, its roles and what its token says. The server names only the owner of a token. */
    async currentUser(): Promise<CurrentUser> {
      const roles = await api.call(currentRoles);
      if (api.login !== 'token') return { user: api.login?.user ?? null, roles, groups: null, token_expires_at: null };
      const { principal, expire, groups } = await api.call(ownerOfToken);
      return { user: principal, roles, groups, token_expires_at: expire };
    },
  };
}
