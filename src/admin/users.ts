import { pathOf } from '../net/http-call.ts';
import type { AccessCalls } from './access-rows.ts';
import { badAnswer } from './answer-error.ts';
import type { Api, Call } from './api.ts';

/** The calls about users with SCRAM credentials. */
export function openUserCalls(api: Api): Pick<AccessCalls, 'users' | 'createUser' | 'updateUser' | 'deleteUser'> {
  return {
    users: (from = 'any') =>
      api.call({ doing: 'read the users', method: 'GET', path: '/v1/security/users', to: from, read: readUsers }),
    createUser: ({ user, password, mechanism }) =>
      api.call({
        ...change(`create user "${user}"`, '/v1/security/users'),
        method: 'POST',
        body: { username: user, password, algorithm: mechanism },
        holdsPassword: true,
        hides: password,
      }),
    updateUser: ({ user, password, mechanism }) =>
      api.call({
        ...change(`update user "${user}"`, pathOf`/v1/security/users/${user}`),
        method: 'PUT',
        body: { password, algorithm: mechanism },
        holdsPassword: true,
        hides: password,
      }),
    deleteUser: (user) =>
      api.call({ ...change(`delete user "${user}"`, pathOf`/v1/security/users/${user}`), method: 'DELETE' }),
  };
}

/**
 * A change of a user. It can be repeated: the server accepts a second creation with the same password, replaces a
 * credential by the same one, and accepts the deletion of a user that is gone.
 */
function change(doing: string, path: string): Omit<Call<void>, 'method'> {
  return { doing, path, to: 'leader', repeats: true, read: () => undefined };
}

function readUsers(body: unknown, what: string): readonly string[] {
  if (!Array.isArray(body) || body.some((one) => typeof one !== 'string')) throw badAnswer(what, 'list of users');
  return [...body].sort();
}
