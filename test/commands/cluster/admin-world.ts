import type { ClusterSnapshot } from '../../../src/sandbox/admin/cluster-view.ts';
import type { ControlledParts } from '../../sandbox/admin/controlled.ts';
import { type FixedView, fixedView } from '../../sandbox/admin/fixed-view.ts';
import { type Simulator, startSimulator } from '../../sandbox/admin/simulator.ts';
import { type Outcome, run, type World } from '../../world.ts';

/** A simulated Admin API, and the command line that uses it. */
export interface AdminWorld extends Simulator {
  /** `weir LINE`. */
  weir(line: string | readonly string[], world?: World): Promise<Outcome>;
  /** `weir cluster LINE`, or `weir LINE` for a line that begins with `topic` or `redpanda`. */
  cluster(line: string, world?: World): Promise<Outcome>;
  /** The same with `--format json`, which must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads output as a script would, without our types
  json(line: string, world?: World): Promise<any>;
  /** The changing requests so far: method and path. */
  changes(): readonly string[];
  /**
   * Calls `act` once, before the first request is handled that comes after that many requests, or after one of that
   * route. The request waits for it.
   */
  whenAfter(what: number | string, act: () => unknown): void;
}

const size = 64 << 20;

/** Four brokers, so that three replicas have a place without one of them. */
const fourBrokers: Partial<ClusterSnapshot> = {
  brokers: [0, 1, 2, 3].map((id) => ({ id, rack: null, alive: true })),
  topics: [
    {
      ns: 'kafka',
      name: 'orders',
      partitions: [
        { id: 0, leader: 3, replicas: [3, 1, 2], sizeBytes: size },
        { id: 1, leader: 1, replicas: [1, 0, 2], sizeBytes: size },
      ],
    },
    {
      ns: 'kafka_internal',
      name: 'tx',
      partitions: [{ id: 0, leader: 3, replicas: [3, 0, 1], sizeBytes: size }],
    },
  ],
};

/**
 * Starts a simulator of four brokers, until the test ends. Its virtual clock moves by 400 ms with every request, so that
 * nothing depends on the speed of the machine; tests of waits call `skipPauses` before.
 */
export async function adminWorld(
  parts: Omit<ControlledParts, 'view'> & { readonly cluster?: Partial<ClusterSnapshot> } = {},
): Promise<AdminWorld> {
  const { cluster: snapshot = fourBrokers, ...rest } = parts;
  const fixed = fixedView(snapshot);
  let planned: { readonly isDue: () => boolean; readonly act: () => unknown } | undefined;
  const view: FixedView = {
    ...fixed,
    // Read for every request before it is handled.
    async read() {
      const due = planned?.isDue() ? planned : undefined;
      if (due !== undefined) {
        planned = undefined;
        await due.act();
      }
      return await fixed.read();
    },
  };
  const simulator = await startSimulator({ settings: { perRequestMs: 400 }, ...rest, view });
  const env = {
    WEIR_ADMIN_HOSTS: simulator.api.addresses.join(','),
    // Skipped pauses of an earlier command count as time of the next one.
    WEIR_GLOBALS_COMMAND_TIMEOUT: '10h',
    // If the machine lets this process stand still, an answer that is there must not be late.
    WEIR_GLOBALS_DIAL_TIMEOUT: '1h',
    WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '1h',
  };
  const weir: AdminWorld['weir'] = (line, world = {}) => run(line, { ...world, env: { ...env, ...world.env } });
  const cluster: AdminWorld['cluster'] = (line, world) =>
    weir(/^(topic|redpanda) /.test(line) ? line : `cluster ${line}`, world);
  return {
    ...simulator,
    weir,
    cluster,
    async json(line, world) {
      const outcome = await cluster(`${line} --format json`, world);
      if (outcome.exitCode !== 0) throw new Error(`exit ${outcome.exitCode}: ${outcome.stderr}`);
      return JSON.parse(outcome.stdout);
    },
    changes: () =>
      simulator.switches
        .journal()
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`),
    whenAfter(what, act) {
      const { journal } = simulator.switches;
      const isDue = () =>
        typeof what === 'number' ? journal().length >= what : journal().some(({ route }) => route === what);
      planned = { isDue, act };
    },
  };
}

/** Runs a line and sends SIGINT when that many requests have been answered and the next one has arrived. */
export async function weirInterruptedAt(
  world: AdminWorld,
  line: string,
  requests: number,
  more: World = {},
): Promise<Outcome> {
  return world.weir(line, {
    ...more,
    onStart: (kill) => world.whenAfter(world.switches.journal().length + requests, () => kill('SIGINT')),
  });
}
