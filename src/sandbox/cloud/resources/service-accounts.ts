import { fieldsOf } from '../../../shape/object.ts';
import { anything, filled, object, optional } from '../../http/readers.ts';
import { noContent, param, type Reply } from '../../http/reply.ts';
import { demand, scopesOf } from '../auth/authorize.ts';
import { secretSha256 } from '../auth/issue.ts';
import { exists, notFound } from '../http/api-error.ts';
import { isAnyOf, page } from '../http/page.ts';
import { type CloudRequest, created, ok, type Route } from '../http/request.ts';
import { newSecret } from '../identifiers.ts';
import type { ServiceAccount } from '../state.ts';
import { newRecord, timesOf, type World } from '../world.ts';
import { unset } from './enums.ts';
import { bind, bindToOrganization, readScope, unbindAccount } from './role-bindings.ts';

const path = '/v1/service-accounts';

/** The routes of service accounts, which give programs their own credentials. */
export const serviceAccountRoutes: readonly Route[] = [
  { name: 'service-accounts.create', method: 'POST', path, access: 'Admin', handle: create },
  { name: 'service-accounts.list', method: 'GET', path, access: 'Reader', handle: list },
  { name: 'service-accounts.get', method: 'GET', path: `${path}/{id}`, access: 'Reader', handle: get },
  { name: 'service-accounts.delete', method: 'DELETE', path: `${path}/{id}`, access: 'Admin', handle: remove },
];

const nameRule = { pattern: /^[^<>]{3,128}$/, description: 'must be 3 to 128 characters without < or >' };
const descriptionRule = { pattern: /^[^<>]{0,140}$/, description: 'must be at most 140 characters without < or >' };

/** The properties of a new service account. */
interface NewAccount {
  readonly name: string;
  readonly description: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Stores a service account whose credentials are valid immediately; it has no roles yet. */
export function addServiceAccount(world: World, account: NewAccount): ServiceAccount {
  const { name, description, clientId, clientSecret } = account;
  const stored: ServiceAccount = {
    ...newRecord(world, 'sa'),
    name,
    description,
    clientId,
  };
  world.state.serviceAccounts.set(stored.id, stored);
  world.state.clients.set(clientId, { id: clientId, secretSha256: secretSha256(clientSecret), accountId: stored.id });
  return stored;
}

function create(world: World, request: CloudRequest): Reply {
  demand(world, request, 'Admin', scopesOf(world));
  const outer = fieldsOf(request.body);
  const { role_bindings: sent, name, description = '' } = newAccount(outer.service_account, 'service_account');
  checkName(world, name);
  const bindings = Array.isArray(sent) ? sent : [];
  const scopes = bindings.map((body, at) => readScope(world, body, `service_account.role_bindings[${at}]`));
  const clientSecret = newSecret();
  const account = addServiceAccount(world, { name, description, clientId: newSecret(24), clientSecret });
  bindToOrganization(world, account.id, 'Admin');
  for (const scope of scopes) bind(world, { ...scope, accountId: account.id });
  return created({ service_account: withSecret(account, clientSecret) });
}

const newAccount = object({
  name: filled(nameRule),
  description: unset(filled(descriptionRule)),
  role_bindings: optional(anything),
});

function checkName(world: World, name: string): void {
  for (const other of world.state.serviceAccounts.values())
    if (other.name === name) throw exists('service account', name);
}

function find(world: World, request: CloudRequest, role: 'Reader' | 'Admin'): ServiceAccount {
  demand(world, request, role, scopesOf(world));
  const account = world.state.serviceAccounts.get(param(request, 'id'));
  if (account === undefined)
    throw notFound('service account', param(request, 'id'), 'REASON_SERVICE_ACCOUNT_NOT_FOUND');
  return account;
}

function get(world: World, request: CloudRequest): Reply {
  return ok({ service_account: show(find(world, request, 'Reader')) });
}

function list(world: World, request: CloudRequest): Reply {
  demand(world, request, 'Reader', scopesOf(world));
  const filters = [isAnyOf<ServiceAccount>('name', (account) => account.name)];
  return page(world, request, { key: 'service_accounts', items: world.state.serviceAccounts.values(), filters, show });
}

function remove(world: World, request: CloudRequest): Reply {
  const account = find(world, request, 'Admin');
  world.state.serviceAccounts.delete(account.id);
  world.state.clients.delete(account.clientId);
  unbindAccount(world, account.id);
  return noContent;
}

function show(account: ServiceAccount): object {
  return {
    id: account.id,
    name: account.name,
    description: account.description,
    ...timesOf(account),
  };
}

function withSecret(account: ServiceAccount, secret: string): object {
  return { ...show(account), auth0_client_credentials: { client_id: account.clientId, client_secret: secret } };
}
