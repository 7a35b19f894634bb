import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { BaseSequencer, createVitest } from 'vitest/node';
import { openLines } from './covered-lines.ts';

/** How a run of one test file ended. */
export interface FileResult {
  /** The path of the test file below the root. */
  readonly file: string;
  readonly state: 'green' | 'red' | 'late';
  /** The name of the first test that failed, or what else was wrong. */
  readonly why: string;
  readonly seconds: number;
}

/** A test file to run, with the seconds after which it is killed. */
export interface Order {
  readonly file: string;
  readonly limitSeconds: number;
}

/** Runs of test files with one set of services, in a copy of the checkout. */
export interface Session {
  /** Runs test files in their order, until one is not green; those not reached are missing in the results. */
  run(orders: readonly Order[]): Promise<readonly FileResult[]>;
  /** Finds the lines of a source for positions in its code; undefined for one that no test of this session has loaded. */
  linesOf(path: string): ((ranges: readonly number[]) => readonly number[]) | undefined;
  /** Tells that a source file has changed. */
  changed(path: string): void;
  close(): Promise<void>;
}

/** What a session does besides running tests. */
export interface SessionOptions {
  readonly workers: number;
  /** Writes the lines that each file runs into this directory; a red file ends nothing. */
  readonly recordInto?: string;
  /** Called when a file has ended. */
  readonly onResult?: (result: FileResult) => void;
}

/** The time that the rest of a worker may take after a failure. */
const graceMs = 3_000;
/** The time after which a run whose workers were killed is given up. */
const stuckMs = 20_000;
/** The test files that each worker gets at once: Vitest cannot end a run early without the risk of waiting for ever. */
const filesAtOnce = 4;

/** Keeps the order in which the files are given. */
class AsGiven extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

/** Opens a session in a copy. The services start with its first run and stop when it is closed. */
export async function openSession(root: string, { workers, recordInto, onResult }: SessionOptions): Promise<Session> {
  const running = new Run(root, recordInto === undefined, onResult);
  const open = async (): Promise<Vitest> =>
    createVitest('test', {
      config: join(root, 'test/vitest.config.ts'),
      root,
      watch: false,
      fsModuleCache: false,
      // Whoever asks for the lines that ran needs the positions of transformed code.
      experimental: { viteModuleRunner: true },
      maxWorkers: workers,
      // A hook of the last file that takes long would keep the worker.
      teardownTimeout: 10_000,
      sequence: { shuffle: { files: false, tests: true }, sequencer: AsGiven },
      reporters: [running.reporter],
      ...(recordInto === undefined
        ? {}
        : {
            // Optimized code does not count functions without a branch.
            execArgv: ['--no-opt', '--no-maglev'],
            setupFiles: ['test/mutants/record-setup.ts', 'test/setup.ts'].map((path) => join(root, path)),
            provide: { recording: { directory: recordInto, root } },
          }),
    });
  let vitest = await open();
  const runSome = async (orders: readonly Order[]): Promise<readonly FileResult[]> => {
    const stuck = running.begin(orders);
    const project = vitest.getRootProject();
    const specifications = orders.map(({ file }) => project.createSpecification(join(root, file)));
    const ended = await Promise.race([vitest.runTestSpecifications(specifications), stuck]);
    if (ended === undefined) {
      vitest.close().catch(() => undefined);
      vitest = await open();
    }
    return running.end(ended?.unhandledErrors ?? []);
  };
  const onChild = (message: unknown): void => running.addChild((message as { process: ChildProcess }).process);
  subscribe('child_process', onChild);
  return {
    async run(orders) {
      const results: FileResult[] = [];
      const step = recordInto === undefined ? workers * filesAtOnce : orders.length;
      for (let at = 0; at < orders.length && results.every(({ state }) => state === 'green'); at += step) {
        results.push(...(await runSome(orders.slice(at, at + step))));
      }
      return results;
    },
    linesOf(path) {
      const environments = Object.values(vitest.getRootProject().vite.environments);
      const modules = environments.flatMap(({ moduleGraph }) => [
        ...(moduleGraph.getModulesByFile(join(root, path)) ?? []),
      ]);
      const { code, map } = modules.find(({ transformResult }) => transformResult !== null)?.transformResult ?? {};
      return code === undefined || !map || !('version' in map)
        ? undefined
        : openLines(code, map as unknown as SourceMapPayload);
    },
    changed: (path) => vitest.invalidateFile(join(root, path)),
    async close() {
      unsubscribe('child_process', onChild);
      await vitest.close();
    },
  };
}

