import type { Server } from 'node:http';
import type { Certificate } from '../certificates.ts';
import { startClock } from '../clock.ts';
import { type Around, answering, listen, unlisten } from '../http/server.ts';
import { commonPort } from '../ports.ts';
import type { ClusterView } from './cluster-view.ts';
import { progressTo } from './progress.ts';
import { loopback, reflect } from './reflect.ts';
import type { Route } from './request.ts';
import { addUsers, newState, type Seeds } from './seed.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { type AdminOutcome, siteOf } from './site.ts';
import type { World } from './world.ts';

/** The options of a simulator that can be stored in a JSON file. */
export interface AdminOptions {
  /** The port of every node (default: one that is free on all their addresses). */
  readonly port?: number;
  readonly settings?: Partial<Settings>;
  readonly seeds?: Seeds;
  /** The initial time of the virtual clock, in milliseconds since the epoch (default: now). */
  readonly startAt?: number;
  /** Virtual milliseconds per real millisecond (default 0: the clock stands still). */
  readonly clockRate?: number;
}

/** What a simulator runs with besides its options. */
export interface AdminParts extends AdminOptions {
  /** The cluster to reflect. */
  readonly view: ClusterView;
  /** Serves HTTPS only, with this certificate. */
  readonly tls?: Certificate;
  /** Returns what stands before the handling of every request to a node. */
  around?(node: number): Around<Route, AdminOutcome>;
}

/** A running simulator of the Admin API. */
export interface AdminApi {
  /** The addresses of the nodes in the order of their ids, as `http://127.0.0.1:9644`. */
  readonly addresses: readonly string[];
  /** The ids of the nodes in the same order. */
  readonly nodeIds: readonly number[];
  readonly port: number;
  readonly world: World;
  /** Brings the state up to the present: the work that is due, and what changed in the reflected cluster. */
  settle(): Promise<void>;
  /** Opens the listener of a node. @throws Error when the port is taken */
  listen(node: number): Promise<void>;
  /** Closes the listener of a node and cuts its connections. */
  unlisten(node: number): Promise<void>;
  /** Stops answering immediately. */
  close(): Promise<void>;
}

/**
 * Starts a simulator of Redpanda's Admin API: one listener per node of the cluster, at 127.0.0.1, 127.0.0.2 and so on,
 * all on one port. It is written from the documented API and independently of the client.
 * @throws Error when the port is taken or the seeds are invalid
 */
export async function startAdminApi(parts: AdminParts): Promise<AdminApi> {
  const world = await openWorld(parts);
  const servers = new Map<number, Server>();
  const nodes = [...world.state.nodes.values()];
  const api: AdminApi = {
    addresses: nodes.map(({ host }) => `${world.scheme}://${host}:${world.port}`),
    nodeIds: nodes.map(({ id }) => id),
    port: world.port,
    world,
    async settle() {
      reflect(world, await world.view.read());
      progressTo(world, world.clock.now());
    },
    async listen(id) {
      const node = world.state.nodes.get(id);
      if (node === undefined) throw new Error(`node ${id} does not exist`);
      const server = await listen({ host: node.host, port: world.port }, parts.tls);
      server.on('request', answering(siteOf(world, node, api.settle, parts.around?.(id))));
      servers.set(id, server);
    },
    async unlisten(id) {
      const server = servers.get(id);
      servers.delete(id);
      if (server !== undefined) await unlisten(server);
    },
    async close() {
      await Promise.all(api.nodeIds.map((id) => api.unlisten(id)));
    },
  };
  await api.settle();
  try {
    for (const id of api.nodeIds) await api.listen(id);
  } catch (error) {
    await api.close();
    throw error;
  }
  return api;
}

async function openWorld({ view, tls, seeds = {}, ...parts }: AdminParts): Promise<World> {
  const snapshot = await view.read();
  const clock = startClock(parts.startAt ?? Date.now(), parts.clockRate ?? 0);
  const settings = { ...defaultSettings, ...parts.settings };
  const world: World = {
    scheme: tls === undefined ? 'http' : 'https',
    port: parts.port ?? (await commonPort(snapshot.brokers.map((_, index) => loopback(index)))),
    clock,
    view,
    state: newState(snapshot, seeds, clock.now(), settings.release),
    settings,
  };
  await addUsers(view, world, seeds);
  return world;
}
