import { randomUUID } from 'node:crypto';
import { fieldsOf } from '../../../shape/object.ts';
import { filled, object } from '../../http/readers.ts';
import { noContent, type Reply } from '../../http/reply.ts';
import { demand, scopesOf } from '../auth/authorize.ts';
import { exists, notNow } from '../http/api-error.ts';
import { contains, isAnyOf } from '../http/page.ts';
import { type CloudRequest, created, type Route } from '../http/request.ts';
import type { ResourceGroup } from '../state.ts';
import { newRecord, timesOf, type World } from '../world.ts';
import { getOne, getPage, type Kind, permitted } from './resource.ts';

const path = '/v1/resource-groups';

const groupKind: Kind<ResourceGroup> = {
  what: 'resource group',
  unknown: 'REASON_RESOURCE_GROUP_NOT_FOUND',
  keys: ['resource_group', 'resource_groups'],
  filters: [contains('name_contains', (group) => group.name), isAnyOf('name', (group) => group.name)],
  stored: ({ state }) => state.resourceGroups,
  scopes: (world, { id }) => scopesOf(world, id),
  show: (_, group) => show(group),
};

/** The routes of resource groups, which hold networks and clusters. */
export const resourceGroupRoutes: readonly Route[] = [
  { name: 'resource-groups.create', method: 'POST', path, access: 'Writer', handle: create },
  { name: 'resource-groups.list', method: 'GET', path, access: 'Reader', handle: getPage(groupKind) },
  { name: 'resource-groups.get', method: 'GET', path: `${path}/{id}`, access: 'Reader', handle: getOne(groupKind) },
  { name: 'resource-groups.delete', method: 'DELETE', path: `${path}/{id}`, access: 'Admin', handle: remove },
];

const nameRule = {
  pattern: /^[A-Za-z0-9-]{3,253}$/,
  description: 'must be 3 to 253 letters, digits and hyphens',
};

function create(world: World, request: CloudRequest): Reply {
  demand(world, request, 'Writer', scopesOf(world));
  const outer = fieldsOf(request.body);
  const group: ResourceGroup = {
    ...newRecord(world, 'rg', world.documentedOnly ? undefined : randomUUID()),
    name: checkName(world, withName(outer.resource_group, 'resource_group').name),
  };
  world.state.resourceGroups.set(group.id, group);
  return created({ resource_group: show(group) });
}

const withName = object({ name: filled(nameRule) });

function checkName(world: World, name: string): string {
  for (const other of world.state.resourceGroups.values())
    if (other.name === name) throw exists('resource group', name, 'REASON_RESOURCE_GROUP_ALREADY_EXISTS');
  return name;
}

function remove(world: World, request: CloudRequest): Reply {
  const group = permitted(world, request, groupKind, 'Admin');
  const inside = [...world.state.networks.values(), ...world.state.clusters.values()];
  if (inside.some((resource) => resource.resourceGroupId === group.id))
    throw notNow(`resource group ${group.id} is not empty`, 'REASON_RESOURCE_GROUP_NOT_EMPTY');
  world.state.resourceGroups.delete(group.id);
  return noContent;
}

function show(group: ResourceGroup): unknown {
  return { id: group.id, name: group.name, ...timesOf(group) };
}
