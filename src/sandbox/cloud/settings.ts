/** The duration of each step of a long-running operation on the virtual clock, in milliseconds. */
export interface Durations {
  readonly networkCreateMs: number;
  readonly networkDeleteMs: number;
  /** From the request until a BYOC cluster waits for its agent. */
  readonly clusterPrepareMs: number;
  /** From the agent's call (BYOC) or the request (Dedicated) until the cluster is ready. */
  readonly clusterCreateMs: number;
  readonly clusterUpdateMs: number;
  /** From the request until the cluster is deleted (Dedicated) or waits for its agent to be removed (BYOC). */
  readonly clusterDeleteMs: number;
  /** From the agent's call until the cluster is deleted. */
  readonly agentRemoveMs: number;
}

/** The settings that a test can change while the simulator is running. */
export interface Settings {
  /** The spelling of operation states; the API documentation uses both. */
  readonly operationStates: 'prefixed' | 'bare';
  /** The form of `code` in an error body: its name, or the number that a stock gateway prints. */
  readonly errorCodes: 'name' | 'number';
  /** The format of times; the documentation's examples differ. */
  readonly timestamps: 'milliseconds' | 'seconds' | 'nanoseconds' | 'object' | 'null';
  /** Whether type URLs have a prefix before the message name. */
  readonly typeUrls: 'prefixed' | 'bare';
  /** Replacements for enum values in responses, for example by values that no client knows yet. */
  readonly enums: Readonly<Record<string, string>>;
  /** The largest page size; a small value forces clients to page. */
  readonly pageSize: number;
  readonly tokenLifetimeS: number;
  /** The number of tokens that the organization may request per day (UTC). */
  readonly tokensPerDay: number;
  /** Rejects fields and query parameters that the API does not have, instead of silently ignoring them. */
  readonly strict: boolean;
  /** The virtual time that each request takes, in milliseconds. */
  readonly perRequestMs: number;
  readonly organizationActive: boolean;
  /** Adds a query after the file name in artifact locations, as in pre-signed URLs. */
  readonly signedLocations: boolean;
  readonly durations: Durations;
}

/** The default settings. Steps take seconds: tests move the clock, users wait. */
export const defaultSettings: Settings = {
  operationStates: 'prefixed',
  errorCodes: 'name',
  timestamps: 'milliseconds',
  typeUrls: 'prefixed',
  enums: {},
  pageSize: 100,
  tokenLifetimeS: 3600,
  tokensPerDay: 1000,
  strict: true,
  perRequestMs: 0,
  organizationActive: true,
  signedLocations: false,
  durations: {
    networkCreateMs: 5_000,
    networkDeleteMs: 5_000,
    clusterPrepareMs: 3_000,
    clusterCreateMs: 15_000,
    clusterUpdateMs: 5_000,
    clusterDeleteMs: 10_000,
    agentRemoveMs: 5_000,
  },
};

/** A partial change of the settings, from a request or an options file. */
export type SettingsChange = Partial<Omit<Settings, 'durations'>> & { readonly durations?: Partial<Durations> };

/**
 * Returns the settings with a change applied.
 * @throws Error naming a key that does not exist or whose value has the wrong type
 */
export function changeSettings(settings: Settings, change: unknown): Settings {
  return merge(settings, change, '') as Settings;
}

function merge(known: object, change: unknown, at: string): object {
  if (change === undefined) return known;
  if (typeof change !== 'object' || change === null) throw new Error('the settings must be an object');
  const merged: Record<string, unknown> = { ...known };
  for (const [key, value] of Object.entries(change)) {
    const before = merged[key];
    if (before === undefined) throw new Error(`unknown setting "${at}${key}"`);
    if (typeof before !== typeof value || value === null)
      throw new Error(`"${at}${key}" must be of type ${typeof before}`);
    merged[key] = key === 'durations' ? merge(before as object, value, `${key}.`) : value;
  }
  return merged;
}
