import { exists, misplaced, notNow } from '../http/api-error.ts';
import { type Fields, readFields } from '../http/fields.ts';
import type { Cluster, Network } from '../state.ts';
import type { World } from '../world.ts';
import { cloudProviders, clusterTypes, connectionTypes, nameRule } from './enums.ts';
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

const required = [
  'name',
  'type',
  'resource_group_id',
  'network_id',
  'cloud_provider',
  'region',
  'zones',
  'throughput_tier',
];

const versionRule = { pattern: /^\d+\.\d+(\.\d{14})?$/, description: 'must be major.minor' };

/**
 * Reads the `cluster` object of a create request.
 * @throws ApiError with every invalid field
 */
export function readCluster(body: unknown): WantedCluster {
  const fields = readFields(body, 'cluster.');
  const wanted: WantedCluster = {
    name: fields.text('name', nameRule),
    type: fields.choice('type', clusterTypes),
    resourceGroupId: fields.text('resource_group_id'),
    networkId: fields.text('network_id'),
    cloudProvider: fields.choice('cloud_provider', cloudProviders),
    region: fields.text('region'),
    zones: fields.texts('zones'),
    throughputTier: fields.text('throughput_tier'),
    connectionType: fields.optionalChoice('connection_type', connectionTypes) ?? 'CONNECTION_TYPE_PUBLIC',
    customProperties: withoutNulls(readProperties(fields)),
    asSent: readAsSent(fields),
    version: fields.optionalText('redpanda_version', versionRule),
  };
  fields.only([...required, 'connection_type', 'cluster_configuration', 'redpanda_version', ...keptAsSent]);
  fields.check();
  return wanted;
}

/** The changes of a PATCH; absent keys are not changed. */
export interface ClusterChange {
  readonly name?: string;
  readonly throughputTier?: string;
  /** Null removes a property. */
  readonly customProperties?: Readonly<Record<string, unknown>>;
  readonly asSent?: Readonly<Record<string, unknown>>;
}

/**
 * Reads the body of a PATCH, which has no wrapper.
 * @throws ApiError for invalid fields or an empty change
 */
export function readClusterChange(body: unknown): ClusterChange {
  const fields = readFields(body, '');
  const name = fields.optionalText('name', nameRule);
  const throughputTier = fields.optionalText('throughput_tier');
  const customProperties = readProperties(fields);
  const asSent = readAsSent(fields);
  fields.only(['name', 'throughput_tier', 'cluster_configuration', ...keptAsSent]);
  fields.check();
  const change: ClusterChange = {
    ...(name === undefined ? {} : { name }),
    ...(throughputTier === undefined ? {} : { throughputTier }),
    ...(Object.keys(customProperties).length === 0 ? {} : { customProperties }),
    ...(Object.keys(asSent).length === 0 ? {} : { asSent }),
  };
  if (Object.keys(change).length === 0) fields.reject('cluster_configuration', 'nothing to change');
  fields.check();
  return change;
}

function readProperties(fields: Fields): Readonly<Record<string, unknown>> {
  const configuration = fields.optionalObject('cluster_configuration');
  if (configuration === undefined) return {};
  const inner = readFields(configuration.custom_properties ?? {}, 'cluster_configuration.custom_properties.');
  for (const [name, value] of Object.entries(inner.sent))
    if (typeof value === 'object' && value !== null)
      fields.reject(`cluster_configuration.custom_properties.${name}`, 'must be a boolean, a number or a text');
  for (const name of Object.keys(configuration))
    if (name !== 'custom_properties') fields.reject(`cluster_configuration.${name}`, 'unknown field');
  return inner.sent;
}

/** Removes the properties that are null. */
export function withoutNulls(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
}

function readAsSent(fields: Fields): Readonly<Record<string, unknown>> {
  const tags = fields.optionalObject('cloud_provider_tags') ?? {};
  if (Object.keys(tags).length > 16) fields.reject('cloud_provider_tags', 'must have at most 16 entries');
  const provider = fields.sent.cloud_provider;
  const links: readonly (readonly [string, string])[] = [
    ['aws_private_link', 'CLOUD_PROVIDER_AWS'],
    ['gcp_private_service_connect', 'CLOUD_PROVIDER_GCP'],
    ['azure_private_link', 'CLOUD_PROVIDER_AZURE'],
  ];
  for (const [name, only] of links)
    if (fields.sent[name] && typeof provider === 'string' && provider !== only)
      fields.reject(name, `is only allowed with ${only}`);
  return Object.fromEntries(Object.entries(fields.sent).filter(([name]) => keptAsSent.includes(name)));
}

/**
 * Checks a new cluster against existing resources: names, resource group, network, region, zones and tier.
 * @throws ApiError with the documented reason
 */
export function checkPlace(world: World, wanted: WantedCluster): void {
  const { clusters, networks, resourceGroups } = world.state;
  if (!resourceGroups.has(wanted.resourceGroupId))
    throw misplaced('REASON_RESOURCE_GROUP_NOT_FOUND', 'cluster.resource_group_id', 'no such resource group');
  const network = networks.get(wanted.networkId);
  if (network === undefined) throw misplaced('REASON_INVALID_INPUT', 'cluster.network_id', 'no such network');
  for (const other of clusters.values()) if (other.name === wanted.name) throw exists('cluster', wanted.name);
  checkNetwork(wanted, network);
  checkZones(wanted, network);
  checkTier(wanted.throughputTier, wanted, 'cluster.');
  if (network.state !== 'STATE_READY')
    throw notNow(`network ${network.id} is in ${network.state}`, 'REASON_NETWORK_NOT_READY');
  for (const other of clusters.values())
    if (other.networkId === network.id)
      throw notNow(
        `network ${network.id} contains the cluster ${other.id}`,
        'REASON_ONLY_ONE_CLUSTER_PER_NETWORK_ALLOWED',
      );
}

function checkNetwork(wanted: WantedCluster, network: Network): void {
  const differs = (field: string, of: string) => [`cluster.${field}`, `must be that of the network: ${of}`] as const;
  if (wanted.resourceGroupId !== network.resourceGroupId)
    throw misplaced('REASON_INVALID_INPUT', ...differs('resource_group_id', network.resourceGroupId));
  if (wanted.cloudProvider !== network.cloudProvider)
    throw misplaced(
      'REASON_CLUSTER_NETWORK_CLOUD_PROVIDER_MISMATCH',
      ...differs('cloud_provider', network.cloudProvider),
    );
  if (wanted.region !== network.region)
    throw misplaced('REASON_CLUSTER_NETWORK_REGION_MISMATCH', ...differs('region', network.region));
  if (wanted.type !== network.clusterType)
    throw misplaced('REASON_CLUSTER_TYPE_MISMATCH', ...differs('type', network.clusterType));
}

function checkZones(wanted: WantedCluster, network: Network): void {
  const known = network.zones.length > 0 ? network.zones : (zonesOf(wanted.cloudProvider, wanted.region) ?? []);
  const unknown = wanted.zones.filter((zone) => !known.includes(zone));
  if (unknown.length > 0)
    throw misplaced(
      'REASON_ZONE_NOT_SUPPORTED_BY_NETWORK',
      'cluster.zones',
      `${unknown.join(', ')} must be among ${known.join(', ')}`,
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
