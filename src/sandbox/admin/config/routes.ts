import type { Reply } from '../../http/reply.ts';
import { AdminError } from '../admin-error.ts';
import { type AdminRequest, booleanQuery, by, ok, type Route, route, whole } from '../request.ts';
import type { Node } from '../state.ts';
import { membersOf, type World } from '../world.ts';
import { changeConfig } from './change.ts';
import { showStatus } from './delivery.ts';
import { canonicalName, effective, shown } from './effective.ts';
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
  return whole({ [name]: shown(name, effective(request.node, name)) });
}

function clusterConfig(node: Node, includeDefaults: boolean): Readonly<Record<string, unknown>> {
  const names = includeDefaults ? Object.keys(properties) : [];
  const all = [...new Set([...names, ...node.applied.values.keys()])].sort();
  return Object.fromEntries(all.map((name) => [name, shown(name, effective(node, name))]));
}

function schema(): Reply {
  const shownProperties = Object.entries(properties).map(([name, property]) => [name, showProperty(property)]);
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
