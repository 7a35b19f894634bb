import { object, oneOf, text } from '../../http/readers.ts';
import { param, type Reply } from '../../http/reply.ts';
import { badRequest, unexpected } from '../admin-error.ts';
import { algorithms, isPassword, makeCredential } from '../credentials.ts';
import { type AdminRequest, by, done, ok, type Route, readJson, route } from '../request.ts';
import { rpc, rpcError } from '../rpc.ts';
import type { World } from '../world.ts';

const none = { since: '26.1', body: object({}) } as const;

/** The routes of SCRAM users, and of the current one. */
export const userRoutes: readonly Route[] = [
  route('users.list', 'GET /v1/security/users', by.superuser, list),
  route('users.create', 'POST /v1/security/users', by.controller, create),
  route('users.update', 'PUT /v1/security/users/{user}', by.controller, update),
  route('users.delete', 'DELETE /v1/security/users/{user}', by.controller, remove),
  rpc('v2.users.list', 'SecurityService/ListScramCredentials', { ...none, handle: credentials }),
  rpc('v2.user.roles', 'SecurityService/ListCurrentUserRoles', { ...none, who: by.user, handle: currentRoles }),
  rpc('v2.user.token', 'SecurityService/ResolveOidcIdentity', {
    ...{ ...none, who: by.user },
    handle() {
      throw rpcError('failed_precondition', 'SASL mechanism is not OIDC');
    },
  }),
];

const newUser = object({ username: text, password: text, algorithm: oneOf(...algorithms) });
const newPassword = object({ password: text, algorithm: oneOf(...algorithms) });
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what the API refuses
const controlCharacter = /[\u0000-\u001f\u007f]/;

async function list({ view }: World): Promise<Reply> {
  return ok([...(await view.read()).users].sort());
}

/** Nothing tells when the password of a user that Kafka has stored was set. */
async function credentials({ view, state }: World) {
  const { users, mechanisms } = await view.read();
  return {
    scramCredentials: [...users].sort().map((name) => {
      const { algorithm = 'SCRAM-SHA-256', setAt = 0 } = state.users.get(name) ?? {};
      return {
        name,
        mechanism: `SCRAM_MECHANISM_${(mechanisms?.get(name) ?? algorithm).replaceAll('-', '_')}`,
        password: '',
        passwordSetAt: new Date(setAt).toISOString().replace('Z', '000000Z'),
      };
    }),
  };
}

function currentRoles({ state }: World, _: unknown, { user }: AdminRequest) {
  return { roles: [...state.roles].filter(([, members]) => members.has(`User:${user}`)).map(([name]) => name) };
}

async function create(world: World, request: AdminRequest): Promise<Reply> {
  const { username: name, password, algorithm } = readJson(request, newUser);
  if (name === '' || controlCharacter.test(name)) throw badRequest('invalid user name');
  checkPassword(password);
  const existing = world.state.users.get(name);
  if (existing !== undefined) {
    // A client that repeats a request whose answer it lost gets the answer of the first.
    if (existing.algorithm === algorithm && isPassword(existing, password)) return done;
    throw unexpected(`user "${name}" already exists`);
  }
  if ((await world.view.read()).users.includes(name)) throw unexpected(`user "${name}" already exists`);
  await store(world, { name, password, algorithm });
  return done;
}

async function update(world: World, request: AdminRequest): Promise<Reply> {
  const name = param(request, 'user');
  const { password, algorithm } = readJson(request, newPassword);
  checkPassword(password);
  if (!(await world.view.read()).users.includes(name)) throw unexpected(`user "${name}" does not exist`);
  await store(world, { name, password, algorithm });
  return done;
}

async function remove({ view, state }: World, request: AdminRequest): Promise<Reply> {
  await view.deleteUser(param(request, 'user'));
  state.users.delete(param(request, 'user'));
  return done;
}

function checkPassword(password: string): void {
  if (password === '' || controlCharacter.test(password)) throw badRequest('invalid password');
}

async function store(world: World, user: Parameters<World['view']['setUser']>[0]): Promise<void> {
  await world.view.setUser(user);
  world.state.users.set(user.name, makeCredential(user.algorithm, user.password, world.clock.now()));
}
