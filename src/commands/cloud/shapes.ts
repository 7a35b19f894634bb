import { words } from '../../cloud/api/cloud-words.ts';
import { oneOf } from '../../kinds.ts';
import { type Fields, fieldsOf } from '../../shape/object.ts';
import type { BodyShape } from './body.ts';
import {
  clusters,
  type Findable,
  networks,
  type Reference,
  resourceGroups,
  serviceAccounts,
  users,
} from './find-id.ts';
import { addressRange, networkWord, resourceGroupWord } from './kinds.ts';

const group = {
  name: 'resource_group_id',
  kind: resourceGroupWord,
  refersTo: () => ({ kinds: [resourceGroups] }),
};

/** The scopes whose resources have names that weir can look up. */
const scopes: readonly (readonly [type: string, kind: Findable])[] = [
  ['SCOPE_RESOURCE_TYPE_CLUSTER', clusters],
  ['SCOPE_RESOURCE_TYPE_RESOURCE_GROUP', resourceGroups],
  ['SCOPE_RESOURCE_TYPE_NETWORK', networks],
];

/** What the scope of a role binding may be: without a type, also an organization, for example. */
function scopeOf({ scope }: Fields): Reference {
  const { resource_type: wanted } = fieldsOf(scope);
  const kinds = scopes.filter(([type]) => wanted === undefined || wanted === type).map(([, kind]) => kind);
  return { kinds, isOpen: wanted === undefined || kinds.length === 0 };
}

/** The body that creates a resource group. */
export const resourceGroupShape: BodyShape = {
  key: 'resource_group',
  fields: [{ name: 'name', argument: 'NAME', help: 'name of the resource group' }],
};

/** The body that creates a network. */
export const networkShape: BodyShape = {
  key: 'network',
  fields: [
    { name: 'name', help: 'name of the network' },
    { ...group, help: 'resource group of the network (id or name)' },
    {
      name: 'cidr_block',
      kind: addressRange,
      help: 'address range, for example 10.0.0.0/20; must not overlap another network',
    },
    { name: 'cloud_provider', words: words.provider, help: 'cloud provider of the network' },
    { name: 'cluster_type', words: words.clusterType, help: 'type of cluster that the network is for' },
    { name: 'region', help: 'region of the cloud provider' },
  ],
};

/** The body that creates a cluster, except its properties. */
export const clusterShape: BodyShape = {
  key: 'cluster',
  fields: [
    { name: 'name', help: 'name of the cluster' },
    { ...group, help: 'resource group of the cluster (id or name)' },
    {
      name: 'network_id',
      kind: networkWord,
      help: 'network of the cluster (id or name)',
      refersTo: () => ({ kinds: [networks] }),
    },
    { name: 'cloud_provider', words: words.provider, help: 'cloud provider of the cluster' },
    {
      name: 'connection_type',
      words: words.connection,
      help: 'whether the cluster is reachable from the internet',
      isOptional: true,
    },
    { name: 'region', help: 'region of the cloud provider' },
    { name: 'throughput_tier', help: 'usage tier; the available tiers depend on region and type' },
    { name: 'type', words: words.clusterType, help: 'type of the cluster; byoc runs in your own cloud account' },
    { name: 'zones', isList: true, help: 'availability zones, separated by commas' },
  ],
};

/** The body that creates a role binding. */
export const roleBindingShape: BodyShape = {
  key: 'role_binding',
  fields: [
    { name: 'role_name', kind: oneOf('role', ['Reader', 'Writer', 'Admin']), help: 'role of the account' },
    {
      name: 'account_id',
      help: 'user or service account (id or name)',
      refersTo: () => ({ kinds: [serviceAccounts, users] }),
    },
    {
      name: 'scope.resource_id',
      flag: 'resourceId',
      help: 'resource that the role applies to (id or name)',
      refersTo: scopeOf,
    },
    {
      name: 'scope.resource_type',
      flag: 'resourceType',
      words: words.scope,
      help: `type of the resource: ${words.scope.short.join(', ')}`,
      isOptional: true,
    },
  ],
};

/** The body that creates a service account. */
export const serviceAccountShape: BodyShape = {
  key: 'service_account',
  fields: [
    { name: 'name', help: 'name of the service account' },
    { name: 'description', help: 'description of the service account', isOptional: true },
  ],
};