/** What is known of the run in progress. */
class Run {
  private isEnding = false;
  private giveUp: () => void = () => undefined;
  private orders = new Map<string, Order>();
  private results = new Map<string, FileResult>();
  private readonly started = new Map<string, number>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly children = new Set<ChildProcess>();
  private readonly root: string;
  private readonly endsEarly: boolean;
  private readonly onResult: ((result: FileResult) => void) | undefined;

  constructor(root: string, endsEarly: boolean, onResult: ((result: FileResult) => void) | undefined) {
    this.root = root;
    this.endsEarly = endsEarly;
    this.onResult = onResult;
  }

  readonly reporter: Reporter = {
    onTestModuleStart: (module) => this.onStart(this.fileOf(module)),
    onTestCaseResult: (test) => {
      if (test.result().state === 'failed') this.settle(this.fileOf(test.module), 'red', test.fullName);
    },
    onTestModuleEnd: (module) => this.onEnd(module),
  };

  /** Begins a run. @returns what settles when a run does not end although its workers were killed */
  begin(orders: readonly Order[]): Promise<undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.isEnding = false;
    this.giveUp = () => resolve(undefined);
    this.orders = new Map(orders.map((order) => [order.file, order]));
    this.results = new Map();
    this.started.clear();
    return promise;
  }

  end(errors: readonly unknown[]): readonly FileResult[] {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    const isGreen = [...this.results.values()].every(({ state }) => state === 'green');
    const [error] = errors;
    if (isGreen && error !== undefined) {
      // An error outside every test, or a worker that ended: it belongs to a file that has not ended, if there is one.
      const open = [...this.started.keys()].find((file) => !this.results.has(file));
      const file = open ?? [...this.started.keys()].at(-1) ?? [...this.orders.keys()][0] ?? '';
      this.results.delete(file);
      this.settle(file, 'red', `outside of the tests: ${messageOf(error)}`);
    }
    return [...this.results.values()];
  }

  /** Remembers a child process, which has just been made: what it runs is not known yet. */
  addChild(child: ChildProcess): void {
    this.children.add(child);
    child.once('exit', () => this.children.delete(child));
  }

  private fileOf(module: TestModule): string {
    return module.moduleId.slice(this.root.length + 1);
  }

  private onStart(file: string): void {
    this.started.set(file, Date.now());
    const limitSeconds = this.orders.get(file)?.limitSeconds ?? Number.POSITIVE_INFINITY;
    if (!Number.isFinite(limitSeconds)) return;
    this.after(limitSeconds * 1000, () => {
      if (!this.results.has(file)) this.settle(file, 'late', `no end after ${limitSeconds.toFixed(0)} s`);
    });
  }

  private onEnd(module: TestModule): void {
    const file = this.fileOf(module);
    const state = module.state();
    // A file that was cancelled is skipped, and says nothing.
    if (state === 'passed') this.settle(file, 'green', '');
    if (state === 'failed') this.settle(file, 'red', module.errors()[0]?.message ?? 'a group failed');
  }

  private settle(file: string, state: FileResult['state'], why: string): void {
    if (this.results.has(file)) return;
    const seconds = (Date.now() - (this.started.get(file) ?? Date.now())) / 1000;
    const result = { file, state, why: why.split('\n')[0] ?? '', seconds };
    this.results.set(file, result);
    this.onResult?.(result);
    if (state === 'green' || !this.endsEarly || this.isEnding) return;
    this.isEnding = true;
    this.after(stuckMs, this.giveUp);
    this.after(state === 'late' ? 0 : graceMs, () => this.killWorkers());
  }

  /** Kills the workers, and those that Vitest starts for the files that are left. */
  private killWorkers(): void {
    for (const child of this.children) if (isWorker(child)) child.kill('SIGKILL');
    this.after(200, () => this.killWorkers());
  }

  private after(ms: number, work: () => void): void {
    const timer = setTimeout(work, ms);
    this.timers.add(timer);
  }
}

function isWorker({ spawnargs }: ChildProcess): boolean {
  return spawnargs.some((word) => /[\\/]vitest[\\/]dist[\\/]workers[\\/]/.test(word));
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
