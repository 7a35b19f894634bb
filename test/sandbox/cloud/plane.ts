import { oauthError } from '../../../src/sandbox/cloud/auth/issue.ts';
import { addSeeds, type ControlPlane, newState, startControlPlane } from '../../../src/sandbox/cloud/control-plane.ts';
import { ApiError, type CodeName, codes, errorBody } from '../../../src/sandbox/cloud/http/api-error.ts';
import type { ControlPlaneOptions, SeedClient } from '../../../src/sandbox/cloud/options.ts';
import { routes } from '../../../src/sandbox/cloud/routes.ts';
import { changeSettings, type SettingsChange } from '../../../src/sandbox/cloud/settings.ts';
import type { PlannedFailure } from '../../../src/sandbox/cloud/state.ts';
import type { Reply } from '../../../src/sandbox/http/reply.ts';
import * as http from '../http/faults.ts';
import { type ArtifactChange, falsify, type Spelling, spell, usualSpelling } from './spelling.ts';

/** Falsifies the install pack in the response. */
type OwnEffect = { readonly kind: 'artifact'; readonly change: ArtifactChange };

/** What a fault does to a response. */
export type Effect = http.Effect | OwnEffect;

/** The record of one request. */
export interface JournalEntry extends http.Noted {
  readonly path: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Whether the request had an Authorization header. */
  readonly authorization: boolean;
  /** The `jti` of an accepted token. */
  readonly token_id: string | null;
  readonly client_id: string | null;
  readonly content_type: string | null;
  /** The JSON body of a call to the control plane API; null elsewhere. */
  readonly body: unknown;
}

/** The settings of the simulator, of its spelling, and of the time that a test lets each request take. */
export type PlaneSettings = SettingsChange & Partial<Spelling> & { readonly perRequestMs?: number };

/** The options of a simulator for tests. */
export interface PlaneOptions extends Omit<ControlPlaneOptions, 'settings'> {
  readonly settings?: PlaneSettings;
}

/** JSON whose structure a test asserts. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads responses like a foreign client, without our types
export type Json = any;

/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** The credentials of one client per role. */
export const admin: SeedClient = { clientId: 'ci-admin', clientSecret: 'admin-secret' };
export const writer: SeedClient = { clientId: 'ci-writer', clientSecret: 'writer-secret', role: 'Writer' };
export const reader: SeedClient = { clientId: 'ci-reader', clientSecret: 'reader-secret', role: 'Reader' };

