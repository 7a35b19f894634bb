import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../../../admin/admin-of.ts';
import { unknownCertificate } from '../../../admin/unknown-certificate.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { type Outcome, run, temporaryDirectory, type World } from '../../../world.ts';
import { shownLeavesOf } from '../../admin-areas.ts';
import { missingCall, nodeFaults } from '../../admin-fault-table.ts';
import { type AdminWorld, adminWorld } from '../admin-world.ts';

beforeEach(skipPauses);

/** A line for each command, and whether it changes the configuration. */
const every = [
  ['config get enable_usage --api admin', false],
  ['config list --all --api admin', false],
  ['config set enable_usage true --api admin', true],
  ['config export', false],
  ['config import --file cluster.yaml', true],
  ['config edit', true],
  ['config status', false],
  ['config lint --broker-config redpanda.yaml --yes', false],
] as const;
const changing = every.filter(([, isChange]) => isChange).map(([line]) => line);

/** A directory with the files of the lines, and an editor that changes a property. */
function surroundings(): World {
  const cwd = temporaryDirectory();
  // As the cluster is, except for the first.
  const text = 'enable_usage: true\nsuperusers: [root]\nadmin_api_require_auth: true\n';
  writeFileSync(join(cwd, 'cluster.yaml'), text);
  writeFileSync(join(cwd, 'redpanda.yaml'), 'redpanda:\n  node_id: 1\n  enable_usage: true\n');
  return {
    cwd,
    env: { EDITOR: 'ed', TMPDIR: temporaryDirectory() },
    stdin: text,
    async spawn(_, args) {
      const file = args.at(-1) ?? '';
      writeFileSync(file, readFileSync(file, 'utf8').replace('enable_usage: false', 'enable_usage: true'));
      return { exitCode: 0, stdout: '', stderr: '' };
    },
  };
}

const login = { WEIR_USER: 'root', WEIR_PASS: 'root-pass' };

interface ConfigWorld extends AdminWorld {
  /** `weir cluster LINE` in the surroundings. */
  runHere(line: string, env?: Readonly<Record<string, string>>): Promise<Outcome>;
}

/** A protected cluster: `root` is its superuser, and logs in unless told otherwise. */
async function configWorld(): Promise<ConfigWorld> {
  const world = await adminWorld({
    seeds: {
      users: ['root', 'ana'].map((name) => ({ name, password: `${name}-pass` })),
      config: { admin_api_require_auth: true, superusers: ['root'] },
    },
  });
  return {
    ...world,
    runHere(line, env = login) {
      const around = surroundings();
      return world.cluster(line, { ...around, env: { ...around.env, ...env } });
    },
  };
}

describe.each(every.map(([line]) => line))('%s', (line) => {
  test.each([...nodeFaults, missingCall])('%s has its message and exit code', async (_, effect, expected, words) => {
    const { runHere, switches, changes } = await configWorld();
    switches.addFault({ route: '*', effect, times: null });
    const { stdout, stderr, exitCode } = await runHere(line);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: expected });
    expect(stderr).toMatch(words);
    expect(changes()).toEqual([]);
  });

  test('a slow node has exit 5 and names the limit', async () => {
    const { runHere, switches } = await configWorld();
    switches.addFault({ route: '*', effect: { kind: 'delay', ms: 600_000 }, times: null });
    const limits = { WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '20ms', WEIR_GLOBALS_RETRY_TIMEOUT: '0s' };
    const { stdout, stderr, exitCode } = await runHere(line, limits);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toContain('globals.request_timeout_overhead=20ms');
  });

  test('a redirect to another cluster is not followed, and gets no credentials', async () => {
    const foreign = await startNode(() => [200, {}]);
    const { runHere, switches } = await configWorld();
    switches.addFault({ route: '*', effect: { kind: 'redirect', to: foreign.url }, times: null });
    const { stdout, stderr, exitCode } = await runHere(line);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain('which is not known to belong to the cluster');
    expect(foreign.calls).toEqual([]);
  });

  test('a node that is down, although it led, is passed over', async () => {
    const { runHere, switches } = await configWorld();
    await switches.stopNode(0);
    await switches.advance(60_000);
    expect((await runHere(line)).exitCode).toBe(0);
  });

  test('nobody listening has exit 5', async () => {
    const around = surroundings();
    const env = { ...around.env, WEIR_ADMIN_HOSTS: '127.0.0.1:1' };
    const { stdout, stderr, exitCode } = await run(`cluster ${line}`, { ...around, env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toContain('127.0.0.1:1');
  });

  test('a certificate that nobody vouches for has exit 5, and nothing is sent', async () => {
    const { cluster, switches } = await adminWorld({ tls: await unknownCertificate() });
    const { stdout, stderr, exitCode } = await cluster(line, surroundings());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toContain('admin.tls.ca');
    expect(switches.journal()).toEqual([]);
  });

  test('is for superusers: exit 4 without credentials, with wrong ones, and for others', async () => {
    const { runHere, changes } = await configWorld();
    const none = await runHere(line, {});
    expect(none).toMatchObject({ stdout: '', exitCode: 4 });
    expect(none.stderr).toMatch(/authentication is required|only a superuser may do this/);
    const wrong = await runHere(line, { WEIR_USER: 'root', WEIR_PASS: 'hush' });
    expect(wrong).toMatchObject({ stdout: '', exitCode: 4 });
    expect(wrong.stderr).not.toContain('hush');
    expect(await runHere(line, { WEIR_USER: 'ana', WEIR_PASS: 'ana-pass' })).toMatchObject({ stdout: '', exitCode: 4 });
    expect(changes()).toEqual([]);
    expect((await runHere(line)).exitCode).toBe(0);
  });

  test('has the same exit code in every format', async () => {
    for (const format of ['text', 'wide', 'json', 'yaml', 'schema']) {
      const { runHere } = await configWorld();
      const { stdout, exitCode } = await runHere(`${line} --format ${format}`);
      expect(exitCode, format).toBe(0);
      expect(stdout, format).not.toBe('');
    }
  });
});

