import { CliError, rephrased } from '../../errors.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { badAnswer } from '../client/answer-error.ts';
import type { Api, Call } from '../client/api.ts';
import type { AccessCalls } from './access-rows.ts';

/** The calls about users with SCRAM credentials. */
export function openUserCalls(api: Api): Pick<AccessCalls, 'users' | 'createUser' | 'updateUser' | 'deleteUser'> {
  return {
    users: (from = 'any') =>
      api.call({ doing: 'read the users', method: 'GET', path: '/v1/security/users', to: from, read: readUsers }),
    createUser: ({ user, password, mechanism }) =>
      setPassword(api, password, {
        ...change(`create user "${user}"`, '/v1/security/users'),
        method: 'POST',
        body: { username: user, password, algorithm: mechanism },
      }),
    updateUser: ({ user, password, mechanism }) =>
      setPassword(api, password, {
        ...change(`update user "${user}"`, pathOf`/v1/security/users/${user}`),
        method: 'PUT',
        body: { password, algorithm: mechanism },
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

/** Makes a call with a password, which no error shows even if the server repeats it. */
async function setPassword(api: Api, password: string, call: Call<void>): Promise<void> {
  try {
    await api.call({ ...call, holdsPassword: true });
  } catch (error) {
    // A shorter one occurs in other words by chance.
    if (!(error instanceof CliError) || password.length < 4 || !error.message.includes(password)) throw error;
    throw rephrased(error, error.message.replaceAll(password, '…'));
  }
}

function readUsers(body: unknown, what: string): readonly string[] {
  if (!Array.isArray(body) || body.some((one) => typeof one !== 'string')) throw badAnswer(what, 'list of users');
  return [...body].sort();
}
