import { textOf } from '../net/json.ts';
import { type ApiPath, pathOf } from '../net/json-api/call.ts';
import { type Fields, fieldsOf } from '../shape/object.ts';
import {
  converted,
  described,
  type LooseFields,
  type LooseFieldsOf,
  listOf,
  looseRow,
  maybe,
  object,
  orElse,
  type RowOf,
  row,
  type Shape,
  string,
} from '../shape/shape.ts';

/** A type of resource: what it is called, the form of its rows, and how these are read. */
export interface Resource<T extends Fields = Fields> {
  /** For example `resource group`: its path is `/v1/resource-groups`, and lists of it are under `resource_groups`. */
  readonly noun: string;
  /** Its known fields, in the order of the output; other fields are kept unchanged. */
  readonly row: Shape<T>;
  /** A row as the API sends it: with or without the key that wraps it, and whatever is missing. */
  readonly answer: Shape<T>;
}

function resource<const F extends LooseFields>(
  noun: string,
  fields: F,
  adapted: (fields: Fields) => Fields = (fields) => fields,
): Resource<LooseFieldsOf<F>> {
  const shape = looseRow(fields);
  const key = noun.replaceAll(' ', '_');
  return { noun, row: shape, answer: converted((body) => adapted(unwrapped(body, key)), shape) };
}

/** The object under `key`, or the whole body if it has no such object. */
function unwrapped(body: unknown, key: string): Fields {
  const outer = fieldsOf(body);
  return typeof outer[key] === 'object' && outer[key] !== null ? fieldsOf(outer[key]) : outer;
}

/** The path of a type of resource, for example `/v1/resource-groups`. */
export function pathOfAll(resource: Pick<Resource, 'noun'>): ApiPath {
  return pathOf`/v1/${plural(resource)}`;
}

/** The path of one resource. */
export function pathOfOne(resource: Pick<Resource, 'noun'>, id: string): ApiPath {
  return pathOf`/v1/${plural(resource)}/${id}`;
}

function plural({ noun }: Pick<Resource, 'noun'>): string {
  return `${noun.replaceAll(' ', '-')}s`;
}

/** Text; '' if there is none. Enum values are the API's, including values unknown to weir. */
export const text = converted(textOf, string);
const texts = converted((value) => (Array.isArray(value) ? value.map(textOf) : []), listOf(string));
const time = described(converted(timeOf, maybe(string)), 'RFC 3339; null if the API returns none');
const times = { created_at: time, updated_at: time };

/** Converts a time to RFC 3339: text is kept unchanged, `{seconds, nanos}` is converted; null if there is none. */
export function timeOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  const { seconds, nanos = 0 } = fieldsOf(value);
  const milliseconds = Number(seconds) * 1000 + Math.floor(Number(nanos) / 1_000_000);
  const isTime = (typeof seconds === 'string' || typeof seconds === 'number') && Math.abs(milliseconds) <= 8.64e15;
  return isTime ? new Date(milliseconds).toISOString() : null;
}

/** A resource group. */
export const resourceGroup = resource(
  'resource group',
  {
    id: text,
    name: text,
    ...times,
  },
  // The response to a creation is documented only as "the resource group ID".
  (fields) => ({ ...fields, id: fields.id ?? fields.resource_group_id }),
);

/** A resource group. */
export type ResourceGroup = RowOf<typeof resourceGroup.row>;

/** A network. */
export const network = resource('network', {
  id: text,
  name: text,
  state: described(text, 'for example STATE_READY'),
  resource_group_id: text,
  cloud_provider: text,
  cluster_type: text,
  region: text,
  cidr_block: text,
  ...times,
});

/** A network. */
export type Network = RowOf<typeof network.row>;

/** A region of a cloud provider. */
export const region = resource('region', {
  name: text,
  cloud_provider: text,
  zones: texts,
});

/** A region of a cloud provider. */
export type Region = RowOf<typeof region.row>;

