import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { SeedOrder, SeedResult } from './seed-worker.ts';

export type { SeedOrder, SeedResult } from './seed-worker.ts';

/** The options for running seeds in worker processes. */
export interface WorkersOptions {
  /** The number of workers (default: one per processor). */
  readonly workers?: number;
  /** Node.js arguments for the workers. */
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called after each seed; returns false to end the run. */
  onResult(result: SeedResult): boolean;
}

/** The real time in milliseconds after which a seed is considered stuck. */
const stuckMs = 60_000;
const worker = fileURLToPath(new URL('seed-worker.ts', import.meta.url));

/** Runs seeds in separate processes, so that a seed that crashes or hangs is reported as a failure. */
export async function runSeeds(orders: Iterable<SeedOrder>, options: WorkersOptions): Promise<void> {
  const queue = orders[Symbol.iterator]();
  const state = { goesOn: true };
  const take = (): SeedOrder | undefined => {
    const next = state.goesOn ? queue.next() : undefined;
    return next === undefined || next.done ? undefined : next.value;
  };
  const told = (result: SeedResult): void => {
    if (state.goesOn) state.goesOn = options.onResult(result);
  };
  const count = options.workers ?? availableParallelism();
  await Promise.all(Array.from({ length: count }, () => work(options, take, told)));
}

/** Runs one worker after another until all seeds are done. */
async function work(
  options: WorkersOptions,
  take: () => SeedOrder | undefined,
  told: (result: SeedResult) => void,
): Promise<void> {
  for (let order = take(); order !== undefined; order = take()) {
    const last = await runWorker(options, order, { take, told });
    if (last === undefined) return;
    told(last);
  }
}

interface Desk {
  take(): SeedOrder | undefined;
  told(result: SeedResult): void;
}

/** Runs a worker. Resolves with the failed result of the seed that ended it, or undefined when all seeds are done. */
function runWorker(
  { execArgv = [], env }: WorkersOptions,
  first: SeedOrder,
  { take, told }: Desk,
): Promise<SeedResult | undefined> {
  const child = fork(worker, [], { execArgv: [...execArgv], env: { ...process.env, ...env }, silent: true });
  if (child.pid !== undefined) setPriority(child.pid, 10);
  return new Promise((resolve) => {
    let order: SeedOrder | undefined = first;
    let why = '';
    let alarm: NodeJS.Timeout | undefined;
    const send = (): void => {
      if (order === undefined) {
        child.disconnect();
        return;
      }
      child.send(order);
      alarm = setTimeout(() => {
        why = `it takes more than ${stuckMs} ms`;
        child.kill('SIGKILL');
      }, stuckMs);
    };
    watchText(child, (text) => {
      why ||= text;
    });
    child.on('message', (message: SeedResult | 'ready') => {
      clearTimeout(alarm);
      if (message !== 'ready') {
        told(message);
        order = take();
      }
      send();
    });
    child.on('exit', (code) => {
      clearTimeout(alarm);
      if (order === undefined) return resolve(undefined);
      resolve({ ...order, failures: [`the process exited with ${code}: ${why}`], records: 0, virtualMs: 0 });
    });
  });
}

/** Reports the first line of an uncaught error in the output of a worker. */
function watchText({ stderr, stdout }: ChildProcess, told: (text: string) => void): void {
  stdout?.resume();
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    const line = text.split('\n').find((one) => /Error/.test(one));
    if (line !== undefined) told(line.trim());
  });
}
