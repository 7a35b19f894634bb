import { expect, vi } from 'vitest';
import type { Outcome } from '../../world.ts';
import { type AdminWorld, weirInterruptedAt } from './admin-world.ts';

type Routes = readonly (string | null)[];

/** A run that was interrupted at one of its requests. */
interface Interruption<W> {
  readonly world: W;
  /** How many requests were answered before. */
  readonly at: number;
  /** The routes of the requests of a whole run. */
  readonly routes: Routes;
  /** The request, for the messages of assertions. */
  readonly where: string;
  /** What weir said, without that it is stopping. */
  readonly report: string;
}

interface Everywhere<W> {
  /** Makes the same world for every run; requests that this needs do not count. */
  make(): Promise<W>;
  /** The words after `weir cluster`. */
  readonly line: string | ((world: W) => string);
  /** How many requests to try, if not all of the run; given their routes. */
  requests?(routes: Routes): number;
  /** Takes the work up again; what it returns is remembered instead of the report. */
  resume(interruption: Interruption<W>): Promise<string | undefined>;
}

/**
 * Runs a line of `weir cluster` whole, and then again and again, each time in a new world and interrupted at the next
 * request, which must end it with exit 130 and nothing on standard output.
 * @returns the whole run, its routes, and the reports, each once
 */
export async function interruptedEverywhere<W extends AdminWorld>(
  everywhere: Everywhere<W>,
): Promise<{ whole: Outcome; routes: Routes; reports: readonly string[] }> {
  const { make, line, resume } = everywhere;
  const lineIn = (world: W) => (typeof line === 'string' ? line : line(world));
  const first = await make();
  const before = first.switches.journal().length;
  const whole = await first.cluster(lineIn(first));
  const routes = first.switches
    .journal()
    .map(({ route }) => route)
    .slice(before);
  const reports = new Set<string>();
  const requests = everywhere.requests?.(routes) ?? routes.length;
  for (let at = 0; at < requests; at += 1) {
    const world = await make();
    const where = `at ${at}: ${routes[at]}`;
    const stopped = await weirInterruptedAt(world, `cluster ${lineIn(world)}`, at);
    expect(stopped, where).toMatchObject({ stdout: '', exitCode: 130 });
    // What arrived is carried out, although nobody reads the answer.
    await vi.waitFor(() => expect(world.switches.journal().length).toBeGreaterThan(before + at));
    const report = stopped.stderr.replace(/^stopping.*\n/, '');
    reports.add((await resume({ world, at, routes, where, report })) ?? report);
  }
  return { whole, routes, reports: [...reports] };
}
