import { type ControlPlane, startControlPlane } from '../../../src/sandbox/cloud/control-plane.ts';
import type { Effect } from '../../../src/sandbox/cloud/http/faults.ts';
import type { JournalEntry } from '../../../src/sandbox/cloud/http/journal.ts';
import type { ControlPlaneOptions, SeedClient } from '../../../src/sandbox/cloud/options.ts';
import type { SettingsChange } from '../../../src/sandbox/cloud/settings.ts';

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

/** A simulator and test calls to it over real HTTP. */
export interface Plane {
  readonly plane: ControlPlane;
  readonly url: string;
  /** Calls as the admin. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Calls with the given token, or without one. */
  call(method: string, path: string, options?: { body?: unknown; token?: string | undefined }): Promise<Answer>;
  /** Makes a control call, which must succeed. */
  sim(method: string, path: string, body?: unknown): Promise<Json>;
  tokenOf(client: SeedClient): Promise<string>;
  advance(ms: number): Promise<void>;
  settings(change: SettingsChange): Promise<void>;
  fault(route: string, effect: Effect, how?: { skip?: number; times?: number | null }): Promise<void>;
  journal(query?: string): Promise<readonly JournalEntry[]>;
  /** Restores the initial state and drops the admin's token. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a simulator with the three clients and two users. */
export async function startPlane(options: ControlPlaneOptions = {}): Promise<Plane> {
  const plane = await startControlPlane({
    clients: [admin, writer, reader],
    users: [
      { email: 'ada@cloud.example', name: 'Ada' },
      { email: 'ben@cloud.example', name: 'Ben', role: 'Reader' },
    ],
    testControls: true,
    ...options,
    settings: { ...options.settings, durations: { clusterPrepareMs: 0, ...options.settings?.durations } },
  });
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
  async function sim(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await call(method, path, body === undefined ? {} : { body });
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  return {
    plane,
    url: plane.url,
    call,
    sim,
    tokenOf,
    async api(method, path, body) {
      adminToken ??= tokenOf(admin);
      return call(method, path, { ...(body === undefined ? {} : { body }), token: await adminToken });
    },
    advance: async (ms) => void (await sim('POST', '/sim/clock', { advance_ms: ms })),
    settings: async (change) => void (await sim('PATCH', '/sim/settings', change)),
    fault: async (route, effect, how) => void (await sim('POST', '/sim/faults', { route, effect, ...how })),
    journal: async (query = '') => (await sim('GET', `/sim/journal${query}`)).entries,
    async reset() {
      adminToken = undefined;
      await sim('POST', '/sim/reset');
    },
    stop: () => plane.stop(),
  };
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
export async function readyNetwork(plane: Plane, part: object = {}): Promise<{ groupId: string; networkId: string }> {
  const group = await plane.api('POST', '/v1/resource-groups', { resource_group: { name: 'dev' } });
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
