import { fieldsOf } from '../../../shape/object.ts';
import { anything, filled, mapOf, object, oneOf, optional, type Reader, refuse } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { demand, scopesOf, scopesOfNetwork } from '../auth/authorize.ts';
import { exists, misplaced, notNow } from '../http/api-error.ts';
import { contains, isAnyOf } from '../http/page.ts';
import { accepted, type CloudRequest, type Route } from '../http/request.ts';
import type { Network, OperationStep } from '../state.ts';
import { newRecord, timesOf, type World } from '../world.ts';
import { cloudProviders, clusterTypes, nameRule } from './enums.ts';
import { completeOperation, failOperation, plannedFailure, showOperation, startOperation } from './operations.ts';
import { zonesOf } from './regions.ts';
import { getOne, getPage, type Kind, permitted } from './resource.ts';

const path = '/v1/networks';

const networkKind: Kind<Network> = {
  what: 'network',
  keys: ['network', 'networks'],
  filters: [
    isAnyOf('resource_group_id', (network) => network.resourceGroupId),
    contains('name_contains', (network) => network.name),
    isAnyOf('region', (network) => network.region),
    isAnyOf('cloud_provider', (network) => network.cloudProvider, cloudProviders),
  ],
  stored: ({ state }) => state.networks,
  scopes: scopesOfNetwork,
  show: (_, network) => showNetwork(network),
};

/** The routes of networks, each of which holds one cluster. */
export const networkRoutes: readonly Route[] = [
  { name: 'networks.create', method: 'POST', path, access: 'Writer', handle: create },
  { name: 'networks.list', method: 'GET', path, access: 'Reader', handle: getPage(networkKind) },
  { name: 'networks.get', method: 'GET', path: `${path}/{id}`, access: 'Reader', handle: getOne(networkKind) },
  { name: 'networks.delete', method: 'DELETE', path: `${path}/{id}`, access: 'Admin', handle: remove },
];

/** The prefix length of the smallest block that a network may have. */
const longestPrefix = 21;
/** The block of customer-managed networks. */
const everything = '0.0.0.0/0';

type Wanted = Pick<
  Network,
  'name' | 'resourceGroupId' | 'cloudProvider' | 'region' | 'cidrBlock' | 'clusterType' | 'customerManagedResources'
>;

function create(world: World, request: CloudRequest): Reply {
  const outer = fieldsOf(request.body);
  const inner = fieldsOf(outer.network);
  demand(world, request, 'Writer', scopesOf(world, String(inner.resource_group_id)));
  const spec = readNetwork(outer.network);
  checkPlace(world, spec);
  const network: Network = {
    ...spec,
    ...newRecord(world, 'net'),
    state: 'STATE_CREATING',
    zones: [],
  };
  world.state.networks.set(network.id, network);
  const operation = startOperation(world, {
    type: 'TYPE_CREATE_NETWORK',
    resourceId: network.id,
    within: scopesOfNetwork(world, network),
    metadata: { network_id: network.id },
    next: { kind: 'network-created', afterMs: world.state.settings.durations.networkCreateMs },
  });
  return accepted(showOperation(operation));
}

const block: Reader<string> = (value, at) => {
  const cidr = filled()(value, at);
  const range = parseCidr(cidr);
  if (range === undefined) refuse(at, 'must be an address range such as 10.0.0.0/20');
  if (range.prefix > longestPrefix) refuse(at, `the block is too small: it must be at least a /${longestPrefix}`);
  return cidr;
};

const wantedNetwork = object({
  name: filled(nameRule),
  resource_group_id: filled(),
  cloud_provider: oneOf(...cloudProviders),
  region: filled(),
  cidr_block: block,
  cluster_type: oneOf(...clusterTypes),
  customer_managed_resources: optional(mapOf(anything)),
});

function readNetwork(body: unknown): Wanted {
  const sent = wantedNetwork(body, 'network');
  const spec: Wanted = {
    name: sent.name,
    resourceGroupId: sent.resource_group_id,
    cloudProvider: sent.cloud_provider,
    region: sent.region,
    cidrBlock: sent.cidr_block,
    clusterType: sent.cluster_type,
    customerManagedResources: sent.customer_managed_resources ?? null,
  };
  if ((spec.cidrBlock === everything) !== (spec.customerManagedResources !== null))
    refuse('network.cidr_block', `must be ${everything} if, and only if, customer_managed_resources is set`);
  return spec;
}

