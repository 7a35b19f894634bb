import { fieldsOf } from '../../../shape/object.ts';
import { fieldIn, filled, object, oneOf, type Reader } from '../../http/readers.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import { demand, scopesOf, scopesOfCluster, scopesOfNetwork } from '../auth/authorize.ts';
import { exists, misplaced } from '../http/api-error.ts';
import { isAnyOf } from '../http/page.ts';
import { type CloudRequest, created, type Route } from '../http/request.ts';
import { type Role, type RoleBinding, roles } from '../state.ts';
import { newRecord, timesOf, type World } from '../world.ts';
import { scopeTypes, unset } from './enums.ts';
import { getOne, getPage, type Kind, permitted } from './resource.ts';

const path = '/v1/role-bindings';

const bindingKind: Kind<RoleBinding> = {
  what: 'role binding',
  unknown: 'REASON_ROLE_BINDING_NOT_FOUND',
  keys: ['role_binding', 'role_bindings'],
  filters: [
    isAnyOf('role_name', (binding) => binding.roleName),
    isAnyOf('scope.resource_type', (binding) => binding.scopeType, scopeTypes),
    isAnyOf('scope.resource_id', (binding) => binding.scopeId),
    isAnyOf('account', (binding) => binding.accountId),
    isAnyOf('account_ids', (binding) => binding.accountId),
  ],
  stored: ({ state }) => state.roleBindings,
  scopes: (world, { scopeId }) => findScope(world, scopeId)?.scopes ?? scopesOf(world),
  show: (_, binding) => show(binding),
};

/** The routes of role bindings, which give an account a role in a scope. */
export const roleBindingRoutes: readonly Route[] = [
  { name: 'role-bindings.create', method: 'POST', path, access: 'Admin', handle: create },
  { name: 'role-bindings.list', method: 'GET', path, access: 'Reader', handle: getPage(bindingKind) },
  { name: 'role-bindings.get', method: 'GET', path: `${path}/{id}`, access: 'Reader', handle: getOne(bindingKind) },
  { name: 'role-bindings.delete', method: 'DELETE', path: `${path}/{id}`, access: 'Admin', handle: remove },
];

/** The role, account and scope of a binding. */
type Assignment = Pick<RoleBinding, 'roleName' | 'accountId' | 'scopeType' | 'scopeId'>;

/** Stores a new binding. */
export function bind(world: World, assignment: Assignment): RoleBinding {
  const binding: RoleBinding = {
    ...assignment,
    ...newRecord(world, 'rb'),
  };
  world.state.roleBindings.set(binding.id, binding);
  return binding;
}

/** Gives an account a role in the whole organization. */
export function bindToOrganization(world: World, accountId: string, roleName: Role): RoleBinding {
  const scopeId = world.state.organization.id;
  return bind(world, { roleName, accountId, scopeType: 'SCOPE_RESOURCE_TYPE_ORGANIZATION', scopeId });
}

/** Removes every binding of an account. */
export function unbindAccount(world: World, accountId: string): void {
  for (const { id, accountId: of } of world.state.roleBindings.values())
    if (of === accountId) world.state.roleBindings.delete(id);
}

/**
 * Reads a role and its scope from a request and resolves the type of the scope.
 * @throws ApiError for an unknown role, or a scope that does not exist or has another type
 */
export function readScope(world: World, body: unknown, at: string): Omit<Assignment, 'accountId'> {
  const { roleName, scopeId, scopeType } = roleOf(unowned(body, at), at);
  const scope = locate(world, scopeId, scopeType, at);
  return { roleName, scopeId, scopeType: scope.type };
}

const scope = object({ resource_id: filled(), resource_type: unset(oneOf(...scopeTypes)) });
const role = filled();
const scopeOrNone: Reader<ReturnType<typeof scope>> = (value, at) => scope(value ?? {}, at);
const unowned = object({ role_name: role, scope: scopeOrNone });
const owned = object({ role_name: role, account_id: filled(), scope: scopeOrNone });

function roleOf(
  { role_name: roleName, scope: { resource_id, resource_type } }: ReturnType<typeof unowned>,
  at: string,
) {
  if (!isRole(roleName))
    throw misplaced('REASON_ROLE_NOT_FOUND', fieldIn(at, 'role_name'), `must be one of ${roles.join(', ')}`);
  return { roleName, scopeId: resource_id, scopeType: resource_type };
}

const isRole = (word: string): word is Role => (roles as readonly string[]).includes(word);

interface Located {
  readonly type: string;
  /** The ids of all scopes that cover the resource. */
  readonly scopes: readonly string[];
}

function locate(world: World, id: string, type: string | undefined, at: string): Located {
  const scope = findScope(world, id);
  if (scope === undefined)
    throw misplaced('REASON_ROLE_BINDING_SCOPE_NOT_FOUND', fieldIn(at, 'scope.resource_id'), 'no such resource');
  if (type !== undefined && type !== scope.type)
    throw misplaced(
      'REASON_ROLE_BINDING_INVALID_SCOPE_TYPE',
      fieldIn(at, 'scope.resource_type'),
      `must be ${scope.type}`,
    );
  return scope;
}

function findScope(world: World, id: string): Located | undefined {
  const { organization, resourceGroups, networks, clusters } = world.state;
  if (id === organization.id) return { type: 'SCOPE_RESOURCE_TYPE_ORGANIZATION', scopes: scopesOf(world) };
  if (resourceGroups.has(id)) return { type: 'SCOPE_RESOURCE_TYPE_RESOURCE_GROUP', scopes: scopesOf(world, id) };
  const network = networks.get(id);
  if (network) return { type: 'SCOPE_RESOURCE_TYPE_NETWORK', scopes: scopesOfNetwork(world, network) };
  const cluster = clusters.get(id);
  return cluster && { type: 'SCOPE_RESOURCE_TYPE_CLUSTER', scopes: scopesOfCluster(world, cluster) };
}

function create(world: World, request: CloudRequest): Reply {
  // The documentation has the fields at the top level, other publications under a key: accept both.
  const outer = fieldsOf(request.body);
  const sent = owned(outer.role_binding ?? request.body, '');
  const { roleName, scopeId, scopeType } = roleOf(sent, '');
  const { account_id: accountId } = sent;
  const scope = findScope(world, scopeId);
  demand(world, request, 'Admin', scope?.scopes ?? scopesOf(world));
  if (!world.state.users.has(accountId) && !world.state.serviceAccounts.has(accountId))
    throw misplaced('REASON_ACCOUNT_NOT_FOUND', 'account_id', 'no such user or service account');
  const { type } = locate(world, scopeId, scopeType, '');
  for (const other of world.state.roleBindings.values())
    if (other.roleName === roleName && other.accountId === accountId && other.scopeId === scopeId)
      throw exists('role binding', other.id);
  return created({ role_binding: show(bind(world, { roleName, accountId, scopeType: type, scopeId })) });
}

function remove(world: World, request: CloudRequest): Reply {
  const binding = permitted(world, request, bindingKind, 'Admin');
  world.state.roleBindings.delete(binding.id);
  return noContent;
}

function show(binding: RoleBinding): unknown {
  return {
    id: binding.id,
    role_name: binding.roleName,
    account_id: binding.accountId,
    scope: { resource_type: binding.scopeType, resource_id: binding.scopeId },
    ...timesOf(binding),
  };
}
