import { byName, compareText } from '../../format/order.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { inside, listOf, sorted, string } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import { rpc } from '../client/rpc.ts';
import { type AdminPassword, type ReadFrom, ScramCredential } from './access-rows.ts';

const names = sorted(listOf(string), compareText);
const credentials = inside('scramCredentials', sorted(listOf(ScramCredential), byName));

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
    /** The SCRAM credentials, sorted by user. @throws CliError (UNSUPPORTED_VERSION) before Redpanda 26.1 */
    scramCredentials: () =>
      api.call(
        rpc('SecurityService/ListScramCredentials', {
          ...{ doing: 'read the users', changes: false, form: 'list of users' },
          needs: { what: 'lists of SCRAM credentials', since: '26.1' },
          answer: credentials,
        }),
      ),
    /** Creates a user; one that exists with the same password and mechanism is no error. */
    createUser: ({ user, password, mechanism }: AdminPassword) =>
      api.call(
        calls.post(`create user "${user}"`, pathOf`/v1/security/users`, {
          ...change,
          ...holding(password),
          body: { username: user, password, algorithm: mechanism },
        }),
      ),
    /** Replaces the credential of a user. */
    updateUser: ({ user, password, mechanism }: AdminPassword) =>
      api.call(
        calls.put(`update user "${user}"`, pathOf`/v1/security/users/${user}`, {
          ...change,
          ...holding(password),
          body: { password, algorithm: mechanism },
        }),
      ),
    /** Deletes a user; one that does not exist is no error. */
    deleteUser: (user: string) =>
      api.call(calls.delete(`delete user "${user}"`, pathOf`/v1/security/users/${user}`, change)),
  };
}

function holding(password: string) {
  return { holdsPassword: true, secrets: [password] } as const;
}
