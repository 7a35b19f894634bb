/** The duration of each step of a long-running operation on the virtual clock, in milliseconds. */
interface Durations {
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

/** How the simulator answers and how long its work takes. */
export interface Settings {
  /** The largest page size; a small value forces clients to page. */
  readonly pageSize: number;
  readonly tokenLifetimeS: number;
  /** The number of tokens that the organization may request per day (UTC). */
  readonly tokensPerDay: number;
  readonly durations: Durations;
}

/** The default settings. Steps take seconds: tests move the clock, users wait. */
export const defaultSettings: Settings = {
  pageSize: 100,
  tokenLifetimeS: 3600,
  tokensPerDay: 1000,
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

/** Returns the settings with a change applied. */
export function changeSettings(settings: Settings, change: SettingsChange = {}): Settings {
  return { ...settings, ...change, durations: { ...settings.durations, ...change.durations } };
}
