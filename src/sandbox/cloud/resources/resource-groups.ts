import { randomUUID } from 'node:crypto';
import { fieldsOf } from '../../../shape/object.ts';
import { filled, object } from '../../http/readers.ts';
import { noContent, param, type Reply } from '../../http/reply.ts';
import { demand, may, scopesOf } from '../auth/authorize.ts';
import { exists, notFound, notNow } from '../http/api-error.ts';
import { type Call, created, ok, type Route } from '../http/call.ts';
import { contains, type Filter, isAnyOf, page } from '../http/page.ts';
import { newResourceId } from '../identifiers.ts';
import type { ResourceGroup } from '../state.ts';
import { nextSequence, timestamp, type World } from '../world.ts';

const path = '/v1/resource-groups';

/** The routes of resource groups, which hold networks and clusters. */
export const resourceGroupRoutes: readonly Route[] = [
  { name: 'resource-groups.create', method: 'POST', path, access: 'Writer', handle: create },
  { name: 'resource-groups.list', method: 'GET', path, access: 'Reader', handle: list },
  { name: 'resource-groups.get', method: 'GET', path: `${path}/{id}`, access: 'Reader', handle: get },
  { name: 'resource-groups.update', method: 'PATCH', path: `${path}/{id}`, access: 'Writer', handle: update },
  { name: 'resource-groups.delete', method: 'DELETE', path: `${path}/{id}`, access: 'Admin', handle: remove },
];

const nameRule = {
  pattern: /^[A-Za-z0-9-]{3,253}$/,
  description: 'must be 3 to 253 letters, digits and hyphens',
};

function create(world: World, call: Call): Reply {
  demand(world, call, 'Writer', scopesOf(world));
  const outer = fieldsOf(call.body);
  const group: ResourceGroup = {
    id: world.documentedOnly ? newResourceId(world, 'rg') : randomUUID(),
    sequence: nextSequence(world),
    name: checkName(world, named(outer.resource_group, 'resource_group')),
    createdAt: world.clock.now(),
    updatedAt: null,
  };
  world.state.resourceGroups.set(group.id, group);
  return created({ resource_group: show(group) });
}

const named = object({ name: filled(nameRule) });

function checkName(world: World, { name }: ReturnType<typeof named>, except?: string): string {
  for (const other of world.state.resourceGroups.values())
    if (other.name === name && other.id !== except)
      throw exists('resource group', name, 'REASON_RESOURCE_GROUP_ALREADY_EXISTS');
  return name;
}

/** Finds the resource group named in the path. */
function find(world: World, call: Call): ResourceGroup {
  const group = world.state.resourceGroups.get(param(call, 'id'));
  if (group === undefined) throw notFound('resource group', param(call, 'id'), 'REASON_RESOURCE_GROUP_NOT_FOUND');
  return group;
}

function get(world: World, call: Call): Reply {
  const group = find(world, call);
  demand(world, call, 'Reader', scopesOf(world, group.id));
  return ok({ resource_group: show(group) });
}

const filters: readonly Filter<ResourceGroup>[] = [
  contains('name_contains', (group) => group.name),
  isAnyOf('name', (group) => group.name),
];

function list(world: World, call: Call): Reply {
  return page(world, call, {
    key: 'resource_groups',
    items: [...world.state.resourceGroups.values()].filter((group) =>
      may(world, call, 'Reader', scopesOf(world, group.id)),
    ),
    filters,
    show,
  });
}

function update(world: World, call: Call): Reply {
  const group = find(world, call);
  demand(world, call, 'Writer', scopesOf(world, group.id));
  const outer = fieldsOf(call.body);
  // The published API has this body both with and without a wrapper: accept both.
  const name = checkName(world, named(outer.resource_group ?? outer, ''), group.id);
  const changed = { ...group, name, updatedAt: world.clock.now() };
  world.state.resourceGroups.set(group.id, changed);
  return ok({ resource_group: show(changed) });
}

function remove(world: World, call: Call): Reply {
  const group = find(world, call);
  demand(world, call, 'Admin', scopesOf(world, group.id));
  const inside = [...world.state.networks.values(), ...world.state.clusters.values()];
  if (inside.some((resource) => resource.resourceGroupId === group.id))
    throw notNow(`resource group ${group.id} is not empty`, 'REASON_RESOURCE_GROUP_NOT_EMPTY');
  world.state.resourceGroups.delete(group.id);
  return noContent;
}

function show({ id, name, createdAt, updatedAt }: ResourceGroup): unknown {
  return { id, name, created_at: timestamp(createdAt), updated_at: timestamp(updatedAt) };
}