/** A simulator, test calls to it over real HTTP, and what a test can do to it besides calling it. */
export interface Plane {
  readonly plane: ControlPlane;
  readonly url: string;
  /** Calls as the admin. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Calls with the given token, or without one. */
  call(method: string, path: string, options?: { body?: unknown; token?: string | undefined }): Promise<Answer>;
  tokenOf(client: SeedClient): Promise<string>;
  /** The virtual time in milliseconds since the epoch. */
  now(): number;
  advance(ms: number): Promise<void>;
  /** Lets the clock run, in virtual milliseconds per real millisecond. */
  setClockRate(rate: number): void;
  settings(change: PlaneSettings): Promise<void>;
  fault(route: string, effect: Effect, how?: Pick<http.Fault<OwnEffect>, 'skip' | 'times'>): Promise<void>;
  faults(): readonly http.Fault<OwnEffect>[];
  clearFaults(): void;
  /** Lets the next operation of a type, or of any type, fail. */
  fail(failure?: Partial<PlannedFailure>): void;
  /** Lets every token that was issued so far be expired. */
  expireTokens(): void;
  /** Pins a cluster to a version of the plugin, which need not exist. */
  pin(clusterId: string, installPack: string): void;
  /** The requests, oldest first: all, or those that have what the query names, for example `?route=clusters.create`. */
  journal(query?: string): Promise<readonly JournalEntry[]>;
  clearJournal(): void;
  /** Approves a device login in the name of Ada, or of somebody else. */
  approve(userCode: string, email?: string): Promise<void>;
  /** The resources and operations, in lists. */
  state(): Json;
  /** Restores the initial state and drops the admin's token. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a simulator with the three clients and two users. Its clock only moves when a test moves it. */
export async function startPlane({ settings, ...rest }: PlaneOptions = {}): Promise<Plane> {
  const options: ControlPlaneOptions = {
    clients: [admin, writer, reader],
    users: [
      { email: 'ada@cloud.example', name: 'Ada' },
      { email: 'ben@cloud.example', name: 'Ben', role: 'Reader' },
    ],
    ...rest,
  };
  const stopping = new AbortController();
  const faults = http.newFaults<OwnEffect>(routes);
  let journal: readonly JournalEntry[] = [];
  let spelling = usualSpelling;
  let perRequestMs = 0;
  const plane: ControlPlane = await startControlPlane(
    options,
    http.withControls({
      faults,
      signal: stopping.signal,
      begin(_, { url }) {
        // The plugin's own requests take no time.
        if (!url.pathname.startsWith('/sim/')) plane.world.clock.advance(perRequestMs);
      },
      settle: () => plane.settle(),
      errorOf,
      change(reply, effects, { url, match }) {
        const artifact = effects.find((effect) => effect.kind === 'artifact');
        const isSpelled = /^\/(v1|api)\//.test(url.pathname) || reply.status >= 400;
        if (reply.body === undefined || !isSpelled) return reply;
        const name = typeof match === 'object' ? match.route.name : '';
        const body = artifact && name === 'install-packs.get' ? falsify(reply.body, artifact.change) : reply.body;
        return { ...reply, body: spell(body, spelling) };
      },
      note(entry, { request, url }, result) {
        const { principal, body } = 'principal' in result ? result : {};
        const own = {
          number: journal.length + 1,
          at: plane.world.clock.now(),
          path: url.pathname,
          query: Object.fromEntries([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)])),
          authorization: request.headers.authorization !== undefined,
          token_id: principal?.tokenId ?? null,
          client_id: principal?.clientId ?? null,
          content_type: request.headers['content-type'] ?? null,
          body: url.pathname.startsWith('/v1/') ? (body ?? null) : null,
        };
        journal = [...journal, { ...entry, ...own }];
      },
    }),
  );
  const { world } = plane;
  function change({ perRequestMs: ms = perRequestMs, ...wanted }: PlaneSettings): void {
    perRequestMs = ms;
    const spelled = Object.entries(wanted).filter(([name]) => Object.hasOwn(usualSpelling, name));
    const own = Object.entries(wanted).filter(([name]) => !Object.hasOwn(usualSpelling, name));
    spelling = { ...spelling, ...Object.fromEntries(spelled) };
    world.state.settings = changeSettings(world.state.settings, Object.fromEntries(own));
  }
  /** The settings that every test begins with. */
  function begin(): void {
    spelling = usualSpelling;
    perRequestMs = 0;
    change({ ...settings, durations: { clusterPrepareMs: 0, ...settings?.durations } });
  }
  begin();
  let adminToken: Promise<string> | undefined;
  async function call(
    method: string,
    path: string,
    { body, token }: { body?: unknown; token?: string | undefined } = {},
  ) {
    const response = await fetch(plane.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  async function tokenOf({ clientId, clientSecret }: SeedClient): Promise<string> {
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    return (await call('POST', '/oauth/token', { body })).body.access_token;
  }
  return {
    plane,
    url: plane.url,
    call,
    tokenOf,
    async api(method, path, body) {
      adminToken ??= tokenOf(admin);
      return call(method, path, { ...(body === undefined ? {} : { body }), token: await adminToken });
    },
    now: () => world.clock.now(),
    async advance(ms) {
      world.clock.advance(ms);
      plane.settle();
    },
    setClockRate: (rate) => world.clock.setRate(rate),
    settings: async (wanted) => change(wanted),
    fault: async (route, effect, how) => faults.add({ route, effect, ...how }),
    faults: () => faults.list(),
    clearFaults: () => faults.clear(),
    fail(failure) {
      const usual = {
        code: 'RESOURCE_EXHAUSTED',
        reason: 'REASON_INSUFFICIENT_QUOTA',
        message: 'the quota is used up',
      };
      world.state.failures = [...world.state.failures, { ...usual, ...failure } as PlannedFailure];
    },
    expireTokens() {
      // Token times are whole seconds, so the next token must be issued in a later second than the expired ones.
      const second = Math.floor(world.clock.now() / 1000) * 1000 + 1000;
      world.clock.advance(second - world.clock.now());
      world.state.tokensValidFrom = second;
    },
    pin(clusterId, installPack) {
      const cluster = world.state.clusters.get(clusterId);
      if (cluster === undefined) throw new Error(`there is no cluster ${clusterId}`);
      world.state.clusters.set(clusterId, { ...cluster, installPack });
    },
    async journal(query = '') {
      const asked = [...new URLSearchParams(query)];
      return journal.filter((entry) => asked.every(([name, value]) => String(entry[name as 'method']) === value));
    },
    clearJournal() {
      journal = [];
    },
    async approve(userCode, email = 'ada@cloud.example') {
      const { status } = await call('POST', `/sim/device/${userCode}/approve`, { body: { email } });
      if (status !== 200) throw new Error(`unable to approve ${userCode}: ${status}`);
    },
    state() {
      const { clients: _, deviceLogins: __, ...shown } = world.state;
      return Object.fromEntries(
        Object.entries(shown).map(([key, value]) => [key, value instanceof Map ? [...value.values()] : value]),
      );
    },
    async reset() {
      adminToken = undefined;
      faults.clear();
      journal = [];
      world.state = newState(options);
      addSeeds(world, options);
      begin();
    },
    async stop() {
      stopping.abort();
      await plane.stop();
    },
  };
}

/** The error that a fault answers with: in the form of the authorization server, or of the API. */
function errorOf(
  { status, message = 'a simulated fault', code, reason }: http.StatusEffect,
  route: { readonly name: string } | undefined,
): Reply {
  if (route?.name.startsWith('oauth.')) return oauthError(status, 'server_error', message);
  const usual = Object.entries(codes).find(([, one]) => one === status)?.[0] ?? 'UNKNOWN';
  const error = new ApiError((code ?? usual) as CodeName, message, reason === undefined ? {} : { reason });
  return { status, body: errorBody(error) };
}

/** Builds the body of a request that creates a network. */
export function networkBody(resourceGroupId: string, part: object = {}) {
  return {
    network: {
      name: 'net',
      resource_group_id: resourceGroupId,
      cidr_block: '10.0.0.0/20',
      cloud_provider: 'CLOUD_PROVIDER_GCP',
      cluster_type: 'TYPE_BYOC',
      region: 'us-central1',
      ...part,
    },
  };
}

/** Builds the body of a request that creates a cluster. */
export function clusterBody(resourceGroupId: string, networkId: string, part: object = {}) {
  return {
    cluster: {
      name: 'first',
      resource_group_id: resourceGroupId,
      network_id: networkId,
      cloud_provider: 'CLOUD_PROVIDER_GCP',
      connection_type: 'CONNECTION_TYPE_PUBLIC',
      region: 'us-central1',
      throughput_tier: 'tier-1-gcp-v2-x86',
      type: 'TYPE_BYOC',
      zones: ['us-central1-a', 'us-central1-b', 'us-central1-c'],
      cluster_configuration: { custom_properties: { audit_enabled: true, iceberg_catalog_type: 'rest' } },
      ...part,
    },
  };
}

/** Creates a resource group and a ready network; `part` overrides fields of the network. */
export async function readyNetwork(
  plane: Plane,
  part: object = {},
  groupName = 'dev',
): Promise<{ groupId: string; networkId: string }> {
  const group = await plane.api('POST', '/v1/resource-groups', { resource_group: { name: groupName } });
  const groupId: string = group.body.resource_group.id;
  const network = await plane.api('POST', '/v1/networks', networkBody(groupId, part));
  await plane.advance(5_000);
  return { groupId, networkId: network.body.operation.resource_id };
}

/** Reports an agent event like the test plugin. */
export async function report(plane: Plane, clusterId: string, event: 'installed' | 'removed', provider = 'gcp') {
  return plane.api('POST', `/sim/agent/${clusterId}/${event}`, { provider });
}

/** Creates a ready BYOC cluster. */
export async function readyCluster(plane: Plane) {
  const place = await readyNetwork(plane);
  const created = await plane.api('POST', '/v1/clusters', clusterBody(place.groupId, place.networkId));
  const clusterId: string = created.body.operation.metadata.cluster_id;
  await report(plane, clusterId, 'installed');
  await plane.advance(15_000);
  return { ...place, clusterId, createOperation: created.body.operation.id as string };
}
