import type { ReadRequestOf } from '../../../kafka/protocol/wire/api.ts';
import { alterUserScramCredentials } from '../../../kafka/protocol/wire/apis/alter-user-scram-credentials.ts';
import { describeUserScramCredentials } from '../../../kafka/protocol/wire/apis/describe-user-scram-credentials.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Problem } from '../cluster-parts.ts';
import { type Handler, handler } from '../serve/handler.ts';

/** A user has one credential: a mechanism, by its number, and its iterations. The password is not kept: nobody signs in. */
interface Credential {
  readonly mechanism: number;
  readonly iterations: number;
}

type Users = Map<string, Credential>;

type AlterRequest = ReadRequestOf<typeof alterUserScramCredentials>;
type Upsertion = AlterRequest['upsertions'][number];
type Deletion = AlterRequest['deletions'][number];

const iterationRange = [4096, 16_384] as const;

/** The handlers of SCRAM users as Redpanda 26.1 has them: handlers/alter_user_scram_credentials.cc and describe_…. */
export function createUserHandlers(): readonly Handler[] {
  const users: Users = new Map();
  return [describeHandler(users), alterHandler(users)];
}

function describeHandler(users: Users): Handler {
  return handler(describeUserScramCredentials, {
    handle(_context, { users: asked = [] }) {
      const names = asked.length === 0 ? [...users.keys()] : asked.map(({ name }) => name);
      const results = [...new Set(names)].map((user) => {
        const credential = users.get(user);
        const answer = { user, errorCode: codes.NONE, errorMessage: undefined };
        if (credential !== undefined) return { ...answer, credentialInfos: [credential] };
        return { ...answer, errorCode: codes.RESOURCE_NOT_FOUND, errorMessage: 'no such user', credentialInfos: [] };
      });
      return { errorCode: codes.NONE, errorMessage: undefined, results };
    },
    refuse: (_request, errorCode) => ({ errorCode, errorMessage: undefined, results: [] }),
  });
}

function alterHandler(users: Users): Handler {
  return handler(alterUserScramCredentials, {
    handle(_context, { upsertions, deletions }) {
      const names = [...upsertions, ...deletions].map(({ name }) => name);
      const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
      const problems = new Map<string, Problem | undefined>();
      for (const one of upsertions) problems.set(one.name, isTwice(one.name) ? twice : upsert(users, one));
      for (const one of deletions) problems.set(one.name, isTwice(one.name) ? twice : remove(users, one));
      return { results: [...problems].map(([user, problem]) => result(user, problem)) };
    },
    refuse: ({ upsertions, deletions }, code) => ({
      results: [...upsertions, ...deletions].map(({ name }) => result(name, { code, message: '' })),
    }),
  });
}

function result(user: string, { code, message }: Problem = { code: codes.NONE, message: '' }) {
  return { user, errorCode: code, errorMessage: message === '' ? undefined : message };
}

const twice: Problem = { code: codes.DUPLICATE_RESOURCE, message: 'a request may change a user only once' };

/** Sets the credential of a user, in place of any that it has, of whatever mechanism. */
function upsert(users: Users, { name, mechanism, iterations }: Upsertion): Problem | undefined {
  const unacceptable = (message: string): Problem => ({ code: codes.UNACCEPTABLE_CREDENTIAL, message });
  if (!/^[^=,\0]+$/.test(name)) return unacceptable('Invalid SCRAM username');
  if (mechanism !== 1 && mechanism !== 2)
    return { code: codes.UNSUPPORTED_SASL_MECHANISM, message: 'Unknown SCRAM mechanism' };
  const [least, most] = iterationRange;
  if (iterations < least || iterations > most)
    return unacceptable(iterations > most ? 'Too many iterations' : 'Too few iterations');
  users.set(name, { mechanism, iterations });
  return undefined;
}

function remove(users: Users, { name, mechanism }: Deletion): Problem | undefined {
  if (users.get(name)?.mechanism !== mechanism)
    return { code: codes.RESOURCE_NOT_FOUND, message: 'the user has no such credential' };
  users.delete(name);
  return undefined;
}
