import { fieldsOf, textOf } from '../../net/json.ts';
import type {
  Cluster,
  Fields,
  Network,
  NewServiceAccount,
  Operation,
  Region,
  ResourceGroup,
  RoleBinding,
  ServiceAccount,
  User,
} from '../rows.ts';

/** Returns the object under `key`, or the whole body if it has no such object. */
export function unwrap(body: unknown, key: string): Fields {
  const outer = fieldsOf(body);
  return typeof outer[key] === 'object' && outer[key] !== null ? fieldsOf(outer[key]) : outer;
}

/** The fields that a row always has, by type. */
interface Shape {
  readonly texts: readonly string[];
  readonly times?: readonly string[];
  readonly lists?: readonly string[];
  readonly objects?: readonly string[];
}

/** Creates a row with its known, typed fields first; other fields are kept unchanged. Enum values are not checked. */
function row(fields: Fields, { texts, times = [], lists = [], objects = [] }: Shape): Fields {
  return {
    ...Object.fromEntries(texts.map((name) => [name, textOf(fields[name])])),
    ...Object.fromEntries(lists.map((name) => [name, listOf(fields[name])])),
    ...Object.fromEntries(objects.map((name) => [name, objectOf(fields[name])])),
    ...Object.fromEntries(times.map((name) => [name, timeOf(fields[name])])),
    ...Object.fromEntries(
      Object.entries(fields).filter(([name]) => ![...texts, ...times, ...lists, ...objects].includes(name)),
    ),
  };
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

function objectOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null ? fieldsOf(value) : null;
}

/** Converts a time to RFC 3339: text is kept unchanged, `{seconds, nanos}` is converted; null if there is none. */
export function timeOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  const { seconds, nanos = 0 } = fieldsOf(value);
  const milliseconds = Number(seconds) * 1000 + Math.floor(Number(nanos) / 1_000_000);
  const isTime = (typeof seconds === 'string' || typeof seconds === 'number') && Math.abs(milliseconds) <= 8.64e15;
  return isTime ? new Date(milliseconds).toISOString() : null;
}

const times = ['created_at', 'updated_at'];

/** Reads a resource group. */
export function readResourceGroup(body: unknown): ResourceGroup {
  const fields = unwrap(body, 'resource_group');
  // The response to a creation is documented only as "the resource group ID".
  const id = fields.id ?? fields.resource_group_id;
  return row({ ...fields, id }, { texts: ['id', 'name'], times }) as ResourceGroup;
}

/** Reads a network. */
export function readNetwork(body: unknown): Network {
  const texts = ['id', 'name', 'state', 'resource_group_id', 'cloud_provider', 'cluster_type', 'region', 'cidr_block'];
  return row(unwrap(body, 'network'), { texts, times }) as Network;
}

/** Reads a region. */
export function readRegion(body: unknown): Region {
  return row(unwrap(body, 'region'), { texts: ['name', 'cloud_provider'], lists: ['zones'] }) as Region;
}

/** Reads a cluster. */
export function readCluster(body: unknown): Cluster {
  const texts = ['id', 'name', 'state', 'type', 'resource_group_id', 'network_id', 'cloud_provider'];
  return row(unwrap(body, 'cluster'), {
    texts: [...texts, 'connection_type', 'region', 'throughput_tier'],
    lists: ['zones'],
    times,
  }) as Cluster;
}

const states = ['IN_PROGRESS', 'COMPLETED', 'FAILED'];

/** Reads an operation; a short state becomes the long form with `STATE_`. */
export function readOperation(body: unknown): Operation {
  const fields = row(unwrap(body, 'operation'), {
    texts: ['id', 'type', 'state', 'resource_id'],
    objects: ['metadata', 'error', 'response'],
    times: ['started_at', 'finished_at'],
  });
  const state = String(fields.state);
  return {
    ...fields,
    state: states.includes(state) ? `STATE_${state}` : state,
    metadata: fieldsOf(fields.metadata),
  } as unknown as Operation;
}

/** Reads a role binding. */
export function readRoleBinding(body: unknown): RoleBinding {
  const fields = unwrap(body, 'role_binding');
  const { resource_type: type, resource_id: id } = fieldsOf(fields.scope);
  return {
    ...row(fields, { texts: ['id', 'role_name', 'account_id'], times }),
    scope: { resource_type: textOf(type), resource_id: textOf(id) },
  } as RoleBinding;
}

/** Reads a user. */
export function readUser(body: unknown): User {
  return row(unwrap(body, 'user'), { texts: ['id', 'email', 'name'], times: ['created_at'] }) as User;
}

/** Reads a service account without credentials. */
export function readServiceAccount(body: unknown): ServiceAccount {
  const { auth0_client_credentials: _, ...fields } = unwrap(body, 'service_account');
  return row(fields, { texts: ['id', 'name', 'description'], times }) as ServiceAccount;
}

/** Reads a new service account with its credentials, which are returned only on creation. */
export function readNewServiceAccount(body: unknown): NewServiceAccount {
  const { client_id: clientId, client_secret: secret } = fieldsOf(
    unwrap(body, 'service_account').auth0_client_credentials,
  );
  return { ...readServiceAccount(body), client_id: textOf(clientId), client_secret: textOf(secret) };
}
