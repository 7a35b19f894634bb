/** How long each step of a long-running operation takes on the virtual clock, in milliseconds. */
export interface Durations {
  readonly networkCreateMs: number;
  readonly networkDeleteMs: number;
  /** From the request until a BYOC cluster waits for its agent. */
  readonly clusterPrepareMs: number;
  /** From the agent's call (BYOC) or the request (Dedicated) until the cluster is ready. */
  readonly clusterCreateMs: number;
  readonly clusterUpdateMs: number;
  /** From the request until the cluster is gone (Dedicated) or waits for its agent to be removed (BYOC). */
  readonly clusterDeleteMs: number;
  /** From the agent's call until the cluster is gone. */
  readonly agentRemoveMs: number;
}

/** What a test may switch while the simulator runs. */
export interface Settings {
  /** Both spellings occur in the API's documentation. */
  readonly operationStates: 'prefixed' | 'bare';
  /** The `code` of an error body: its name, or the number that a stock gateway prints. */
  readonly errorCodes: 'name' | 'number';
  /** How times are printed; the documentation's examples differ. */
  readonly timestamps: 'milliseconds' | 'seconds' | 'nanoseconds' | 'object' | 'null';
  /** Whether type URLs have something before the name of the message. */
  readonly typeUrls: 'prefixed' | 'bare';
  /** Enum values to print as others, for example values that no client knows yet. */
  readonly enums: Readonly<Record<string, string>>;
  /** The largest page; a small one forces clients to page. */
  readonly pageSize: number;
  readonly tokenLifetimeS: number;
  /** Tokens that the organization may ask for between two midnights (UTC). */
  readonly tokensPerDay: number;
  /** Refuse fields and query parameters that the API does not have, instead of dropping them silently. */
  readonly strict: boolean;
  /** Virtual time that passes with each request, in milliseconds. */
  readonly perRequestMs: number;
  readonly organizationActive: boolean;
  /** Artifact locations carry a query after the file name, as pre-signed URLs do. */
  readonly signedLocations: boolean;
  readonly durations: Durations;
}

/** A step takes seconds; tests move the clock, people wait for it. */
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

/** A part of the settings, as a request or an options file gives it. */
export type SettingsChange = Partial<Omit<Settings, 'durations'>> & { readonly durations?: Partial<Durations> };

/**
 * The settings with some of them changed.
 * @throws Error naming a key that does not exist or whose value is of another sort
 */
export function changeSettings(settings: Settings, change: unknown): Settings {
  return merge(settings, change, '') as Settings;
}

function merge(known: object, change: unknown, at: string): object {
  if (change === undefined) return known;
  if (typeof change !== 'object' || change === null) throw new Error(`an object is expected${at && ` at "${at}"`}`);
  const merged: Record<string, unknown> = { ...known };
  for (const [key, value] of Object.entries(change)) {
    const before = merged[key];
    if (before === undefined) throw new Error(`unknown setting "${at}${key}"`);
    if (typeof before !== typeof value || value === null) throw new Error(`"${at}${key}" is a ${typeof before}`);
    merged[key] = key === 'durations' ? merge(before as object, value, `${key}.`) : value;
  }
  return merged;
}
