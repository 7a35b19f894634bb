import { anything, list, mapOf, object, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { AdminError, badRequest } from '../admin-error.ts';
import { type AdminRequest, booleanQuery, by, ok, type Route, readJson, route, whole } from '../request.ts';
import type { Node } from '../state.ts';
import { membersOf, type World } from '../world.ts';
import { convert } from './convert.ts';
import { distribute, showStatus } from './delivery.ts';
import { canonicalName, effective, isDefault, isHidden, maskSecret, valueIn } from './effective.ts';
import { licenseStatus } from './license.ts';
import { properties } from './properties.ts';
import { showProperty } from './property.ts';

/** The routes of the cluster configuration and of what each node was started with. `/v1/config` has no node properties. */
export const configRoutes: readonly Route[] = [
  route('config.get', 'GET /v1/cluster_config', by.superuser, get),
  route('config.schema', 'GET /v1/cluster_config/schema', by.open, schema),
  route('config.change', 'PUT /v1/cluster_config', by.forwarded, changeConfig),
  route('config.status', 'GET /v1/cluster_config/status', by.superuser, status),
  route('node_config', 'GET /v1/node_config', by.superuser, (world, { node }) => whole(nodeConfig(world, node))),
  route('config.node', 'GET /v1/config', by.superuser, (_, { node }) => whole(clusterConfig(node, true))),
];

function get(world: World, request: AdminRequest): Reply {
  const key = request.query.get('key');
  if (key === null) return whole(clusterConfig(request.node, booleanQuery(request, 'include_defaults') ?? true));
  const name = canonicalName(key);
  if (name === undefined) throw new AdminError(world.settings.unknownKeyStatus, `unknown property "${key}"`);
  return whole({ [name]: maskSecret(name, effective(request.node, name)) });
}

function clusterConfig(node: Node, includeDefaults: boolean): Readonly<Record<string, unknown>> {
  const names = new Set([...Object.keys(properties), ...node.applied.values.keys()]);
  const shown = [...names].filter((name) => !isHidden(name) && (includeDefaults || !isDefault(node.applied, name)));
  return Object.fromEntries(shown.sort().map((name) => [name, maskSecret(name, effective(node, name))]));
}

function schema(): Reply {
  const shown = Object.entries(properties).filter(([name]) => !isHidden(name));
  const shownProperties = shown.map(([name, property]) => [name, showProperty(property)]);
  return whole({ properties: Object.fromEntries(shownProperties) });
}

function status(world: World): Reply {
  return ok(membersOf(world).map(showStatus), ['invalid', 'unknown']);
}

const rpcPort = 33_145;

function nodeConfig(world: World, node: Node): Readonly<Record<string, unknown>> {
  const { id, host, rpcHost, rack, listener } = node;
  const kafka = { name: 'internal', address: listener.host, port: listener.port };
  return {
    admin: [{ name: '', address: host, port: world.port }],
    advertised_kafka_api: [kafka],
    advertised_rpc_api: { address: rpcHost, port: rpcPort },
    data_directory: node.disk.path,
    developer_mode: false,
    kafka_api: [{ ...kafka, authentication_method: null }],
    node_id: id,
    rack,
    recovery_mode_enabled: node.recoveryMode,
    rpc_server: { address: host, port: rpcPort },
    seed_servers: membersOf(world).map((member) => ({ host: { address: member.rpcHost, port: rpcPort } })),
  };
}

const changeBody = object({ upsert: mapOf(anything), remove: list(text) });

/** The reasons by property. */
type Reasons = Map<string, string>;

/**
 * @throws AdminError 400 whose message is a JSON object of the reasons by property, as redpanda
 * src/v/redpanda/admin/server.cc:1967 writes it
 */
function changeConfig(world: World, request: AdminRequest): Reply {
  const { upsert, remove } = readJson(request, changeBody);
  const force = booleanQuery(request, 'force') ?? false;
  const { config } = world.state;
  const reasons: Reasons = new Map();
  const values = new Map(config.values);
  // Newer servers remove what they do not know (26: src/v/redpanda/admin/server.cc, `patch_cluster_config_handler`).
  const removesAny = force || world.settings.release !== '24.3';
  for (const sent of remove) values.delete(canonicalOr(sent, removesAny, reasons));
  for (const [sent, value] of Object.entries(upsert)) set(values, sent, { value, force, reasons });
  const after = { version: config.version + 1, values };
  if (!force && reasons.size === 0) checkTogether(world, request, after, reasons);
  if (!force && reasons.size === 0) checkLicense(world, upsert, after, reasons);
  if (reasons.size > 0) throw badRequest(JSON.stringify(Object.fromEntries([...reasons].sort())));
  const isSame = Object.keys(upsert).every((sent) => {
    const name = canonicalName(sent) ?? sent;
    return JSON.stringify(valueIn(after, name)) === JSON.stringify(valueIn(config, name));
  });
  // Only upserts are compared: a removal always makes a new version.
  const changes = remove.length > 0 || !isSame;
  if (!changes || booleanQuery(request, 'dry_run') === true) return ok({ config_version: config.version });
  distribute(world, after, request.node.id);
  return ok({ config_version: after.version });
}

function canonicalOr(sent: string, force: boolean, reasons: Reasons): string {
  const name = canonicalName(sent);
  if (name === undefined && !force) reasons.set(sent, 'Unknown property');
  return name ?? sent;
}

function set(
  values: Map<string, unknown>,
  sent: string,
  { value, force, reasons }: { readonly value: unknown; readonly force: boolean; readonly reasons: Reasons },
): void {
  const name = canonicalOr(sent, force, reasons);
  const property = properties[name];
  const converted = property === undefined ? { value } : convert(property, value);
  if (isHidden(name)) return;
  if ('value' in converted) values.set(name, converted.value);
  else if (force) values.set(name, value);
  else reasons.set(sent, converted.reason);
}

type After = { readonly version: number; readonly values: ReadonlyMap<string, unknown> };

function checkTogether(world: World, request: AdminRequest, after: After, reasons: Reasons): void {
  const { config } = world.state;
  const turnsOn = (name: string) => valueIn(after, name) === true && valueIn(config, name) !== true;
  const superusers = valueIn(after, 'superusers');
  const isSafe = Array.isArray(superusers) && request.user !== null && superusers.includes(request.user);
  if (turnsOn('admin_api_require_auth') && !isSafe)
    reasons.set('admin_api_require_auth', 'would lock you out: log in as one of the superusers first');
  if (valueIn(after, 'cloud_storage_enabled') !== true) return;
  const needed = ['cloud_storage_bucket', 'cloud_storage_region'];
  const isFromFile = valueIn(after, 'cloud_storage_credentials_source') === 'config_file';
  if (isFromFile) needed.push('cloud_storage_access_key', 'cloud_storage_secret_key');
  const missing = needed.filter((name) => valueIn(after, name) === null);
  if (missing.length > 0) reasons.set('cloud_storage_enabled', `requires ${missing.join(', ')}`);
}

// The documents do not tell in which form this refusal comes; here it is that of the other checks.
function checkLicense(world: World, upsert: Readonly<Record<string, unknown>>, after: After, reasons: Reasons): void {
  if (licenseStatus(world) === 'valid') return;
  for (const sent of Object.keys(upsert)) {
    const name = canonicalName(sent) ?? sent;
    const value = valueIn(after, name);
    const isNew = JSON.stringify(value) !== JSON.stringify(valueIn(world.state.config, name));
    if (isNew && properties[name]?.isLicensed?.(value)) reasons.set(sent, 'requires a valid license');
  }
}
