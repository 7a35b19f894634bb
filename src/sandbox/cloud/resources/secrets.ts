import { fieldsOf } from '../../../shape/object.ts';
import { filled, list, object, optional, text } from '../../http/readers.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import { demand, scopesOf } from '../auth/authorize.ts';
import { exists } from '../http/api-error.ts';
import { contains } from '../http/page.ts';
import { type CloudRequest, created, ok, type Route } from '../http/request.ts';
import type { Secret } from '../state.ts';
import { newRecord, type World } from '../world.ts';
import { getOne, getPage, type Kind, permitted } from './resource.ts';

const path = '/v1/secrets';

const secretKind: Kind<Secret> = {
  what: 'secret',
  keys: ['secret', 'secrets'],
  filters: [contains('name_contains', ({ id }) => id)],
  stored: ({ state }) => state.secrets,
  scopes: (world) => scopesOf(world),
  show: (_, secret) => show(secret),
};

/** The routes of secrets, which belong to the data plane of a cluster; here all clusters have the same ones. */
export const secretRoutes: readonly Route[] = [
  { name: 'secrets.create', method: 'POST', path, access: 'Writer', handle: create },
  { name: 'secrets.list', method: 'GET', path, access: 'Reader', handle: getPage(secretKind) },
  { name: 'secrets.get', method: 'GET', path: `${path}/{id}`, access: 'Reader', handle: getOne(secretKind) },
  { name: 'secrets.update', method: 'PUT', path: `${path}/{id}`, access: 'Writer', handle: update },
  { name: 'secrets.delete', method: 'DELETE', path: `${path}/{id}`, access: 'Writer', handle: remove },
];

const data = filled({ pattern: /^[A-Za-z0-9+/]+={0,2}$/, description: 'must be Base64' });
const fields = { scopes: list(text), labels: optional((value) => value) };
const newSecret = object({ ...fields, id: filled(), secret_data: data });
const changes = object({ ...fields, secret_data: data });

function create(world: World, request: CloudRequest): Reply {
  demand(world, request, 'Writer', scopesOf(world));
  const { id, scopes } = newSecret(fieldsOf(request.body), '');
  if (world.state.secrets.has(id)) throw exists('secret', id);
  const secret: Secret = { ...newRecord(world, 'se', id), scopes };
  world.state.secrets.set(id, secret);
  return created({ secret: show(secret) });
}

function update(world: World, request: CloudRequest): Reply {
  const secret = permitted(world, request, secretKind, 'Writer');
  const { scopes } = changes(fieldsOf(request.body), '');
  const updated = { ...secret, scopes };
  world.state.secrets.set(secret.id, updated);
  return ok({ secret: show(updated) });
}

function remove(world: World, request: CloudRequest): Reply {
  const { id } = permitted(world, request, secretKind, 'Writer');
  world.state.secrets.delete(id);
  return noContent;
}

/** The value is never shown. */
function show({ id, scopes }: Secret): unknown {
  return { id, labels: {}, scopes };
}
