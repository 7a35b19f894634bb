import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Covering, Line, Recorded } from './coverage-map.ts';
import { diffOf } from './diff.ts';
import type { Equivalent } from './equivalent.ts';
import { type Mutant, mutate } from './mutator.ts';
import type { FileResult, Order, Session } from './session.ts';

/** What became of a mutant. */
export interface Verdict {
  readonly mutant: Mutant;
  /** `refused`: no test noticed it, but the compiler does, so that it cannot be committed. */
  readonly outcome: 'noticed' | 'missed' | 'refused' | 'equivalent';
  /** The test that failed, or why nobody can notice the mutant. */
  readonly reason: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** The test files that were run to their end, in their order. */
  readonly ran: readonly string[];
  /** How many test files may notice it. */
  readonly candidates: number;
  readonly isLineCovered: boolean;
  readonly seconds: number;
}

/** What mutants are judged with. */
export interface Court {
  /** The root of the copy, whose sources are changed and restored. */
  readonly root: string;
  readonly session: Session;
  readonly coveringOf: (line: Line) => Covering;
  readonly equivalents: readonly Equivalent[];
  /** The seconds that the test files of one mutant may take together, by their recorded times. */
  readonly limitSeconds: number;
  /** Whether the types of the copy, as it is now, are right. */
  compiles(): Promise<boolean>;
  say(line: string): void;
}

/** Judges mutants one after the other. */
export interface Judge {
  judge(mutant: Mutant): Promise<Verdict>;
  /** The test files that fail without any mutant. */
  readonly red: ReadonlySet<string>;
}

/** The seconds of tests that are run before the compiler is asked. */
const quickSeconds = 20;

/** Opens a court. A test file that fails is run again without the mutant: what fails then as well does not count. */
export function openCourt(court: Court): Judge {
  const { root, session, equivalents, coveringOf } = court;
  const red = new Set<string>();
  const provenGreen = new Set<string>();

  const isRedAnyway = async ({ file, state, why }: FileResult, order: Order): Promise<boolean> => {
    // A file may also be late because the machine has become busy.
    if (provenGreen.has(file) && state !== 'late') return false;
    const [again] = await session.run([order]);
    if (again?.state === 'green') provenGreen.add(file);
    else {
      red.add(file);
      court.say(`RED WITHOUT ANY MUTANT, not used: ${file}: ${again?.why ?? why}`);
    }
    return again?.state !== 'green';
  };

  const withMutant = async <T>(mutant: Mutant, text: string, work: () => Promise<T>): Promise<T> => {
    const path = join(root, mutant.file);
    writeFileSync(path, mutate(text, mutant));
    session.changed(mutant.file);
    try {
      return await work();
    } finally {
      writeFileSync(path, text);
      session.changed(mutant.file);
    }
  };

  /** Runs test files until one fails that is green without the mutant. */
  const runUntilBad = async (
    orders: readonly Order[],
    run: (used: readonly Order[]) => Promise<readonly FileResult[]>,
  ): Promise<{ readonly green: readonly string[]; readonly bad: FileResult | undefined }> => {
    for (;;) {
      const used = orders.filter((order) => !red.has(order.file));
      const results = await run(used);
      const green = results.filter(({ state }) => state === 'green').map(({ file }) => file);
      const bad = results.find(({ state }) => state !== 'green');
      if (bad === undefined) return { green, bad };
      const order = used.find((one) => one.file === bad.file);
      if (order === undefined || !(await isRedAnyway(bad, order))) return { green, bad };
    }
  };

  let compilesWithout: boolean | undefined;
  const isRefused = async (mutant: Mutant, text: string): Promise<boolean> => {
    compilesWithout ??= await court.compiles();
    return compilesWithout && !(await withMutant(mutant, text, court.compiles));
  };

  const judge = async (mutant: Mutant): Promise<Verdict> => {
    const startedAt = Date.now();
    const text = readFileSync(join(root, mutant.file), 'utf8');
    const diff = diffOf(text, mutant);
    const { file, start, isTopLevel } = mutant;
    const { tests, isLineCovered } = coveringOf({ file, line: start.line, isTopLevel });
    const end = (outcome: Verdict['outcome'], reason: string, ran: readonly string[]): Verdict => {
      const seconds = (Date.now() - startedAt) / 1000;
      return { mutant, outcome, reason, ...diff, ran, candidates: tests.length, isLineCovered, seconds };
    };
    const known = equivalents.find(
      (one) => one.file === file && one.from === diff.removed[0]?.trim() && one.to === diff.added[0]?.trim(),
    );
    if (known !== undefined) return end('equivalent', known.why, []);
    const orders = ordersOf(tests, court.limitSeconds);
    const first = ordersOf(tests, quickSeconds).length;
    const ran: string[] = [];
    // The compiler takes less time than most tests of a whole command.
    for (const [step, some] of [orders.slice(0, first), orders.slice(first)].entries()) {
      if (step > 0 && some.length > 0 && (await isRefused(mutant, text))) return end('refused', '', ran);
      const { green, bad } = await runUntilBad(some, (used) => withMutant(mutant, text, () => session.run(used)));
      ran.push(...green);
      if (bad !== undefined) return end('noticed', `${bad.file}: ${bad.why}`, [...ran, bad.file]);
    }
    const isKnownToCompile = orders.length > first;
    return end(!isKnownToCompile && (await isRefused(mutant, text)) ? 'refused' : 'missed', '', ran);
  };
  return { judge, red };
}

/** As many of the test files as fit into the limit, but at least one. A file may take some times what it usually does. */
function ordersOf(tests: readonly Recorded[], limitSeconds: number): readonly Order[] {
  let total = 0;
  const orders: Order[] = [];
  for (const { file, seconds } of tests) {
    total += seconds;
    if (orders.length > 0 && total > limitSeconds) continue;
    orders.push({ file, limitSeconds: 30 + 5 * seconds });
  }
  return orders;
}
