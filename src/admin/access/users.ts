import { CliError, rephrased } from '../../errors.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { listOf, sorted, string } from '../../shape/shape.ts';
import { type Api, type Call, calls } from '../client/api.ts';
import type { AdminPassword, ReadFrom } from './access-rows.ts';

const names = sorted(listOf(string), (a, b) => (a < b ? -1 : Number(a > b)));

/**
 * A change of a user can be repeated: the server accepts a second creation with the same password, replaces a credential
 * by the same one, and accepts the deletion of a user that is gone.
 */
const change = { to: 'leader', repeats: true } as const;

/** The calls about users with SCRAM credentials. */
export function createUserCalls(api: Api) {
  return {
    /** The names of the users with SCRAM credentials, sorted. */
    users: (from: ReadFrom = 'any') =>
      api.call(calls.get('read the users', pathOf`/v1/security/users`, names, { to: from, form: 'list of users' })),
    /** Creates a user; one that exists with the same password and mechanism is no error. */
    createUser: ({ user, password, mechanism }: AdminPassword) =>
      setPassword(
        api,
        password,
        calls.post(`create user "${user}"`, pathOf`/v1/security/users`, {
          ...change,
          body: { username: user, password, algorithm: mechanism },
        }),
      ),
    /** Replaces the credential of a user. */
    updateUser: ({ user, password, mechanism }: AdminPassword) =>
      setPassword(
        api,
        password,
        calls.put(`update user "${user}"`, pathOf`/v1/security/users/${user}`, {
          ...change,
          body: { password, algorithm: mechanism },
        }),
      ),
    /** Deletes a user; one that does not exist is no error. */
    deleteUser: (user: string) =>
      api.call(calls.delete(`delete user "${user}"`, pathOf`/v1/security/users/${user}`, change)),
  };
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
