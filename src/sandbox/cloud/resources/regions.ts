import { param, type Reply } from '../../http/reply.ts';
import { invalid, notFound } from '../http/api-error.ts';
import { type Filter, isAnyOf, page } from '../http/page.ts';
import { type CloudRequest, ok, type Route } from '../http/request.ts';
import type { World } from '../world.ts';
import { cloudProviders, clusterTypes } from './enums.ts';

/** A region of a cloud provider and the highest tier it offers for each cluster type. */
interface Region {
  readonly sequence: number;
  readonly cloudProvider: string;
  readonly name: string;
  readonly zones: readonly string[];
  readonly highestTier: { readonly TYPE_BYOC: number; readonly TYPE_DEDICATED: number };
}

const catalog: readonly (readonly [string, string, readonly string[], number, number])[] = [
  ['CLOUD_PROVIDER_AWS', 'eu-west-1', ['euw1-az1', 'euw1-az2', 'euw1-az3'], 9, 5],
  ['CLOUD_PROVIDER_AWS', 'us-east-2', ['use2-az1', 'use2-az2', 'use2-az3'], 9, 5],
  ['CLOUD_PROVIDER_AWS', 'us-west-2', ['usw2-az1', 'usw2-az2', 'usw2-az3'], 7, 3],
  ['CLOUD_PROVIDER_AZURE', 'eastus', ['eastus-az1', 'eastus-az2', 'eastus-az3'], 5, 5],
  ['CLOUD_PROVIDER_AZURE', 'northeurope', ['northeurope-az1', 'northeurope-az2', 'northeurope-az3'], 5, 2],
  ['CLOUD_PROVIDER_GCP', 'europe-west1', ['europe-west1-b', 'europe-west1-c', 'europe-west1-d'], 7, 3],
  ['CLOUD_PROVIDER_GCP', 'us-central1', ['us-central1-a', 'us-central1-b', 'us-central1-c', 'us-central1-f'], 9, 5],
  ['CLOUD_PROVIDER_GCP', 'us-west1', ['us-west1-a', 'us-west1-b', 'us-west1-c'], 9, 5],
];

const regions: readonly Region[] = catalog.map(([cloudProvider, name, zones, byoc, dedicated], at) => ({
  sequence: at + 1,
  cloudProvider,
  name,
  zones,
  highestTier: { TYPE_BYOC: byoc, TYPE_DEDICATED: dedicated },
}));

/** Ingress and egress in MB/s, partitions before replication, and connections of tiers 1 to 9. */
const capacities: readonly (readonly [number, number, number, number])[] = [
  [20, 60, 2_000, 9_000],
  [50, 150, 5_600, 22_500],
  [100, 200, 11_200, 45_000],
  [200, 400, 22_600, 90_000],
  [400, 800, 45_600, 180_000],
  [800, 1_600, 90_000, 180_000],
  [1_200, 2_400, 112_500, 270_000],
  [1_600, 3_200, 112_500, 360_000],
  [2_000, 4_000, 112_500, 450_000],
];

const builds = ['v2-x86', 'v3-arm'] as const;

/** Returns the zones of a region; undefined when the provider has no such region. */
export function zonesOf(cloudProvider: string, region: string): readonly string[] | undefined {
  return find(cloudProvider, region)?.zones;
}

/** Checks whether a region offers a tier for a cluster type; undefined when the provider has no such tier or region. */
export function offersTier(tier: string, cloudProvider: string, region: string, type: string): boolean | undefined {
  const number = tiersOf(cloudProvider).find((row) => row.name === tier)?.number;
  const highest = find(cloudProvider, region)?.highestTier;
  if (number === undefined || highest === undefined) return undefined;
  return number <= (type === 'TYPE_BYOC' ? highest.TYPE_BYOC : highest.TYPE_DEDICATED);
}

function find(cloudProvider: string, name: string): Region | undefined {
  return regions.find((region) => region.cloudProvider === cloudProvider && region.name === name);
}

/** A throughput tier of one provider. */
interface Tier {
  readonly sequence: number;
  readonly number: number;
  readonly name: string;
  readonly cloudProvider: string;
  readonly capacity: readonly [number, number, number, number];
}

function tiersOf(cloudProvider: string): readonly Tier[] {
  const word = cloudProvider.replace('CLOUD_PROVIDER_', '').toLowerCase();
  return capacities.flatMap((capacity, at) =>
    builds.map((build, sequence) => ({
      sequence: at * builds.length + sequence + 1,
      number: at + 1,
      name: `tier-${at + 1}-${word}-${build}`,
      cloudProvider,
      capacity,
    })),
  );
}

/** The routes that list regions and, in the preview API, tiers. */
export const regionRoutes: readonly Route[] = [
  { name: 'regions.list', method: 'GET', path: '/v1/regions/{provider}', access: 'token', handle: listRegions },
  { name: 'regions.get', method: 'GET', path: '/v1/regions/{provider}/{name}', access: 'token', handle: getRegion },
  { name: 'tiers.list', method: 'GET', path: '/v1beta2/tiers', access: 'token', handle: listTiers },
];

function listRegions(world: World, request: CloudRequest): Reply {
  const provider = param(request, 'provider');
  if (!(cloudProviders as readonly string[]).includes(provider))
    throw invalid([{ field: 'cloud_provider', description: `unknown value "${provider}"` }]);
  return page(world, request, {
    key: 'regions',
    items: regions.filter((region) => region.cloudProvider === provider),
    filters: [{ name: 'cluster_type', words: clusterTypes, matches: () => true }],
    show: showRegion,
  });
}

function getRegion(_: World, request: CloudRequest): Reply {
  const region = find(param(request, 'provider'), param(request, 'name'));
  if (region === undefined) throw notFound('region', param(request, 'name'), 'REASON_REGION_NOT_FOUND');
  return ok({ region: showRegion(region) });
}

function showRegion({ name, cloudProvider, zones }: Region): unknown {
  return { name, cloud_provider: cloudProvider, zones, default_timezone: { id: 'UTC', version: '' } };
}

function listTiers(world: World, request: CloudRequest): Reply {
  const type = request.query.get('filter.cluster_type') ?? 'TYPE_BYOC';
  const filters: readonly Filter<Tier>[] = [
    isAnyOf('cloud_provider', (tier) => tier.cloudProvider, cloudProviders),
    { name: 'cluster_type', words: clusterTypes, matches: () => true },
    {
      name: 'region',
      matches: (tier, names) => names.some((name) => offersTier(tier.name, tier.cloudProvider, name, type) === true),
    },
  ];
  const items = cloudProviders.flatMap(tiersOf).map((tier, at) => ({ ...tier, sequence: at + 1 }));
  return page(world, request, { key: 'throughput_tiers', items, filters, show: showTier });
}

function showTier({ name, number, cloudProvider, capacity }: Tier): unknown {
  const [ingress, egress, partitions, connections] = capacity;
  return {
    name,
    display_name: `Tier ${number}`,
    cloud_provider: cloudProvider,
    // The API prints 64-bit numbers as strings.
    max_ingress_bytes_per_second: String(ingress * 1_000_000),
    max_egress_bytes_per_second: String(egress * 1_000_000),
    max_partition_count: String(partitions),
    max_connections_count: String(connections),
  };
}
