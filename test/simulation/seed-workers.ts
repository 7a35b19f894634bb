import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { SeedOrder, SeedResult } from './seed-worker.ts';

export type { SeedOrder, SeedResult } from './seed-worker.ts';

/** How seeds are run by worker processes. */
export interface WorkersOptions {
  /** By default one for each processor. */
  readonly workers?: number;
  /** Arguments of Node.js for the workers. */
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called after each seed; false ends the run. */
  onResult(result: SeedResult): boolean;
}

/** A seed that takes so many real milliseconds turns in a circle. */
const stuckMs = 60_000;
const worker = fileURLToPath(new URL('seed-worker.ts', import.meta.url));

/** Runs seeds in processes of their own, so that one that crashes or does not end fails like any other. */
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

/** One worker after the other, until nothing is left to do. */
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

/** Resolves with the seed at which the worker ended, or with nothing when there was no more to do. */
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
      resolve({ ...order, failures: [`the process ended with ${code}: ${why}`], records: 0, virtualMs: 0 });
    });
  });
}

/** The line of an uncaught error that says what it is. */
function watchText({ stderr, stdout }: ChildProcess, told: (text: string) => void): void {
  stdout?.resume();
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    const line = text.split('\n').find((one) => /Error/.test(one));
    if (line !== undefined) told(line.trim());
  });
}
