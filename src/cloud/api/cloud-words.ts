/** The values of one enum: the short words that users type, and the prefix of the API's values. */
export interface Words {
  readonly name: string;
  /** The prefix of all API values. */
  readonly prefix: string;
  readonly short: readonly string[];
}

/** The enums of the control plane that have short words. */
export const words = {
  provider: { name: 'cloud provider', prefix: 'CLOUD_PROVIDER_', short: ['aws', 'azure', 'gcp'] },
  clusterType: { name: 'cluster type', prefix: 'TYPE_', short: ['byoc', 'dedicated'] },
  connection: { name: 'connection type', prefix: 'CONNECTION_TYPE_', short: ['public', 'private'] },
  scope: {
    name: 'resource type',
    prefix: 'SCOPE_RESOURCE_TYPE_',
    short: ['cluster', 'resource-group', 'network', 'serverless-cluster', 'organization'],
  },
  secretScope: { name: 'scope', prefix: 'SCOPE_', short: ['redpanda-connect', 'redpanda-cluster'] },
} as const satisfies Readonly<Record<string, Words>>;

/** Converts `gcp` to `CLOUD_PROVIDER_GCP`; text that starts with the API's prefix is accepted. Undefined for others. */
export function apiWord(text: string, { prefix, short }: Words): string | undefined {
  const word = text.toUpperCase().replaceAll('-', '_');
  if (word.startsWith(prefix) && word.length > prefix.length) return word;
  return short.some((one) => one.toUpperCase().replaceAll('-', '_') === word) ? prefix + word : undefined;
}

/** Converts `CLOUD_PROVIDER_GCP` to `gcp`. */
export function shortWord(text: string, { prefix }: Words): string {
  return text.replace(prefix, '').toLowerCase().replaceAll('_', '-');
}

/** The prefixes of the enum values shown in tables, by field. */
const shownPrefixes: Readonly<Record<string, string>> = {
  state: 'STATE_',
  type: 'TYPE_',
  cluster_type: 'TYPE_',
  cloud_provider: 'CLOUD_PROVIDER_',
  connection_type: 'CONNECTION_TYPE_',
  resource_type: 'SCOPE_RESOURCE_TYPE_',
};

/** A field's value as users type it, for example `creating-agent` for the state `STATE_CREATING_AGENT`. */
export function typedWord(field: string, value: string): string {
  const prefix = shownPrefixes[field.slice(field.lastIndexOf('.') + 1)];
  if (prefix === undefined || !/^[A-Z][A-Z0-9_]*$/.test(value)) return value;
  return shortWord(value, { name: field, prefix, short: [] });
}
