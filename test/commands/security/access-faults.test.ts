import { beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../../admin/admin-of.ts';
import { unknownCertificate } from '../../admin/unknown-certificate.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import { run } from '../../world.ts';
import { shownLeavesOf } from '../admin-areas.ts';
import { nodeFaults } from '../admin-fault-table.ts';
import { adminWorld } from '../cluster/admin-world.ts';
import { accessWorld } from './access-world.ts';

beforeEach(skipPauses);

/** A line for each command, and the route of its change. */
const every = [
  ['security role list', undefined],
  ['security role describe readers', undefined],
  ['security role create writers', 'roles.create'],
  ['security role assign readers --principal ana', 'roles.members.change'],
  ['security role unassign readers --principal bea', 'roles.members.change'],
  ['security role delete readers', 'roles.delete'],
  ['security user list --api admin', undefined],
  ['security user create cyd --api admin', 'users.create'],
  ['security user update ana --api admin --mechanism scram-sha-256 --generate-password', 'users.update'],
  ['security user delete ana --api admin', 'users.delete'],
  ['cluster health --api admin', undefined],
] as const;

const needLogin = every.filter(([line]) => !line.startsWith('cluster health'));
const changing = every.flatMap(([line, route]) => (route === undefined ? [] : [[line, route] as const]));

const protection = { config: { admin_api_require_auth: true, superusers: ['root'] } };

describe.each(every)('%s', (line) => {
  test.each(nodeFaults)('%s has its message and exit code', async (_, effect, expected, words) => {
    const { weir, switches, changes } = await accessWorld();
    switches.addFault({ route: '*', effect, times: null });
    const { stdout, stderr, exitCode } = await weir(line);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: expected });
    expect(stderr).toMatch(words);
    expect(changes()).toEqual([]);
  });

  test('a slow node has exit 5 and names the limit', async () => {
    const { weir, switches } = await accessWorld();
    switches.addFault({ route: '*', effect: { kind: 'delay', ms: 600_000 }, times: null });
    const env = { WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '20ms', WEIR_GLOBALS_RETRY_TIMEOUT: '0s' };
    const { stdout, stderr, exitCode } = await weir(line, { env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toContain('globals.request_timeout_overhead=20ms');
  });

  test('a redirect to another cluster is not followed, and gets no credentials', async () => {
    const foreign = await startNode(() => [200, []]);
    const { weir, switches } = await accessWorld();
    switches.addFault({ route: '*', effect: { kind: 'redirect', to: foreign.url }, times: null });
    const { stdout, stderr, exitCode } = await weir(line, { env: { WEIR_USER: 'ana', WEIR_PASS: 'ana-pass' } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain('which is not known to belong to the cluster');
    expect(foreign.calls).toEqual([]);
  });

  test('a node that is down is passed over', async () => {
    const { weir, switches } = await accessWorld();
    await switches.stopNode(0); // the first address, and the leader
    await switches.advance(60_000);
    const { exitCode } = await weir(line);
    expect(exitCode).toBe(line.startsWith('cluster health') ? 10 : 0);
  });

  test('nobody listening has exit 5', async () => {
    const { stdout, stderr, exitCode } = await run(line, { env: { WEIR_ADMIN_HOSTS: '127.0.0.1:1' } });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toContain('127.0.0.1:1');
  });

  test('a certificate that nobody vouches for has exit 5, and nothing is sent', async () => {
    const { api, switches } = await adminWorld({ tls: await unknownCertificate() });
    const env = { WEIR_ADMIN_HOSTS: api.addresses.join(','), WEIR_USER: 'ana', WEIR_PASS: 'ana-pass' };
    const { stdout, stderr, exitCode } = await run(line, { env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toContain('admin.tls.ca');
    expect(switches.journal()).toEqual([]);
  });

  test('has the same exit code in every format', async () => {
    for (const format of ['text', 'wide', 'json', 'yaml', 'schema']) {
      const { weir } = await accessWorld();
      const { stdout, exitCode } = await weir(`${line} --format ${format}`);
      expect(exitCode, format).toBe(0);
      expect(stdout, format).not.toBe('');
    }
  });
});

describe.each(needLogin)('%s', (line) => {
  test('is for superusers: exit 4 without credentials, with wrong ones, and for others', async () => {
    const { weir, changes } = await accessWorld({ seeds: protection });
    const as = (user: string, pass: string) => weir(line, { env: { WEIR_USER: user, WEIR_PASS: pass } });
    const none = await weir(line);
    expect(none).toMatchObject({ stdout: '', exitCode: 4 });
    expect(none.stderr).toMatch(/authentication is required|only a superuser may do this/);
    const wrong = await as('root', 'hush');
    expect(wrong).toMatchObject({ stdout: '', exitCode: 4 });
    expect(wrong.stderr).not.toContain('hush');
    expect(await as('ana', 'ana-pass')).toMatchObject({ stdout: '', exitCode: 4 });
    expect(changes()).toEqual([]);
    expect((await as('root', 'root-pass')).exitCode).toBe(0);
  });
});

describe.each(changing)('%s', (line, route) => {
  const sent = (world: Awaited<ReturnType<typeof accessWorld>>) =>
    world.switches.journal().filter((one) => one.route === route);

  test('is made although the leader moves when it arrives', async () => {
    const world = await accessWorld();
    const effect = { kind: 'move-controller', electionMs: 1_000 } as const;
    world.switches.addFault({ route, effect });
    expect(await world.weir(line)).toMatchObject({ exitCode: 0 });
    expect(sent(world).length).toBeGreaterThan(1);
    expect(sent(world).at(-1)?.status).toBeLessThan(300);
  });

  test.each(['before', 'after'] as const)('is made although the connection is cut %s it is', async (when) => {
    const world = await accessWorld();
    world.switches.addFault({ route, effect: { kind: 'drop', when } });
    expect(await world.weir(line)).toMatchObject({ exitCode: 0 });
    expect(sent(world)).toHaveLength(2);
  });

  test.each([
    [400, 1],
    [403, 4],
    [404, 3],
    [409, 6],
    [500, 1],
  ])('%i to the change itself is not repeated: exit %i in the words of the server', async (status, expected) => {
    const world = await accessWorld();
    world.switches.addFault({ route, effect: { kind: 'status', status, message: 'not that' }, times: null });
    const { stdout, stderr, exitCode } = await world.weir(line);
    expect(exitCode).toBe(expected);
    expect(stdout + stderr).toContain('not that (');
    expect(sent(world)).toHaveLength(1);
  });

  test('redirects of the change to another cluster are not followed', async () => {
    const foreign = await startNode(() => [200, []]);
    const world = await accessWorld();
    world.switches.addFault({ route, effect: { kind: 'redirect', to: foreign.url }, times: null });
    expect((await world.weir(line)).exitCode).toBe(1);
    expect(foreign.calls).toEqual([]);
  });

  test('a change in doubt says so', async () => {
    const world = await accessWorld();
    world.switches.addFault({ route, effect: { kind: 'drop', when: 'after' }, times: null });
    const { stdout, stderr, exitCode } = await world.weir(line);
    expect(exitCode).toBe(5);
    expect(stdout + stderr).toContain('the cluster may have made the change');
  });
});

test.each(every)('%s: an API without the route', async (line) => {
  const { weir, switches, changes } = await accessWorld();
  switches.addFault({ route: '*', effect: { kind: 'status', status: 404, message: 'Not found' }, times: null });
  const { stdout, stderr, exitCode } = await weir(line);
  const isAboutRoles = line.startsWith('security role');
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: isAboutRoles ? 1 : 3 });
  expect(stderr).toContain(isAboutRoles ? 'the Admin API of this cluster has no roles' : 'Not found (');
  expect(changes()).toEqual([]);
});

const leaves = shownLeavesOf('access');
const examples = leaves
  .filter(({ path }) => path[1] === 'role')
  .flatMap(({ command }) => command.examples.map(([, line]) => line));

test.each(examples)('the example of the help works: weir %s', async (line) => {
  const { weir } = await accessWorld();
  if (line.includes('create')) await weir('security role delete readers');
  expect(await weir(line)).toMatchObject({ exitCode: 0 });
});

test('every command of the area is tried here', () => {
  const tried = every.map(([line]) => line.split(' ', line.startsWith('security') ? 3 : 2).join(' '));
  expect([...new Set(tried)].sort()).toEqual(leaves.map(({ path }) => path.join(' ')).sort());
});
