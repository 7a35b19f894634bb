import { param, type Reply } from '../../http/reply.ts';
import { invalid } from '../http/api-error.ts';
import { page } from '../http/page.ts';
import type { CloudRequest, Route } from '../http/request.ts';
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

/** The tiers of a provider: numbers 1 to 9, in two builds. */
const tierName = /^tier-(\d)-(\w+)-(?:v2-x86|v3-arm)$/;

/** Returns the zones of a region; undefined when the provider has no such region. */
export function zonesOf(cloudProvider: string, region: string): readonly string[] | undefined {
  return find(cloudProvider, region)?.zones;
}

/** Checks whether a region offers a tier for a cluster type; undefined when the provider has no such tier or region. */
export function offersTier(tier: string, cloudProvider: string, region: string, type: string): boolean | undefined {
  const [, number = '0', provider = ''] = tierName.exec(tier) ?? [];
  const highest = find(cloudProvider, region)?.highestTier;
  const exists = number !== '0' && cloudProvider === `CLOUD_PROVIDER_${provider.toUpperCase()}`;
  if (!exists || highest === undefined) return undefined;
  return Number(number) <= (type === 'TYPE_BYOC' ? highest.TYPE_BYOC : highest.TYPE_DEDICATED);
}

function find(cloudProvider: string, name: string): Region | undefined {
  return regions.find((region) => region.cloudProvider === cloudProvider && region.name === name);
}

/** The route that lists regions. */
export const regionRoutes: readonly Route[] = [
  { name: 'regions.list', method: 'GET', path: '/v1/regions/{provider}', access: 'token', handle: listRegions },
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

function showRegion({ name, cloudProvider, zones }: Region): unknown {
  return { name, cloud_provider: cloudProvider, zones, default_timezone: { id: 'UTC', version: '' } };
}