function checkPlace(world: World, spec: Wanted): void {
  const { networks, resourceGroups } = world.state;
  if (!resourceGroups.has(spec.resourceGroupId))
    throw misplaced('REASON_RESOURCE_GROUP_NOT_FOUND', 'network.resource_group_id', 'no such resource group');
  if (zonesOf(spec.cloudProvider, spec.region) === undefined)
    throw misplaced('REASON_REGION_NOT_FOUND', 'network.region', `no such region at ${spec.cloudProvider}`);
  for (const other of networks.values())
    if (other.name === spec.name) throw exists('network', spec.name, 'REASON_NETWORK_ALREADY_EXISTS');
  if (spec.cidrBlock === everything) return;
  const others = [...networks.values()].map((network) => network.cidrBlock).filter((block) => block !== everything);
  const clash = [...world.takenCidrBlocks, ...others].find((block) => overlap(block, spec.cidrBlock));
  if (clash !== undefined) throw misplaced('REASON_INVALID_INPUT', 'network.cidr_block', `the block overlaps ${clash}`);
}

function remove(world: World, request: CloudRequest): Reply {
  const network = permitted(world, request, networkKind, 'Admin');
  if ([...world.state.clusters.values()].some((cluster) => cluster.networkId === network.id))
    throw notNow(`network ${network.id} contains a cluster`, 'REASON_NETWORK_CONTAINS_CLUSTERS');
  if (network.state !== 'STATE_READY' && network.state !== 'STATE_FAILED')
    throw notNow(`network ${network.id} is in ${network.state}`, 'REASON_NETWORK_NOT_READY');
  const operation = startOperation(world, {
    type: 'TYPE_DELETE_NETWORK',
    resourceId: network.id,
    within: scopesOfNetwork(world, network),
    metadata: {},
    next: { kind: 'network-deleted', afterMs: world.state.settings.durations.networkDeleteMs },
  });
  world.state.networks.set(network.id, { ...network, state: 'STATE_DELETING', updatedAt: world.clock.now() });
  return accepted(showOperation(operation));
}

/** Ends the creation of a network, which becomes ready unless a failure was planned. */
export function networkCreated(world: World, { at, resourceId, operationId }: OperationStep): void {
  const network = world.state.networks.get(resourceId);
  if (network === undefined) return;
  const failure = plannedFailure(world, operationId);
  const changed: Network = { ...network, state: failure ? 'STATE_FAILED' : 'STATE_READY', updatedAt: at };
  world.state.networks.set(resourceId, changed);
  if (failure) failOperation(world, operationId, at, failure);
  else completeOperation(world, operationId, at, { network: showNetwork(changed) });
}

/** Ends the deletion of a network, which is removed unless a failure was planned. */
export function networkDeleted(world: World, { at, resourceId, operationId }: OperationStep): void {
  const network = world.state.networks.get(resourceId);
  if (network === undefined) return;
  const failure = plannedFailure(world, operationId);
  if (failure) {
    world.state.networks.set(resourceId, { ...network, state: 'STATE_READY', updatedAt: at });
    failOperation(world, operationId, at, failure);
    return;
  }
  world.state.networks.delete(resourceId);
  completeOperation(world, operationId, at);
}

function showNetwork(network: Network): unknown {
  return {
    id: network.id,
    name: network.name,
    resource_group_id: network.resourceGroupId,
    state: network.state,
    cloud_provider: network.cloudProvider,
    region: network.region,
    cidr_block: network.cidrBlock,
    cluster_type: network.clusterType,
    zones: network.zones,
    customer_managed_resources: network.customerManagedResources,
    egress_spec: null,
    cloud_provider_access_id: '',
    ...timesOf(network),
  };
}

/** A range of IPv4 addresses, with the first and last as numbers. */
interface Range {
  readonly first: number;
  readonly last: number;
  readonly prefix: number;
}

/** Parses a range such as `10.0.0.0/20`; undefined when it is not an IPv4 range. */
function parseCidr(text: string): Range | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text);
  if (match === null) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, prefix = 0] = match.slice(1).map(Number);
  if ([a, b, c, d].some((byte) => byte > 255) || prefix > 32) return undefined;
  const size = 2 ** (32 - prefix);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  const first = address - (address % size);
  return { first, last: first + size - 1, prefix };
}

/** Checks whether two ranges overlap; false when either text is not a range. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [parseCidr(one), parseCidr(other)];
  return a !== undefined && b !== undefined && a.first <= b.last && b.first <= a.last;
}