describe.each(changing)('the change of %s', (line) => {
  const route = 'config.change';
  const sent = (world: ConfigWorld) => world.switches.journal().filter((one) => one.route === route);

  test('is made although the leader moves when it arrives', async () => {
    const world = await configWorld();
    world.switches.addFault({ route, effect: { kind: 'move-controller', electionMs: 1_000 } });
    expect(await world.runHere(line)).toMatchObject({ exitCode: 0 });
    expect(sent(world).length).toBeGreaterThan(1);
    expect(sent(world).at(-1)?.status).toBe(200);
  });

  test.each(['before', 'after'] as const)('is made although the connection is cut %s it is', async (when) => {
    const world = await configWorld();
    world.switches.addFault({ route, effect: { kind: 'drop', when } });
    expect(await world.runHere(line)).toMatchObject({ exitCode: 0 });
    expect(sent(world)).toHaveLength(2);
  });

  test.each([
    [400, 1],
    [403, 4],
    [404, 3],
    [409, 6],
    [500, 1],
  ])('that is refused with %i is not repeated: exit %i in the words of the server', async (status, expected) => {
    const world = await configWorld();
    world.switches.addFault({ route, effect: { kind: 'status', status, message: 'not that' }, times: null });
    const { stdout, stderr, exitCode } = await world.runHere(line);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: expected });
    expect(stderr).toContain('unable to change the configuration: not that (');
    expect(sent(world)).toHaveLength(1);
  });

  test('does not follow a redirect to another cluster', async () => {
    const foreign = await startNode(() => [200, {}]);
    const world = await configWorld();
    world.switches.addFault({ route, effect: { kind: 'redirect', to: foreign.url }, times: null });
    expect((await world.runHere(line)).exitCode).toBe(1);
    expect(foreign.calls).toEqual([]);
  });

  test('says so if it is in doubt', async () => {
    const world = await configWorld();
    world.switches.addFault({ route, effect: { kind: 'drop', when: 'after' }, times: null });
    const { stdout, stderr, exitCode } = await world.runHere(line);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    expect(stderr).toContain('the cluster may have made the change');
  });
});

const leaves = shownLeavesOf('config');
const examples = leaves.flatMap(({ command }) =>
  command.examples
    .map(([, line]) => line)
    .filter((line) => !command.apis.includes('kafka') || line.includes('--api admin')),
);

test.each(examples)('the example of the help works: weir %s', async (line) => {
  const { runHere } = await configWorld();
  const env = { ...login, WEIR_BROKER_CONFIG: 'redpanda.yaml' };
  expect(await runHere(`${line.replace(/^cluster /, '')} --yes`, env)).toMatchObject({ exitCode: 0 });
});

test('every command of cluster config that calls the Admin API is tried here', () => {
  const tried = every.map(([line]) => `cluster ${line.split(' ', 2).join(' ')}`);
  expect(tried.toSorted()).toEqual(leaves.map(({ path }) => path.join(' ')).toSorted());
});
