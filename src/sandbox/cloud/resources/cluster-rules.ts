import { anything, filled, mapOf, object, oneOf, optional, type Reader, refuse } from '../../http/readers.ts';
import { exists, misplaced, notNow } from '../http/api-error.ts';
import type { Cluster, Network } from '../state.ts';
import type { World } from '../world.ts';
import { cloudProviders, clusterTypes, connectionTypes, nameRule, unset } from './enums.ts';
import { offersTier, zonesOf } from './regions.ts';

/** The properties of a requested cluster. */
type WantedCluster = Pick<
  Cluster,
  | 'name'
  | 'type'
  | 'resourceGroupId'
  | 'networkId'
  | 'cloudProvider'
  | 'region'
  | 'zones'
  | 'throughputTier'
  | 'connectionType'
  | 'customProperties'
  | 'asSent'
> & { readonly version: string | undefined };

/** Fields that are stored and returned as sent. */
const keptAsSent = [
  'redpanda_node_count',
  'kafka_api',
  'http_proxy',
  'schema_registry',
  'aws_private_link',
  'gcp_private_service_connect',
  'azure_private_link',
  'cloud_provider_tags',
  'read_replica_cluster_ids',
  'maintenance_window_config',
  'kafka_connect',
  'redpanda_connect',
  'cloud_storage',
  'customer_managed_resources',
  'api_gateway_access',
  'gcp_enable_global_access',
];

const versionRule = { pattern: /^\d+\.\d+(\.\d{14})?$/, description: 'must be major.minor' };

/** A list of distinct texts, at least one. */
const zones: Reader<readonly string[]> = (value, at) => {
  if (!Array.isArray(value) || value.length === 0) refuse(at, 'must be a list with at least one item');
  const texts = value.filter((item): item is string => typeof item === 'string' && item !== '');
  if (texts.length < value.length) refuse(at, 'every item must be a text');
  if (new Set(texts).size < texts.length) refuse(at, 'must not contain an item twice');
  return texts;
};

const property: Reader<unknown> = (value, at) =>
  typeof value === 'object' && value !== null ? refuse(at, 'must be a boolean, a number or a text') : value;

const tags: Reader<unknown> = (value, at) => {
  const tags = mapOf(anything)(value, at);
  return Object.keys(tags).length > 16 ? refuse(at, 'must have at most 16 entries') : tags;
};

const changeable = {
  cluster_configuration: optional(object({ custom_properties: optional(mapOf(property)) })),
  cloud_provider_tags: optional(tags),
};

const wantedCluster = object(
  {
    name: filled(nameRule),
    type: oneOf(...clusterTypes),
    resource_group_id: filled(),
    network_id: filled(),
    cloud_provider: oneOf(...cloudProviders),
    region: filled(),
    zones,
    throughput_tier: filled(),
    connection_type: unset(oneOf(...connectionTypes)),
    redpanda_version: unset(filled(versionRule)),
    ...changeable,
  },
  keptAsSent,
);

/**
 * Reads the `cluster` object of a create request.
 * @throws Invalid with every invalid field
 */
export function readCluster(body: unknown): WantedCluster {
  const sent = wantedCluster(body, 'cluster');
  const asSent = readAsSent(body);
  for (const [name, only] of links)
    if (asSent[name] && sent.cloud_provider !== only) refuse(`cluster.${name}`, `is only allowed with ${only}`);
  return {
    name: sent.name,
    type: sent.type,
    resourceGroupId: sent.resource_group_id,
    networkId: sent.network_id,
    cloudProvider: sent.cloud_provider,
    region: sent.region,
    zones: sent.zones,
    throughputTier: sent.throughput_tier,
    connectionType: sent.connection_type ?? 'CONNECTION_TYPE_PUBLIC',
    customProperties: withoutNulls(sent.cluster_configuration?.custom_properties ?? {}),
    asSent,
    version: sent.redpanda_version,
  };
}

/** The private links, each of which only one cloud provider has. */
const links = [
  ['aws_private_link', 'CLOUD_PROVIDER_AWS'],
  ['gcp_private_service_connect', 'CLOUD_PROVIDER_GCP'],
  ['azure_private_link', 'CLOUD_PROVIDER_AZURE'],
] as const;

/** The changes of a PATCH; absent keys are not changed. */
export interface ClusterChange {
  readonly name?: string;
  readonly throughputTier?: string;
  /** Null removes a property. */
  readonly customProperties?: Readonly<Record<string, unknown>>;
  readonly asSent?: Readonly<Record<string, unknown>>;
}

