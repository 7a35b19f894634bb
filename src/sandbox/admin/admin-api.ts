import type { Server } from 'node:http';
import { startClock } from '../clock.ts';
import { controlRoutes, healthRoute } from './control.ts';
import type { Route } from './http/call.ts';
import { readFault, startFaults } from './http/faults.ts';
import { startJournal } from './http/journal.ts';
import { serve } from './http/serve.ts';
import { commonPort, type KeyPair, listen, unlisten } from './listen.ts';
import type { AdminOptions } from './options.ts';
import { progressTo } from './progress.ts';
import { adminRoutes } from './routes.ts';
import { addTransactions, addUsers, newState } from './seed.ts';
import { changeSettings, defaultSettings } from './settings.ts';
import type { Node } from './state.ts';
import { makeSwitches, type Switches } from './switches.ts';
import type { ClusterView } from './view/cluster-view.ts';
import { loopback, reflect } from './view/reflect.ts';
import type { World } from './world.ts';

/** What a simulator runs with besides its options. */
export interface AdminParts extends AdminOptions {
  /** The cluster to reflect. */
  readonly view: ClusterView;
  /** Serves HTTPS only, with this certificate. */
  readonly tls?: KeyPair;
}

/** A running simulator of the Admin API. */
export interface AdminApi {
  /** The addresses of the nodes in the order of their ids, as `http://127.0.0.1:9644`. */
  readonly addresses: readonly string[];
  /** The ids of the nodes in the same order. */
  readonly nodeIds: readonly number[];
  readonly port: number;
  readonly switches: Switches;
  /** Stops answering immediately. */
  close(): Promise<void>;
}

/**
 * Starts a simulator of Redpanda's Admin API: one listener per node of the cluster, at 127.0.0.1, 127.0.0.2 and so on,
 * all on one port. It is written from the documented API and independently of the client.
 * @throws Error when the port is taken or the seeds are invalid
 */
export async function startAdminApi(parts: AdminParts): Promise<AdminApi> {
  const { world, stopped } = await openWorld(parts);
  const stopping = new AbortController();
  const servers = new Map<number, Server>();
  const settle = settler(world, stopped);
  const switches = makeSwitches(world, { stopped, settle, listen: listenAt, unlisten: leave });
  const routes: readonly Route[] = [
    ...adminRoutes,
    healthRoute,
    ...(parts.testControls ? controlRoutes(() => switches) : []),
  ];
  async function listenAt(node: Node): Promise<void> {
    const serving = { world, node, routes, signal: stopping.signal, settle };
    const server = await listen({ host: node.host, port: world.port }, parts.tls, (request, response) => {
      serve(serving, request, response).catch(() => response.destroy());
    });
    servers.set(node.id, server);
  }
  async function leave(node: Node): Promise<void> {
    const server = servers.get(node.id);
    servers.delete(node.id);
    if (server !== undefined) await unlisten(server);
  }
  async function close(): Promise<void> {
    stopping.abort();
    await Promise.all([...world.state.nodes.values()].map(leave));
  }
  await settle();
  addTransactions(world, parts.seeds ?? {});
  const nodes = [...world.state.nodes.values()];
  try {
    for (const node of nodes) await listenAt(node);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    addresses: nodes.map(({ host }) => `${world.scheme}://${host}:${world.port}`),
    nodeIds: nodes.map(({ id }) => id),
    port: world.port,
    switches,
    close,
  };
}

async function openWorld(parts: AdminParts): Promise<{ readonly world: World; readonly stopped: Set<number> }> {
  const { view, tls, port, seeds = {}, settings = {}, clockRate = 0 } = parts;
  const snapshot = await view.read();
  const clock = startClock(parts.startAt ?? Date.now(), clockRate);
  const world: World = {
    scheme: tls === undefined ? 'http' : 'https',
    port: port ?? (await commonPort(snapshot.brokers.map((_, index) => loopback(index)))),
    clock,
    faults: startFaults(),
    journal: startJournal(),
    view,
    state: newState(snapshot, seeds, clock.now()),
    settings: changeSettings(defaultSettings, settings),
  };
  for (const fault of seeds.faults ?? []) world.faults.add(readFault(fault, adminRoutes));
  await addUsers(view, world, seeds);
  return { world, stopped: new Set() };
}

/** Returns what brings the state up to the present: the work that is due, and what changed in the reflected cluster. */
function settler(world: World, stopped: ReadonlySet<number>): () => Promise<void> {
  return async () => {
    reflect(world, await world.view.read(), stopped);
    progressTo(world, world.clock.now());
  };
}
