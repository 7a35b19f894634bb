import { type AdminApi, type AdminParts, startAdminApi } from '../../../src/sandbox/admin/admin-api.ts';
import { AdminError } from '../../../src/sandbox/admin/admin-error.ts';
import { moveController } from '../../../src/sandbox/admin/partitions/election.ts';
import { adminRoutes } from '../../../src/sandbox/admin/routes.ts';
import type { Settings } from '../../../src/sandbox/admin/settings.ts';
import * as http from '../http/faults.ts';
import { type FixedView, fixedView } from './fixed-view.ts';

/** Moves the leadership of the controller before a request is handled; 0 for an election in the usual time. */
type OwnEffect = { readonly kind: 'move-controller'; readonly electionMs: number };

/** What a fault does to a response. */
export type Effect = http.Effect | OwnEffect;

/** A fault of the Admin API. */
export type Fault = http.Fault<OwnEffect>;

/** The record of one request to one node. */
export interface JournalEntry extends http.Noted {
  /** The node that was asked. */
  readonly node: number;
  /** The path with its query, as sent. */
  readonly path: string;
  /** The scheme of the credentials that came. */
  readonly credentials: 'none' | 'basic' | 'bearer' | 'other';
  /** The user that they proved; null when they proved none. */
  readonly user: string | null;
  readonly contentType: string | null;
  readonly bodyBytes: number;
  /** Where a redirect led to; null for other answers. */
  readonly location: string | null;
}

/** The settings of the simulator and of the time that a test lets each request take. */
interface ControlledSettings extends Settings {
  /** The virtual time that each request takes, in milliseconds. */
  readonly perRequestMs: number;
}

/** What a test can do to a running simulator besides calling it. */
export interface Switches {
  /** Moves the virtual clock by `ms` milliseconds and does the work that is due. */
  advance(ms: number): Promise<void>;
  /** The virtual time in milliseconds since the epoch. */
  now(): number;
  changeSettings(change: Partial<ControlledSettings>): void;
  addFault(fault: Fault): void;
  clearFaults(): void;
  /** The requests to all nodes or to one, oldest first. */
  journal(node?: number): readonly JournalEntry[];
  clearJournal(): void;
  /** Takes a node down: its listener refuses connections and its leaderships move. */
  stopNode(id: number): Promise<void>;
  startNode(id: number): Promise<void>;
  /** Applies what waits for a restart on this node. */
  restartNode(id: number): Promise<void>;
  /** Ends the leadership of the controller; there is none until `electionMs` have passed. */
  moveController(how?: { readonly to?: number; readonly electionMs?: number }): void;
  /** Lets the replicas of a node that do not lead fall behind, or catch up. */
  setLag(id: number, lags: boolean): void;
  /** Sets the free space of a node's disk, in bytes. */
  setFreeDisk(id: number, bytes: number): void;
}

/** What a controlled simulator is started with. */
export interface ControlledParts extends Partial<Omit<AdminParts, 'settings' | 'around'>> {
  readonly settings?: Partial<ControlledSettings>;
}

/** A simulator with the switches of a test, by default over fixed data. */
export interface ControlledAdmin {
  readonly api: AdminApi;
  readonly switches: Switches;
  readonly view: FixedView;
}

/** Starts a simulator with switches. Its clock only moves when a test moves it. */
export async function startControlledAdmin(parts: ControlledParts = {}): Promise<ControlledAdmin> {
  const { view = fixedView(), settings: { perRequestMs = 0, ...settings } = {}, ...rest } = parts;
  const stopped = new Set<number>();
  const stopping = new AbortController();
  const faults = http.newFaults<OwnEffect>(adminRoutes);
  let journal: readonly JournalEntry[] = [];
  let msOfRequest = perRequestMs;
  const api: AdminApi = await startAdminApi({
    ...rest,
    settings,
    view: {
      ...view,
      async read() {
        const { brokers, ...snapshot } = await view.read();
        const isUp = (id: number, alive: boolean) => alive && !stopped.has(id);
        return { ...snapshot, brokers: brokers.map((one) => ({ ...one, alive: isUp(one.id, one.alive) })) };
      },
    },
    around: (node) =>
      http.withControls({
        faults,
        node,
        signal: stopping.signal,
        settle: () => api.settle(),
        errorOf: ({ status, message = 'a simulated fault' }) => ({
          status,
          body: new AdminError(status, message).body,
        }),
        begin(effects) {
          api.world.clock.advance(msOfRequest);
          for (const effect of effects)
            if (effect.kind === 'move-controller') moveController(api.world, effect.electionMs);
        },
        note(entry, { request, url, bytes }, result) {
          const { authorization, 'content-type': contentType = null } = request.headers;
          const own = {
            number: journal.length + 1,
            at: api.world.clock.now(),
            node,
            path: url.pathname + url.search,
            credentials: schemeOf(authorization),
            user: 'user' in result ? result.user : null,
            contentType,
            bodyBytes: bytes.length,
            location: result.reply.headers?.location ?? null,
          };
          journal = [...journal, { ...entry, ...own }];
        },
      }),
  });
  const { world } = api;
  const nodeOf = (id: number) => {
    const node = world.state.nodes.get(id);
    if (node === undefined) throw new Error(`node ${id} does not exist`);
    return node;
  };
  const switches: Switches = {
    async advance(ms) {
      world.clock.advance(ms);
      await api.settle();
    },
    now: () => world.clock.now(),
    changeSettings({ perRequestMs: ms = msOfRequest, ...change }) {
      msOfRequest = ms;
      world.settings = { ...world.settings, ...change };
    },
    addFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    journal: (node) => (node === undefined ? journal : journal.filter((entry) => entry.node === node)),
    clearJournal() {
      journal = [];
    },
    async stopNode(id) {
      nodeOf(id);
      if (stopped.has(id)) return;
      stopped.add(id);
      await api.unlisten(id);
      await api.settle();
    },
    async startNode(id) {
      if (!stopped.delete(id)) return;
      await api.listen(id);
      await api.settle();
      const node = nodeOf(id);
      node.booted = node.applied;
    },
    async restartNode(id) {
      await switches.stopNode(id);
      await switches.startNode(id);
    },
    moveController({ to, electionMs = world.settings.electionMs } = {}) {
      moveController(world, electionMs, to);
    },
    setLag(id, lags) {
      nodeOf(id).lags = lags;
    },
    setFreeDisk(id, bytes) {
      nodeOf(id).disk.free = bytes;
    },
  };
  const close = async (): Promise<void> => {
    stopping.abort();
    await api.close();
  };
  return { api: { ...api, close }, switches, view: view as FixedView };
}

function schemeOf(authorization: string | undefined): JournalEntry['credentials'] {
  const scheme = authorization?.split(' ')[0]?.toLowerCase() ?? 'none';
  return scheme === 'none' || scheme === 'basic' || scheme === 'bearer' ? scheme : 'other';
}
