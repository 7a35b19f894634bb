import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { weirInterruptedAt } from '../../cluster/admin-world.ts';
import { accessWorld, hasPassword } from '../access-world.ts';

beforeEach(skipPauses);

const generated = /[A-Za-z0-9]{30}/;

describe('a generated password of a user of the Admin API', () => {
  const lines = [
    ['create cyd', 'users.create', 'cyd'],
    ['update ana --mechanism scram-sha-256 --generate-password', 'users.update', 'ana'],
  ] as const;

  test.each(lines)(
    '%s: is printed if the answer is lost for good, because it may be set',
    async (line, route, user) => {
      const world = await accessWorld();
      world.switches.addFault({ route, effect: { kind: 'drop', when: 'after' }, times: null });
      const { stdout, stderr, exitCode } = await world.weir(`security user ${line}`);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
      const [, password = ''] = /^hint: generated password, in case it was set: (\w{30})$/m.exec(stderr) ?? [];
      world.switches.clearFaults();
      expect(await hasPassword(world, user, password)).toBe(true);
    },
  );

  test.each(lines)('%s: is the same in a repeated request', async (line, route, user) => {
    const world = await accessWorld();
    world.switches.addFault({ route, effect: { kind: 'drop', when: 'after' } });
    const { stdout, exitCode } = await world.weir(`security user ${line} --format json`);
    expect(exitCode).toBe(0);
    expect(await hasPassword(world, user, JSON.parse(stdout).password)).toBe(true);
  });

  test.each(lines)('%s: is printed if Ctrl-C ends the request', async (line, route, user) => {
    const whole = await accessWorld();
    await whole.weir(`security user ${line}`);
    const routes = whole.switches.journal().map((one) => one.route);
    for (const [at, asked] of routes.entries()) {
      const world = await accessWorld();
      const { stdout, stderr, exitCode } = await weirInterruptedAt(world, `security user ${line}`, at);
      expect({ stdout, exitCode }, `at ${at}`).toEqual({ stdout: '', exitCode: 130 });
      if (asked !== route) {
        expect(stderr).toContain('weir: stopped before anything was changed\n');
        expect(stderr).not.toMatch(generated);
        continue;
      }
      expect(stderr).toContain(`user "${user}": the request may or may not have arrived\n`);
      expect(stderr).toMatch(/^hint: generated password, in case it was set: \w{30}$/m);
    }
    expect(routes).toContain(route);
  });

  test.each(lines)('%s: is printed if a second Ctrl-C ends the command at once', async (line, route) => {
    const whole = await accessWorld();
    await whole.weir(`security user ${line}`);
    const at = whole.switches.journal().findIndex((one) => one.route === route);
    const world = await accessWorld();
    const { stderr, exitCode } = await world.weir(`security user ${line}`, {
      onStart: (kill) =>
        world.whenAfter(at, () => {
          kill('SIGINT');
          kill('SIGINT');
        }),
    });
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/^hint: generated password, in case it was set: \w{30}$/m);
  });

  test.each(lines)('%s: is not printed if the server refuses it', async (line, route) => {
    const { weir, switches } = await accessWorld();
    switches.addFault({ route, effect: { kind: 'status', status: 400, message: 'no' } });
    const { stderr, exitCode } = await weir(`security user ${line}`);
    expect(exitCode).toBe(1);
    expect(stderr).not.toMatch(generated);
  });

  test('is printed if something else answers', async () => {
    const { weir, switches } = await accessWorld();
    const effect = { kind: 'status', status: 200, text: '<html>hello</html>' } as const;
    switches.addFault({ route: 'users.create', effect, times: null });
    const { stderr, exitCode } = await weir('security user create cyd');
    expect(stderr).toMatch(/^hint: generated password, in case it was set: \w{30}$/m);
    expect(exitCode).toBe(5);
  });

  test('one that was not generated is never printed', async () => {
    const { weir, switches } = await accessWorld();
    switches.addFault({ route: 'users.create', effect: { kind: 'drop', when: 'after' }, times: null });
    const { stderr, exitCode } = await weir('security user create cyd --password-stdin', { stdin: 'hush' });
    expect(exitCode).toBe(5);
    expect(stderr).not.toContain('hush');
  });
});
