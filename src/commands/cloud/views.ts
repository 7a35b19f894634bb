import { typedWord } from '../../cloud/api/cloud-words.ts';
import {
  cluster,
  network,
  operation,
  type Resource,
  region,
  resourceGroup,
  roleBinding,
  serviceAccount,
  user,
} from '../../cloud/cloud-rows.ts';
import { type Health, healthCell } from '../../format/style.ts';
import { type Cell, pairs } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { type Fields, valueAt } from '../../shape/object.ts';
import type { Shape } from '../../shape/shape.ts';

type Columns = readonly (readonly [header: string, field: string])[];

/** How the rows of one type of resource are shown. */
export interface ResourceView<R extends Fields = Fields> {
  readonly row: Shape<R>;
  /** The columns of its list: header and field. */
  readonly columns: Columns;
  /** More columns for `wide`. */
  readonly more: Columns;
}

/** A column, or a field whose name is its header. */
type Column = Columns[number] | string;

function view<R extends Fields>({ row }: Resource<R>, columns: readonly Column[], more: readonly Column[]) {
  const whole = (shown: readonly Column[]): Columns =>
    shown.map((one) => (typeof one === 'string' ? [one.replaceAll('_', ' '), one] : one));
  return { row, columns: whole(columns), more: whole(more) } satisfies ResourceView<R>;
}

/** How resource groups are shown. */
export const resourceGroupView = view(resourceGroup, ['name', 'id'], ['created_at']);

const provider = ['provider', 'cloud_provider'] as const;

/** How networks are shown. */
export const networkView = view(
  network,
  ['name', 'id', 'state', provider, 'region', 'cidr_block', ['type', 'cluster_type']],
  ['resource_group_id', 'created_at'],
);

/** How regions are shown. */
export const regionView = view(region, [provider, ['region', 'name'], 'zones'], []);

/** How clusters are shown. */
export const clusterView = view(
  cluster,
  ['name', 'id', 'state', 'type', provider, 'region', ['tier', 'throughput_tier']],
  ['network_id', 'resource_group_id', 'created_at'],
);

/** How operations are shown. */
export const operationView = view(operation, ['id', 'type', 'state', 'resource_id', 'started_at', 'finished_at'], []);

/** How role bindings are shown. */
export const roleBindingView = view(
  roleBinding,
  [
    'id',
    ['role', 'role_name'],
    'account_id',
    ['resource type', 'scope.resource_type'],
    ['resource id', 'scope.resource_id'],
  ],
  ['created_at'],
);

/** How service accounts are shown. */
export const serviceAccountView = view(serviceAccount, ['name', 'id', 'description'], ['created_at']);

/** How users are shown. */
export const userView = view(user, ['name', 'email', 'id'], ['created_at']);

/** The columns of a list of resources. */
export function viewColumns<R extends Fields>({ columns, more }: ResourceView<R>) {
  const cells = (shown: Columns) =>
    shown.map(([header, field]) => [header, (row: R) => cell(valueAt(row, field.split('.')), field)] as const);
  return { columns: cells(columns), wide: cells([...columns, ...more]) };
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
