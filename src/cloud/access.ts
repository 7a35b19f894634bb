import { pathOf } from '../net/json-api/call.ts';
import type { Api } from './api/api.ts';
import { listsOf } from './api/lists.ts';
import { lostBinding, lostServiceAccount } from './api/lost-answer.ts';
import { readNewServiceAccount, readRoleBinding, readServiceAccount, readUser } from './api/read-row.ts';
import type { Cloud } from './cloud.ts';

type Calls = Pick<
  Cloud,
  | 'listRoleBindings'
  | 'getRoleBinding'
  | 'createRoleBinding'
  | 'getUser'
  | 'createServiceAccount'
  | 'listServiceAccounts'
  | 'getServiceAccount'
>;

/** The calls for access control: role bindings, users and service accounts. */
export function openAccessCalls(api: Api): Calls {
  const lists = listsOf(api);
  const at = (root: string, id: string): string => `${root}${pathOf`/${id}`}`;
  return {
    listRoleBindings: (filters = {}) => lists.roleBindings(filters),
    getRoleBinding: async (id) =>
      readRoleBinding(await api.get({ doing: `read the role binding ${id}`, path: at('/v1/role-bindings', id) })),
    createRoleBinding: (fields) =>
      api.change({
        doing: `create the role binding for ${fields.account_id}`,
        method: 'POST',
        path: '/v1/role-bindings',
        body: fields,
        read: readRoleBinding,
        look: () => lostBinding(lists, fields),
      }),
    getUser: async (id) => readUser(await api.get({ doing: `read the user ${id}`, path: at('/v1/users', id) })),
    createServiceAccount(fields) {
      const sentAt = Date.now();
      return api.change({
        doing: `create the service account "${fields.name}"`,
        method: 'POST',
        path: '/v1/service-accounts',
        body: { service_account: fields },
        read: readNewServiceAccount,
        look: () => lostServiceAccount(lists, fields, sentAt),
      });
    },
    listServiceAccounts: () => lists.serviceAccounts(),
    getServiceAccount: async (id) =>
      readServiceAccount(
        await api.get({ doing: `read the service account ${id}`, path: at('/v1/service-accounts', id) }),
      ),
  };
}
