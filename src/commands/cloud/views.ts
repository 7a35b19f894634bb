import { arrayOf, nullable, object, type Schema, string } from '../../cli/output/schema.ts';
import { typedWord } from '../../cloud/api/words.ts';
import type { Fields } from '../../cloud/rows.ts';
import { type Health, healthCell } from '../../format/style.ts';
import { type Cell, pairs, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';

/** How the rows of one type of resource are shown. */
export interface ResourceView {
  /** The columns of its list: header and field. */
  readonly columns: readonly (readonly [header: string, field: string])[];
  /** More columns for `wide`. */
  readonly more: readonly (readonly [header: string, field: string])[];
  /** The schema of a row, which may have fields that weir does not know. */
  readonly schema: Schema;
}

function view(
  columns: ResourceView['columns'],
  more: ResourceView['more'],
  fields: Readonly<Record<string, Schema>>,
): ResourceView {
  return { columns, more, schema: { ...object(fields), additionalProperties: true } };
}

const time = nullable(string);
const times = { created_at: time, updated_at: time };
const created = ['created at', 'created_at'] as const;
const group = ['resource group id', 'resource_group_id'] as const;
const fieldsSchema: Schema = { type: 'object' };

/** How resource groups are shown. */
export const resourceGroupView = view(
  [
    ['name', 'name'],
    ['id', 'id'],
  ],
  [created],
  { id: string, name: string, ...times },
);

/** How networks are shown. */
export const networkView = view(
  [
    ['name', 'name'],
    ['id', 'id'],
    ['state', 'state'],
    ['provider', 'cloud_provider'],
    ['region', 'region'],
    ['cidr block', 'cidr_block'],
    ['type', 'cluster_type'],
  ],
  [group, created],
  {
    id: string,
    name: string,
    state: string,
    resource_group_id: string,
    cloud_provider: string,
    cluster_type: string,
    region: string,
    cidr_block: string,
    ...times,
  },
);

/** How regions are shown. */
export const regionView = view(
  [
    ['provider', 'cloud_provider'],
    ['region', 'name'],
    ['zones', 'zones'],
  ],
  [],
  { name: string, cloud_provider: string, zones: arrayOf(string) },
);

/** How clusters are shown. */
export const clusterView = view(
  [
    ['name', 'name'],
    ['id', 'id'],
    ['state', 'state'],
    ['type', 'type'],
    ['provider', 'cloud_provider'],
    ['region', 'region'],
    ['tier', 'throughput_tier'],
  ],
  [['network id', 'network_id'], group, created],
  {
    id: string,
    name: string,
    state: string,
    type: string,
    resource_group_id: string,
    network_id: string,
    cloud_provider: string,
    connection_type: string,
    region: string,
    throughput_tier: string,
    zones: arrayOf(string),
    ...times,
  },
);

/** How operations are shown. */
export const operationView = view(
  [
    ['id', 'id'],
    ['type', 'type'],
    ['state', 'state'],
    ['resource id', 'resource_id'],
    ['started at', 'started_at'],
    ['finished at', 'finished_at'],
  ],
  [],
  {
    id: string,
    type: string,
    state: string,
    resource_id: string,
    metadata: fieldsSchema,
    error: nullable(fieldsSchema),
    response: nullable(fieldsSchema),
    started_at: time,
    finished_at: time,
  },
);

/** How role bindings are shown. */
export const roleBindingView = view(
  [
    ['id', 'id'],
    ['role', 'role_name'],
    ['account id', 'account_id'],
    ['resource type', 'scope.resource_type'],
    ['resource id', 'scope.resource_id'],
  ],
  [created],
  {
    id: string,
    role_name: string,
    account_id: string,
    scope: object({ resource_type: string, resource_id: string }),
    ...times,
  },
);

/** How users are shown. */
export const userView = view(
  [
    ['id', 'id'],
    ['email', 'email'],
    ['name', 'name'],
  ],
  [created],
  {
    id: string,
    email: string,
    name: string,
    created_at: time,
  },
);

/** How service accounts are shown. */
export const serviceAccountView = view(
  [
    ['name', 'name'],
    ['id', 'id'],
    ['description', 'description'],
  ],
  [created],
  { id: string, name: string, description: string, ...times },
);

/** The output of a list. */
export function listOutput<R extends Fields>({ columns, more, schema }: ResourceView) {
  const show = (shown: ResourceView['columns']) => (rows: readonly R[], how: View) =>
    table(
      shown.map(([header]) => header),
      rows.map((row) => shown.map(([, field]) => cell(fieldOf(row, field), field))),
      how,
    );
  return { schema: arrayOf(schema), text: show(columns), wide: show([...columns, ...more]) };
}

/** The output of one resource. */
export function oneOutput<R extends Fields>({ schema }: ResourceView) {
  return { schema, text: (row: R, how: View): string => detail(row, how) };
}

/** A row as names and values, without empty ones; names in objects are joined with dots. */
export function detail(row: Fields, how: View): string {
  return pairs(flatten(row, ''), how);
}

function flatten(row: Fields, prefix: string): readonly (readonly [string, Cell])[] {
  return Object.entries(row).flatMap(([name, value]): readonly (readonly [string, Cell])[] => {
    if (value === null || value === undefined || value === '') return [];
    if (Array.isArray(value)) return value.length === 0 ? [] : [[prefix + name, cell(value, prefix + name)]];
    if (typeof value === 'object') return flatten(value as Fields, `${prefix}${name}.`);
    return [[prefix + name, cell(value, prefix + name)]];
  });
}

function fieldOf(row: Fields, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((at, part) => (typeof at === 'object' && at !== null ? (at as Fields)[part] : undefined), row);
}

function cell(value: unknown, field: string): Cell {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'string') {
    const text = typedWord(field, value);
    return field === 'state' ? healthCell(text, healthOf(text)) : text;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')) return value;
  return JSON.stringify(value);
}

function healthOf(state: string): Health {
  if (['ready', 'completed', 'deleted', 'active'].includes(state)) return 'good';
  return /failed|suspended|error/.test(state) ? 'bad' : 'pending';
}