const clusterChange = object(
  { name: unset(filled(nameRule)), throughput_tier: unset(filled()), ...changeable },
  keptAsSent,
);

/**
 * Reads the body of a PATCH, which has no wrapper.
 * @throws Invalid for invalid fields or an empty change
 */
export function readClusterChange(body: unknown): ClusterChange {
  const { name, throughput_tier: throughputTier, cluster_configuration } = clusterChange(body, '');
  const customProperties = cluster_configuration?.custom_properties ?? {};
  const asSent = readAsSent(body);
  const change: ClusterChange = {
    ...(name === undefined ? {} : { name }),
    ...(throughputTier === undefined ? {} : { throughputTier }),
    ...(Object.keys(customProperties).length === 0 ? {} : { customProperties }),
    ...(Object.keys(asSent).length === 0 ? {} : { asSent }),
  };
  return Object.keys(change).length === 0 ? refuse('cluster_configuration', 'nothing to change') : change;
}

/** Removes the properties that are null. */
export function withoutNulls(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
}

function readAsSent(body: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body as object).filter(([name]) => keptAsSent.includes(name)));
}

/**
 * Checks a new cluster against existing resources: names, resource group, network, region, zones and tier.
 * @throws ApiError with the documented reason
 */
export function checkPlace(world: World, cluster: WantedCluster): void {
  const { clusters, networks, resourceGroups } = world.state;
  if (!resourceGroups.has(cluster.resourceGroupId))
    throw misplaced('REASON_RESOURCE_GROUP_NOT_FOUND', 'cluster.resource_group_id', 'no such resource group');
  const network = networks.get(cluster.networkId);
  if (network === undefined) throw misplaced('REASON_INVALID_INPUT', 'cluster.network_id', 'no such network');
  for (const other of clusters.values()) if (other.name === cluster.name) throw exists('cluster', cluster.name);
  checkNetwork(cluster, network);
  checkZones(cluster, network);
  checkTier(cluster.throughputTier, cluster, 'cluster.');
  if (network.state !== 'STATE_READY')
    throw notNow(`network ${network.id} is in ${network.state}`, 'REASON_NETWORK_NOT_READY');
  for (const other of clusters.values())
    if (other.networkId === network.id)
      throw notNow(
        `network ${network.id} contains the cluster ${other.id}`,
        'REASON_ONLY_ONE_CLUSTER_PER_NETWORK_ALLOWED',
      );
}

function checkNetwork(cluster: WantedCluster, network: Network): void {
  const differs = (field: string, of: string) => [`cluster.${field}`, `must be that of the network: ${of}`] as const;
  if (cluster.resourceGroupId !== network.resourceGroupId)
    throw misplaced('REASON_INVALID_INPUT', ...differs('resource_group_id', network.resourceGroupId));
  if (cluster.cloudProvider !== network.cloudProvider)
    throw misplaced(
      'REASON_CLUSTER_NETWORK_CLOUD_PROVIDER_MISMATCH',
      ...differs('cloud_provider', network.cloudProvider),
    );
  if (cluster.region !== network.region)
    throw misplaced('REASON_CLUSTER_NETWORK_REGION_MISMATCH', ...differs('region', network.region));
  if (cluster.type !== network.clusterType)
    throw misplaced('REASON_CLUSTER_TYPE_MISMATCH', ...differs('type', network.clusterType));
}

function checkZones(cluster: WantedCluster, network: Network): void {
  const zones = network.zones.length > 0 ? network.zones : (zonesOf(cluster.cloudProvider, cluster.region) ?? []);
  const unknown = cluster.zones.filter((zone) => !zones.includes(zone));
  if (unknown.length > 0)
    throw misplaced(
      'REASON_ZONE_NOT_SUPPORTED_BY_NETWORK',
      'cluster.zones',
      `${unknown.join(', ')} must be among ${zones.join(', ')}`,
    );
}

/** Checks a tier. @throws ApiError when it does not exist, or not in this region for this cluster type */
export function checkTier(
  tier: string,
  { cloudProvider, region, type }: Pick<Cluster, 'cloudProvider' | 'region' | 'type'>,
  at: string,
): void {
  const offered = offersTier(tier, cloudProvider, region, type);
  if (offered === undefined)
    throw misplaced('REASON_THROUGHPUT_TIER_NOT_FOUND', `${at}throughput_tier`, `no such tier at ${cloudProvider}`);
  if (!offered)
    throw misplaced(
      'REASON_THROUGHPUT_TIER_NOT_AVAILABLE_IN_REGION',
      `${at}throughput_tier`,
      `${tier} is not offered in ${region} for ${type}`,
    );
}
