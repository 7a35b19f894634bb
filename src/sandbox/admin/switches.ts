import { badRequest } from './http/admin-error.ts';
import { type FaultSwitch, readFault } from './http/faults.ts';
import type { JournalEntry } from './http/journal.ts';
import { moveController } from './partitions/election.ts';
import { adminRoutes } from './routes.ts';
import { changeSettings, type Settings } from './settings.ts';
import type { Node } from './state.ts';
import type { World } from './world.ts';

/** What a test can do to a running simulator besides calling it. */
export interface Switches {
  /** Moves the virtual clock by `ms` milliseconds and does the work that is due. */
  advance(ms: number): Promise<void>;
  /** The virtual time in milliseconds since the epoch. */
  now(): number;
  setClockRate(rate: number): void;
  changeSettings(change: Partial<Settings>): void;
  addFault(fault: FaultSwitch): void;
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
  /** Sets the free space of a node's disk, in bytes. */
  setFreeDisk(id: number, bytes: number): void;
}

/** What the switches need besides the world. */
export interface SwitchParts {
  readonly stopped: Set<number>;
  settle(): Promise<void>;
  listen(node: Node): Promise<void>;
  unlisten(node: Node): Promise<void>;
}

/** Creates the switches of a simulator. */
export function makeSwitches(world: World, parts: SwitchParts): Switches {
  const { clock, faults, journal } = world;
  const nodeOf = (id: number): Node => {
    const node = world.state.nodes.get(id);
    if (node === undefined) throw badRequest(`node ${id} does not exist`);
    return node;
  };
  async function stopNode(id: number): Promise<void> {
    const node = nodeOf(id);
    if (parts.stopped.has(id)) return;
    parts.stopped.add(id);
    await parts.unlisten(node);
    await parts.settle();
  }
  async function startNode(id: number): Promise<void> {
    const node = nodeOf(id);
    if (!parts.stopped.delete(id)) return;
    await parts.listen(node);
    await parts.settle();
    node.booted = node.applied;
  }
  return {
    async advance(ms) {
      clock.advance(ms);
      await parts.settle();
    },
    now: () => clock.now(),
    setClockRate: (rate) => clock.setRate(rate),
    changeSettings(change) {
      world.settings = changeSettings(world.settings, change);
    },
    addFault: (fault) => faults.add(readFault(fault, adminRoutes)),
    clearFaults: () => faults.clear(),
    journal: (node) => journal.entries(node),
    clearJournal: () => journal.clear(),
    stopNode,
    startNode,
    async restartNode(id) {
      await stopNode(id);
      await startNode(id);
    },
    moveController({ to, electionMs = world.settings.electionMs } = {}) {
      moveController(world, electionMs, to);
    },
    setFreeDisk(id, bytes) {
      nodeOf(id).disk.free = bytes;
    },
  };
}
