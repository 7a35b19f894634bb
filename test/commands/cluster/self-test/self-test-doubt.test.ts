import { beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../sandbox/admin/simulator.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { type AdminWorld, adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';

const started = 'POST /v1/debug/self_test/start';
const stopped = 'POST /v1/debug/self_test/stop';
/** Ends after a few polls of the virtual clock, which moves by 400 ms with each request. */
const short = 'self-test start --only-disk-test --disk-duration-ms 200';

beforeEach(skipPauses);

describe('a self-test', () => {
  test('is sent once: an answer that is lost after the start is noticed, before it is an error with exit 5', async () => {
    const lost = await adminWorld();
    lost.switches.addFault({ route: 'self_test.start', effect: { kind: 'drop', when: 'after' } });
    const outcome = await lost.cluster('self-test start');
    expect(outcome).toMatchObject({
      stdout: 'A self-test has started on brokers 0, 1, 2, 3.\n',
      stderr:
        'warning: the self-test is running, but the answer with its id was lost\n' +
        'see the results with: weir cluster self-test status\n',
      exitCode: 0,
    });
    const before = await adminWorld();
    before.switches.addFault({ route: 'self_test.start', effect: { kind: 'drop', when: 'before' } });
    const { stderr, exitCode } = await before.cluster('self-test start');
    expect(stderr).toContain('hint: the cluster may have made the change: check before you repeat the command\n');
    expect(exitCode).toBe(5);
    for (const { changes } of [lost, before]) expect(changes()).toEqual([started]);
  });

  test('one that somebody else starts in between is stopped by the server', async () => {
    const { cluster, ok, whenAfter, changes } = await adminWorld();
    // The brokers and the self-test have been read.
    whenAfter(3, () => ok(started, { body: {} }));
    expect(await cluster('self-test start')).toMatchObject({ exitCode: 0 });
    expect(changes()).toEqual([started, started]);
  });

  test('the wait for a self-test whose results another one has replaced: exit 6', async () => {
    const world = await adminWorld();
    world.whenAfter('self_test.start', async () => {
      await world.ok(stopped);
      const tests = [{ type: 'disk', duration_ms: 1 }];
      await world.ok(started, { body: { tests } });
      await world.switches.advance(1000);
    });
    const { stderr, exitCode } = await world.cluster(`${short} --wait`);
    expect(stderr).toMatch(
      /^weir: self-test [\da-f-]{36} has no results: another self-test has taken its place\nhint: see /,
    );
    expect(exitCode).toBe(6);
  });

  test('a leader that moves before the request arrives: the new one gets it', async () => {
    const { cluster, switches, whenAfter } = await adminWorld();
    whenAfter('self_test.status', () => switches.moveController({ to: 2, electionMs: 0 }));
    const outcome = await cluster('self-test start');
    expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
    expect(
      switches
        .journal()
        .filter(({ route }) => route === 'self_test.start')
        .at(-1),
    ).toMatchObject({ status: 200 });
  });

  test('a broker that is lost during the wait: a warning, and exit 1 at the end', async () => {
    const { cluster, switches, whenAfter } = await adminWorld();
    whenAfter('self_test.start', () => switches.stopNode(3));
    const { stdout, stderr, exitCode } = await cluster(`${short} --wait`);
    expect(stderr).toContain('warning: broker 3 cannot be asked about its self-test\n');
    expect(stdout).toContain('NODE ID: 3 | STATUS: UNREACHABLE\n');
    expect(exitCode).toBe(1);
  });

  test('the wait ends at its limit with exit 5 and the command that waits again', async () => {
    const { cluster } = await adminWorld({ settings: {} });
    const { stderr, exitCode } = await cluster('self-test start --wait --wait-timeout 30s');
    expect(stderr).toMatch(
      /^weir: self-test [\da-f-]{36} was not done within 30s \(--wait-timeout\); it is still running\nhint: raise .*\nhint: resume waiting with: weir cluster self-test status --wait\nhint: stop it with: weir cluster self-test stop\n$/,
    );
    expect(exitCode).toBe(5);
  });

  test('interrupted at every request, it is taken up again with status --wait', async () => {
    const line = `${short} --wait`;
    const { whole, routes, reports } = await interruptedEverywhere({
      ...{ make: adminWorld, line },
      async resume({ world, where, report }) {
        const named = report.replace(/[\da-f-]{36}/, 'ID');
        if (world.changes().length === 0) return named;
        expect(await results(world), where).toEqual([10, 10, 10, 10]);
        expect(world.changes()).toEqual([started]);
        return named;
      },
    });
    expect(whole.exitCode).toBe(0);
    expect(routes.length).toBeGreaterThan(routes.indexOf('self_test.start') + 3);
    expect(reports).toEqual([
      'weir: stopped before anything was changed\nhint: repeat the command\n',
      'weir: stopped while starting the self-test: the request may or may not have arrived\n' +
        'hint: check with: weir cluster self-test status\n',
      'weir: stopped waiting for self-test ID; it is still running\n' +
        'hint: resume waiting with: weir cluster self-test status --wait\n' +
        'hint: stop it with: weir cluster self-test stop\n',
    ]);
  });
});

async function results({ json }: AdminWorld): Promise<readonly number[]> {
  const nodes: readonly Json[] = await json('self-test status --wait');
  return nodes.map((one) => one.results.length);
}