/** A cluster. */
export const cluster = resource('cluster', {
  id: text,
  name: text,
  state: described(text, 'for example STATE_READY, STATE_CREATING_AGENT or STATE_DELETING_AGENT'),
  type: described(text, 'TYPE_BYOC or TYPE_DEDICATED'),
  resource_group_id: text,
  network_id: text,
  cloud_provider: described(text, 'CLOUD_PROVIDER_AWS, CLOUD_PROVIDER_AZURE or CLOUD_PROVIDER_GCP'),
  connection_type: text,
  region: text,
  throughput_tier: text,
  zones: texts,
  ...times,
});

/** A cluster. */
export type Cluster = RowOf<typeof cluster.row>;

const states = ['IN_PROGRESS', 'COMPLETED', 'FAILED'];

/** The API uses states with and without the prefix. */
function longState(value: unknown): string {
  const state = textOf(value);
  return states.includes(state) ? `STATE_${state}` : state;
}

/** A long-running operation. */
export const operation = resource('operation', {
  id: text,
  type: described(text, 'for example TYPE_CREATE_CLUSTER'),
  state: described(
    converted(longState, string as Shape<'STATE_IN_PROGRESS' | 'STATE_COMPLETED' | 'STATE_FAILED' | (string & {})>),
    'STATE_IN_PROGRESS, STATE_COMPLETED or STATE_FAILED',
  ),
  resource_id: text,
  metadata: described(converted(fieldsOf, object), 'cluster_id or network_id, if the operation creates one'),
  error: described(maybe(object), 'of a failed operation: code, message and details'),
  response: described(maybe(object), 'the resource at the end of the operation, under its name'),
  started_at: time,
  finished_at: time,
});

/** A long-running operation. */
export type Operation = RowOf<typeof operation.row>;

/** A role that an account has on a resource. */
export const roleBinding = resource('role binding', {
  id: text,
  role_name: described(text, 'Reader, Writer, Admin, or a custom role of the organization'),
  account_id: text,
  ...times,
  scope: converted(fieldsOf, row({ resource_type: text, resource_id: text })),
});

/** A role that an account has on a resource. */
export type RoleBinding = RowOf<typeof roleBinding.row>;

/** A user of the organization. */
export const user = resource('user', {
  id: text,
  email: text,
  name: text,
  created_at: time,
});

/** A user of the organization. */
export type User = RowOf<typeof user.row>;

const accountFields = {
  id: text,
  name: text,
  description: text,
  ...times,
};

/** An account for programs. */
export const serviceAccount = resource(
  'service account',
  accountFields,
  ({ auth0_client_credentials: _, ...fields }) => fields,
);

/** An account for programs. */
export type ServiceAccount = RowOf<typeof serviceAccount.row>;

/** A new service account with its credentials. */
export const newServiceAccount = resource(
  'service account',
  {
    ...accountFields,
    client_id: text,
    client_secret: described(text, 'returned only on creation'),
  },
  ({ auth0_client_credentials: credentials, ...fields }) => {
    const { client_id, client_secret } = fieldsOf(credentials);
    return { ...fields, client_id, client_secret };
  },
);

/** A new service account with its credentials; never log them. */
export type NewServiceAccount = RowOf<typeof newServiceAccount.row>;

/** A secret of a cluster, without its value. */
export const secret = resource('secret', { id: text, scopes: texts });

/** A secret of a cluster, without its value. */
export type Secret = RowOf<typeof secret.row>;

/** The organization that a token belongs to. */
export const organization = converted(fieldsOf, row({ id: orElse(string, ''), name: orElse(string, '') }));

const artifact = converted(fieldsOf, row({ name: text, location: text, checksumSha256: text }));

/** An install pack: the plugins of one version. */
export const pack = converted(
  fieldsOf,
  row({ version: text, releasedAt: text, artifacts: orElse(listOf(artifact), []) }),
);

/** An install pack: the plugins of one version. */
export type Pack = RowOf<typeof pack>;
