import { fieldsOf } from '../../../shape/object.ts';
import { scopesOfCluster } from '../auth/authorize.ts';
import { contains, isAnyOf } from '../http/page.ts';
import type { Cluster } from '../state.ts';
import { timesOf, type World } from '../world.ts';
import { cloudProviders } from './enums.ts';
import type { Kind } from './resource.ts';

const serving = ['STATE_READY', 'STATE_UPGRADING', 'STATE_SUSPENDED'];

/** Formats a cluster as in the API; only a single read returns the address of its data plane. */
export function showCluster(world: World, cluster: Cluster, where: 'single' | 'list' = 'single'): object {
  const { customProperties } = cluster;
  return {
    id: cluster.id,
    name: cluster.name,
    state: cluster.state,
    state_description: cluster.stateDescription,
    type: cluster.type,
    resource_group_id: cluster.resourceGroupId,
    network_id: cluster.networkId,
    cloud_provider: cluster.cloudProvider,
    connection_type: cluster.connectionType,
    region: cluster.region,
    zones: cluster.zones,
    throughput_tier: cluster.throughputTier,
    ...timesOf(cluster),
    current_redpanda_version: serving.includes(cluster.state) ? cluster.version : '',
    desired_redpanda_version: cluster.version,
    cluster_configuration: { custom_properties: customProperties, computed_properties: {} },
    nat_gateways: [],
    redpanda_node_count: 3,
    customer_managed_resources: null,
    ...cluster.asSent,
    ...(serving.includes(cluster.state) ? addresses(world, cluster, where) : noAddresses(cluster)),
  };
}

/** The clusters. */
export const clusterKind: Kind<Cluster> = {
  what: 'cluster',
  keys: ['cluster', 'clusters'],
  filters: [
    isAnyOf('resource_group_id', (cluster) => cluster.resourceGroupId),
    contains('name_contains', (cluster) => cluster.name),
    isAnyOf('region', (cluster) => cluster.region),
    isAnyOf('cloud_provider', (cluster) => cluster.cloudProvider, cloudProviders),
    isAnyOf('network_id', (cluster) => cluster.networkId),
  ],
  stored: ({ state }) => state.clusters,
  scopes: scopesOfCluster,
  show: showCluster,
};

/** The reported addresses of a cluster's brokers, schema registry and console. */
export function dataPlaneOf(world: World, cluster: Cluster) {
  const domain = `${cluster.id}.byoc.example`;
  const { dataPlane } = world;
  return {
    brokers: dataPlane.brokers ?? [`seed-${cluster.id.slice(-8)}.${domain}:9092`],
    schemaRegistryUrl: dataPlane.schemaRegistryUrl ?? `https://schema-registry.${domain}:30081`,
    consoleUrl: dataPlane.consoleUrl ?? `https://console.${domain}`,
    dataplaneUrl: dataPlane.dataplaneUrl ?? world.url,
  };
}

function addresses(world: World, cluster: Cluster, where: 'single' | 'list'): object {
  const { brokers, schemaRegistryUrl, consoleUrl, dataplaneUrl } = dataPlaneOf(world, cluster);
  return {
    kafka_api: { mtls: null, sasl: { enabled: true }, ...sentObject(cluster, 'kafka_api'), seed_brokers: brokers },
    http_proxy: { mtls: null, ...sentObject(cluster, 'http_proxy'), url: '' },
    schema_registry: { mtls: null, ...sentObject(cluster, 'schema_registry'), url: schemaRegistryUrl },
    redpanda_console: { url: consoleUrl },
    prometheus: { url: `${consoleUrl}/api/cloud/prometheus` },
    dataplane_api: where === 'single' ? { url: dataplaneUrl } : null,
  };
}

function noAddresses(cluster: Cluster): object {
  return {
    kafka_api: cluster.asSent.kafka_api ?? null,
    http_proxy: cluster.asSent.http_proxy ?? null,
    schema_registry: cluster.asSent.schema_registry ?? null,
    redpanda_console: null,
    prometheus: null,
    dataplane_api: null,
  };
}

function sentObject(cluster: Cluster, name: string): Readonly<Record<string, unknown>> {
  return fieldsOf(cluster.asSent[name]);
}
