import { words } from '../../cloud/api/words.ts';
import { oneOf } from '../../kinds.ts';
import type { BodyShape } from './body.ts';

/** What a resource group is created with (endpoint 1). */
export const resourceGroupShape: BodyShape = {
  key: 'resource_group',
  fields: [{ name: 'name', help: 'name of the resource group' }],
};

/** What a network is created with (endpoint 3). */
export const networkShape: BodyShape = {
  key: 'network',
  fields: [
    { name: 'name', help: 'name of the network' },
    { name: 'resource_group_id', help: 'the resource group it belongs to' },
    { name: 'cidr_block', help: 'address range, for example 10.0.0.0/20; it must overlap no other' },
    { name: 'cloud_provider', words: words.provider, help: 'where it is' },
    { name: 'cluster_type', words: words.clusterType, help: 'the type of cluster it is for' },
    { name: 'region', help: 'region of the cloud provider' },
  ],
};

/** What a cluster is created with (endpoint 5), but for its properties. */
export const clusterShape: BodyShape = {
  key: 'cluster',
  fields: [
    { name: 'name', help: 'name of the cluster' },
    { name: 'resource_group_id', help: 'the resource group it belongs to' },
    { name: 'network_id', help: 'the network it is in' },
    { name: 'cloud_provider', words: words.provider, help: 'where it is' },
    {
      name: 'connection_type',
      words: words.connection,
      help: 'whether it is reached from everywhere',
      isOptional: true,
    },
    { name: 'region', help: 'region of the cloud provider' },
    { name: 'throughput_tier', help: 'usage tier; which there are depends on region and type' },
    { name: 'type', words: words.clusterType, help: "byoc: in one's own cloud account" },
    { name: 'zones', isList: true, help: 'availability zones, separated by commas' },
  ],
};

/** What a role binding is created with (endpoint 12). */
export const roleBindingShape: BodyShape = {
  key: 'role_binding',
  fields: [
    { name: 'role_name', kind: oneOf('role', ['Reader', 'Writer', 'Admin']), help: 'the role' },
    { name: 'account_id', help: 'id of a user or service account' },
    { name: 'scope.resource_id', flag: 'resourceId', help: 'what the role is for' },
    {
      name: 'scope.resource_type',
      flag: 'resourceType',
      words: words.scope,
      help: 'what sort of resource that is',
      isOptional: true,
    },
  ],
};

/** What a service account is created with (endpoint 14). */
export const serviceAccountShape: BodyShape = {
  key: 'service_account',
  fields: [
    { name: 'name', help: 'name of the service account' },
    { name: 'description', help: 'what it is for', isOptional: true },
  ],
};
