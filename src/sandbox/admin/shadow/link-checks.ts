import type { AdminError } from '../admin-error.ts';
import { rpcError } from '../rpc.ts';
import { listIn, type Message, sectionOf } from './link.ts';

/*
 * What a node refuses in the configuration of a link, in its words (redpanda commit 1b95a07c:
 * src/v/redpanda/admin/services/shadow_link/converter.cc and src/v/cluster/cluster_link/frontend.cc:1073).
 */

/** Checks a configuration; `begins` is how the refusal begins. @throws AdminError 400 */
export function checkConfigurations(configurations: Message, begins: string): void {
  const fault = faultIn(configurations);
  if (fault !== undefined) throw rpcError('invalid_argument', `${begins}: ${fault}`);
}

/** Checks what the controller checks; `begins` is how the refusal begins. @throws AdminError 400 */
export function checkFilters(configurations: Message, begins: string): void {
  const options = sectionOf(configurations, 'topicMetadataSyncOptions');
  const properties = listIn(options, 'syncedShadowTopicProperties').map(String);
  if (listIn(options, 'autoCreateShadowTopicFilters').some(isWrongFilter))
    throw refusal(begins, 'topic_filter_invalid');
  if (properties.some((name) => excludedProperties.has(name)))
    throw refusal(begins, 'topic_property_excluded_from_mirroring');
}

/** A refusal of the controller, which is named and not explained. */
export function refusal(begins: string, name: string): AdminError {
  return rpcError('invalid_argument', `${begins}: cluster::cluster_link::errc::${name}`);
}

const excludedProperties: ReadonlySet<string> = new Set([
  'redpanda.remote.readreplica',
  'redpanda.remote.recovery',
  'redpanda.remote.allowgaps',
  'redpanda.virtual.cluster.id',
  'redpanda.leaders.preference',
]);

function isWrongFilter({ name, patternType }: Message): boolean {
  const pattern = String(name ?? '');
  const isPrefix = patternType !== 'PATTERN_TYPE_LITERAL';
  if (pattern === '*') return isPrefix;
  if (!/^[\w.-]+$/.test(pattern)) return true;
  if (['__consumer_offsets', '_redpanda.audit_log', '_schemas'].includes(pattern)) return true;
  return isPrefix && (pattern === '_redpanda' || pattern === '__redpanda');
}

function faultIn(configurations: Message): string | undefined {
  const client = sectionOf(configurations, 'clientOptions');
  if (listIn(client, 'bootstrapServers').length === 0)
    return 'bootstrap_servers must not be empty in the client options';
  return (
    loginFault(client) ??
    tlsFault(client) ??
    filterFault(configurations) ??
    aclFault(configurations) ??
    registryFault(configurations)
  );
}

function loginFault(client: Message): string | undefined {
  if (client.authenticationConfiguration === undefined) return undefined;
  const { scramConfiguration: scram, plainConfiguration: plain } = sectionOf(client, 'authenticationConfiguration') as {
    readonly scramConfiguration?: Message;
    readonly plainConfiguration?: Message;
  };
  if (scram !== undefined) {
    const isWhole = scram.username && scram.password && scram.scramMechanism;
    return isWhole ? undefined : 'When setting SCRAM configuration, must provide username, password, and mechanism';
  }
  if (plain === undefined) return 'authentication_configuration is set but not provided';
  return plain.username && plain.password
    ? undefined
    : 'When setting PLAIN configuration, must provide username and password';
}

function tlsFault(connection: Message): string | undefined {
  const tls = sectionOf(connection, 'tlsSettings');
  const files = sectionOf(tls, 'tlsFileSettings');
  const pem = sectionOf(tls, 'tlsPemSettings');
  const isWhole = Boolean(files.keyPath) === Boolean(files.certPath) && Boolean(pem.key) === Boolean(pem.cert);
  return isWhole ? undefined : 'Must provide both key and cert or neither';
}

function filterFault(configurations: Message): string | undefined {
  const filters = [
    ...listIn(sectionOf(configurations, 'topicMetadataSyncOptions'), 'autoCreateShadowTopicFilters'),
    ...listIn(sectionOf(configurations, 'consumerOffsetSyncOptions'), 'groupFilters'),
    ...listIn(sectionOf(configurations, 'roleSyncOptions'), 'roleNameFilters'),
  ];
  if (filters.some(({ patternType }) => !patternType)) return 'pattern_type is unspecified';
  return filters.some(({ filterType }) => !filterType) ? 'filter_type is unspecified' : undefined;
}

function aclFault(configurations: Message): string | undefined {
  const filters = listIn(sectionOf(configurations, 'securitySyncOptions'), 'aclFilters');
  const lacks = (part: string, field: string) => filters.some((filter) => !sectionOf(filter, part)[field]);
  if (lacks('resourceFilter', 'resourceType')) return 'acl_resource is unspecified';
  if (lacks('resourceFilter', 'patternType')) return 'acl_pattern is unspecified';
  if (lacks('accessFilter', 'operation')) return 'acl_operation is unspecified';
  return lacks('accessFilter', 'permissionType') ? 'acl_permission_type unspecified' : undefined;
}

function registryFault(configurations: Message): string | undefined {
  const options = sectionOf(configurations, 'schemaRegistrySyncOptions');
  if (options.shadowSchemaRegistryApi === undefined) return undefined;
  const api = sectionOf(options, 'shadowSchemaRegistryApi');
  if (!api.sourceUrl) return 'schema_registry_api source_url must not be empty';
  const basic = sectionOf(sectionOf(api, 'authOptions'), 'basic');
  if (api.authOptions !== undefined && !(basic.username && basic.password))
    return 'When setting Schema Registry HTTP Basic auth, must provide username and password';
  return tlsFault(api);
}
