import { param, type Reply } from '../../http/reply.ts';
import { demand, scopesOf } from '../auth/authorize.ts';
import { notFound } from '../http/api-error.ts';
import { isAnyOf, page } from '../http/page.ts';
import { type CloudRequest, ok, type Route } from '../http/request.ts';
import type { Role, User } from '../state.ts';
import { newRecord, timestamp, type World } from '../world.ts';
import { bindToOrganization } from './role-bindings.ts';

const path = '/v1/users';

/** The routes of users, who join by invitation and cannot be created here. */
export const userRoutes: readonly Route[] = [
  { name: 'users.list', method: 'GET', path, access: 'Reader', handle: list },
  { name: 'users.get', method: 'GET', path: `${path}/{id}`, access: 'Reader', handle: get },
];

/** Adds a user with a role in the organization, as if an invitation had been accepted. */
export function addUser(world: World, person: Pick<User, 'email' | 'name'>, role: Role): User {
  const user: User = {
    ...newRecord(world, 'us'),
    email: person.email,
    name: person.name,
  };
  world.state.users.set(user.id, user);
  bindToOrganization(world, user.id, role);
  return user;
}

function find(world: World, request: CloudRequest): User {
  const user = world.state.users.get(param(request, 'id'));
  if (user === undefined) throw notFound('user', param(request, 'id'), 'REASON_ACCOUNT_NOT_FOUND');
  return user;
}

function get(world: World, request: CloudRequest): Reply {
  demand(world, request, 'Reader', scopesOf(world));
  return ok({ user: show(find(world, request)) });
}

function list(world: World, request: CloudRequest): Reply {
  demand(world, request, 'Reader', scopesOf(world));
  const filters = [isAnyOf<User>('email', (user) => user.email), isAnyOf<User>('name', (user) => user.name)];
  return page(world, request, { key: 'users', items: world.state.users.values(), filters, show });
}

function show(user: User): unknown {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    picture_url: '',
    created_at: timestamp(user.createdAt),
    identities: [{ provider: 'auth0', user_id: user.id, connection: 'sim', is_primary: true }],
  };
}
