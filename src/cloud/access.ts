import type { Api } from './api/api.ts';
import { lostBinding, lostServiceAccount } from './api/lost-answer.ts';
import { answerOf, getOne, listAll, listsOf, pathOfAll } from './api/resources.ts';
import type { Cloud } from './cloud.ts';
import { newServiceAccount, roleBinding, serviceAccount, user } from './cloud-rows.ts';

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
  return {
    listRoleBindings: (filters = {}) => listAll(api, roleBinding, filters),
    getRoleBinding: (id) => getOne(api, roleBinding, id),
    createRoleBinding: (fields) =>
      api.change({
        doing: `create the role binding for ${fields.account_id}`,
        method: 'POST',
        path: pathOfAll(roleBinding),
        body: fields,
        read: answerOf(roleBinding),
        look: () => lostBinding(lists, fields),
      }),
    getUser: (id) => getOne(api, user, id),
    createServiceAccount(fields) {
      const sentAt = Date.now();
      return api.change({
        doing: `create the service account "${fields.name}"`,
        method: 'POST',
        path: pathOfAll(serviceAccount),
        body: { service_account: fields },
        read: answerOf(newServiceAccount),
        look: () => lostServiceAccount(lists, fields, sentAt),
      });
    },
    listServiceAccounts: () => listAll(api, serviceAccount, {}),
    getServiceAccount: (id) => getOne(api, serviceAccount, id),
  };
}
