import { optional, type Reader } from '../../http/readers.ts';

/** The cloud providers in the API's spelling. */
export const cloudProviders = ['CLOUD_PROVIDER_AWS', 'CLOUD_PROVIDER_GCP', 'CLOUD_PROVIDER_AZURE'] as const;

/** The cluster types. */
export const clusterTypes = ['TYPE_DEDICATED', 'TYPE_BYOC'] as const;

/** The connection types of clusters. */
export const connectionTypes = ['CONNECTION_TYPE_PUBLIC', 'CONNECTION_TYPE_PRIVATE'] as const;

/** The scope types that the simulator supports in role bindings. */
export const scopeTypes = [
  'SCOPE_RESOURCE_TYPE_CLUSTER',
  'SCOPE_RESOURCE_TYPE_RESOURCE_GROUP',
  'SCOPE_RESOURCE_TYPE_NETWORK',
  'SCOPE_RESOURCE_TYPE_ORGANIZATION',
] as const;

/** The types of operations that the simulator supports. */
export const operationTypes = [
  'TYPE_CREATE_NETWORK',
  'TYPE_DELETE_NETWORK',
  'TYPE_CREATE_CLUSTER',
  'TYPE_UPDATE_CLUSTER',
  'TYPE_DELETE_CLUSTER',
] as const;

/** One of `operationTypes`. */
export type OperationType = (typeof operationTypes)[number];

/** The rule for names of networks and clusters. */
export const nameRule = {
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9])?$/,
  description: 'must be at most 128 letters, digits, "-", "_" and "."',
};

/** Reads a value that may be missing, or an empty text: the real API does not tell these apart. */
export function unset<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, at) => (value === '' ? undefined : optional(reader)(value, at));
}
