import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../../admin/admin-of.ts';
import { unknownCertificate } from '../../admin/unknown-certificate.ts';
import type { Effect } from '../../sandbox/admin/controlled.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import { temporaryDirectory, type World } from '../../world.ts';
import { adminAreas, adminLeaves } from '../admin-areas.ts';
import { type AdminWorld, adminWorld } from '../cluster/admin-world.ts';
import { project, wasm } from '../transform/transform-world.ts';
import { job } from './bundle-world.ts';

beforeEach(skipPauses);

/** Every command, and the route of the request that it is about. */
const every = [
  ['transform list', 'transforms.list'],
  ['transform deploy', 'transforms.deploy'],
  ['transform pause redact', 'transforms.change'],
  ['transform resume redact', 'transforms.change'],
  ['transform delete redact', 'transforms.delete'],
  ['debug remote-bundle start --broker 3', 'bundle.start'],
  ['debug remote-bundle status --broker 2', 'bundle.status'],
  ['debug remote-bundle cancel --broker 2 --yes', 'bundle.cancel'],
  ['debug remote-bundle download --broker 1 -o a.zip', 'bundle.file'],
  ['redpanda admin config print --host 0', 'config.node'],
  ['redpanda admin config log-level list --host 0', 'loggers'],
  ['redpanda admin config log-level get raft --host 0', 'loggers.level.get'],
  ['redpanda admin config log-level set raft --host 0', 'loggers.level.set'],
] as const;
type Line = (typeof every)[number][0];

/** Those that a user can run who is no superuser; all others are superuser's. */
const ofUsers: readonly Line[] = ['transform list'];
/** Those that only ask one node, so that no other can stand in for it. */
const ofOneNode = every.filter(([line]) => !line.startsWith('transform'));
/** Their errors are in a row on standard output. */
const inRows = (line: Line) => /^debug remote-bundle (start|status|cancel|download)|log-level set/.test(line);

/** A simulator with a transform, a finished bundle on broker 1, and one that is being collected on broker 2. */
async function prepared(parts: Parameters<typeof adminWorld>[0] = {}, auth?: string) {
  const world = await adminWorld({
    settings: {},
    seeds: { config: { data_transforms_enabled: true } },
    cluster: {
      brokers: [1, 2, 3].map((id) => ({ id, rack: null, alive: true })),
      topics: ['orders', 'payments'].map((name) => ({
        ...{ ns: 'kafka', name },
        partitions: [{ id: 0, leader: 1, replicas: [1, 2], sizeBytes: 0 }],
      })),
    },
    ...parts,
  });
  const header = { name: 'redact', input_topic: 'orders', output_topics: ['payments'] };
  const as = { ...(auth !== undefined && { auth }) };
  await world.ok('POST /v1/transform/deploy', {
    ...as,
    body: Buffer.concat([Buffer.from(JSON.stringify(header)), wasm]),
  });
  await world.ok('POST /v1/debug/bundle', { ...as, body: { job_id: job } });
  await world.switches.advance(10_000);
  await world.ok('POST /v1/debug/bundle', { ...as, node: 1, body: { job_id: job } });
  const before = world.changes().length;
  const cwd = join(temporaryDirectory(), 'project');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'transform.yaml'), project);
  writeFileSync(join(cwd, 'redact.wasm'), wasm);
  return {
    ...world,
    cwd,
    changes: () => world.changes().slice(before),
    weir: (line: string, more: World = {}) => world.weir(line, { cwd, ...more }),
  };
}

/** Everything that a command printed, whose error may be in a row. */
async function failing(world: Pick<AdminWorld, 'weir'>, line: Line, more: World = {}) {
  const { stdout, stderr, exitCode } = await world.weir(line, more);
  if (!inRows(line)) expect(stdout).toBe('');
  return { text: stdout + stderr, exitCode };
}

const html = { kind: 'status', status: 200, text: '<html>hello</html>' } as const;
const faults: readonly (readonly [what: string, effect: Effect, exitCode: number, message: RegExp])[] = [
  ['400', { kind: 'status', status: 400, message: 'no way' }, 1, /no way \(\w+ \S+: 400\)/],
  ['401', { kind: 'status', status: 401, message: 'who?' }, 4, /who\? \(\w+ \S+: 401\)/],
  ['403', { kind: 'status', status: 403, message: 'no' }, 4, /no \(\w+ \S+: 403\)/],
  ['404', { kind: 'status', status: 404, message: 'gone' }, 3, /gone \(\w+ \S+: 404\)/],
  ['409', { kind: 'status', status: 409, message: 'busy' }, 6, /busy \(\w+ \S+: 409\)/],
  ['429', { kind: 'status', status: 429, message: 'slow down' }, 5, /slow down \(\w+ \S+: 429\)/],
  ['500', { kind: 'status', status: 500, message: 'oops' }, 1, /oops \(\w+ \S+: 500\)/],
  ['503', { kind: 'status', status: 503, message: 'later' }, 5, /later \(\w+ \S+: 503\)/],
  ['HTML', html, 1, /not an answer of an Admin API|not a ZIP file/],
  ['a cut connection', { kind: 'drop', when: 'before' }, 5, /closed|reset|hang up/],
];

describe.each(faults)('%s', (what, effect, exitCode, message) => {
  test.each(every)('%s: has its message and exit code', async (line, route) => {
    // Here this status means that no bundle was ever started.
    const isNone = what === '409' && route === 'bundle.status';
    const world = await prepared();
    world.switches.addFault({ route, effect, times: null });
    const outcome = await failing(world, line);
    if (isNone) expect(outcome).toEqual({ text: 'BROKER  STATUS  JOB-ID\n2       none    -\n', exitCode: 0 });
    else {
      expect(outcome.text).toMatch(message);
      expect(outcome.exitCode).toBe(exitCode);
    }
  });
});

describe('every command', () => {
  test.each(every)('%s: an answer that is cut has exit 5', async (line, route) => {
    const world = await prepared();
    // The answers to changes are empty, so that they can only be cut with the connection.
    const isEmpty = ['transforms.deploy', 'transforms.change', 'transforms.delete', 'bundle.cancel'].includes(route);
    const effect = isEmpty ? ({ kind: 'drop', when: 'after' } as const) : ({ kind: 'truncate', bytes: 5 } as const);
    world.switches.addFault({ route, effect, times: null });
    const { exitCode } = await failing(world, line);
    expect(exitCode).toBe(5);
  });

  test.each(every)('%s: a redirect to a foreign host is not followed', async (line, route) => {
    const foreign = await startNode(() => [200, {}]);
    const world = await prepared();
    world.switches.addFault({ route, effect: { kind: 'redirect', to: foreign.url }, times: null });
    const env = { WEIR_USER: 'ana', WEIR_PASS: 'opensesame' };
    const { text, exitCode } = await failing(world, line, { env });
    expect(text).toMatch(/which is not known to belong to the cluster|307/);
    expect(text).not.toContain('opensesame');
    expect(exitCode).toBe(1);
    expect(foreign.calls).toEqual([]);
  });

  test.each(every)('%s: a slow node has exit 5, and the limit in its message', async (line, route) => {
    const world = await prepared();
    world.switches.addFault({ route, effect: { kind: 'delay', ms: 600_000 }, times: null });
    const env = { WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '150ms', WEIR_GLOBALS_RETRY_TIMEOUT: '1ms' };
    const { text, exitCode } = await failing(world, line, { env });
    expect(text).toContain('globals.request_timeout_overhead');
    expect(exitCode).toBe(5);
  });

  test.each(every)('%s: nobody listening has exit 5', async (line) => {
    const world = await prepared();
    const { stderr, exitCode } = await world.weir(line, { env: { WEIR_ADMIN_HOSTS: '127.0.0.1:1' } });
    expect(exitCode).toBe(5);
    expect(stderr).toContain('127.0.0.1:1');
  });

  test.each(every)('%s: without credentials or with wrong ones, exit 4', async (line) => {
    const world = await prepared(
      {
        seeds: {
          users: [
            { name: 'root', password: 'r' },
            { name: 'ana', password: 'a' },
          ],
          config: { admin_api_require_auth: true, superusers: ['root'], data_transforms_enabled: true },
        },
      },
      'root:r',
    );
    const as = (user: string, pass: string) => failing(world, line, { env: { WEIR_USER: user, WEIR_PASS: pass } });
    expect((await failing(world, line)).exitCode).toBe(4);
    const wrong = await as('root', 'opensesame');
    expect(wrong.exitCode).toBe(4);
    expect(wrong.text).not.toContain('opensesame');
    if (!ofUsers.includes(line)) {
      const user = await as('ana', 'a');
      expect(user.text).toContain('only a superuser may do this');
      expect(user.exitCode).toBe(4);
    }
    const done = await world.weir(line, { env: { WEIR_USER: 'root', WEIR_PASS: 'r' } });
    expect(done, JSON.stringify(done)).toMatchObject({ exitCode: 0 });
  });

  test.each(every)('%s: a certificate that nobody vouches for has exit 5, and nothing is sent', async (line) => {
    const world = await adminWorld({ tls: await unknownCertificate() });
    const { stderr, exitCode } = await world.weir(line, { cwd: (await prepared()).cwd });
    expect(stderr).toContain('admin.tls.ca');
    expect(exitCode).toBe(5);
    expect(world.switches.journal()).toEqual([]);
  });

  test.each(every)('%s: has the same exit code in every format', async (line) => {
    const codes: number[] = [];
    for (const format of ['text', 'wide', 'json', 'yaml', 'schema']) {
      const world = await prepared();
      const { stdout, exitCode } = await world.weir(`${line} --format ${format}`);
      expect(stdout, format).not.toBe('');
      codes.push(exitCode);
      rmSync(join(world.cwd, 'a.zip'), { force: true });
    }
    expect(codes).toEqual([0, 0, 0, 0, 0]);
  });

  test.each(every)('%s: works while the leader moves', async (line, route) => {
    const world = await prepared({ settings: { perRequestMs: 400 } });
    world.switches.addFault({ route, effect: { kind: 'move-controller', electionMs: 1_000 } });
    expect(await world.weir(line)).toMatchObject({ exitCode: 0 });
  });
});

describe('a node that is down', () => {
  test.each(every.filter((one) => !ofOneNode.includes(one)))('%s: another one answers', async (line) => {
    const world = await prepared({ settings: { perRequestMs: 400 } });
    await world.switches.stopNode(1);
    expect(await world.weir(line)).toMatchObject({ exitCode: 0 });
  });

  test.each(ofOneNode)('%s: exit 5, for only this node can answer', async (line) => {
    const world = await prepared();
    const { api } = world;
    const [node = '', at = '0'] = /(?:--broker|--host) (\d)/.exec(line)?.slice(0) ?? [];
    const place = node.includes('host') ? Number(at) : Number(at) - 1;
    await world.switches.stopNode(place + 1);
    const { stdout, stderr, exitCode } = await world.weir(line);
    expect(exitCode, stdout + stderr).toBe(5);
    expect(stdout + stderr).toContain(new URL(api.addresses[place] ?? '').host);
  });
});

test('a module is sent whole to the node that a redirect names', async () => {
  const world = await prepared();
  const to = world.api.addresses[1] ?? '';
  world.switches.addFault({ route: 'transforms.deploy', node: 1, effect: { kind: 'redirect', to } });
  expect(await world.weir('transform deploy')).toMatchObject({ exitCode: 0 });
  const sent = world.switches.journal().filter(({ route }) => route === 'transforms.deploy');
  expect(sent.slice(-2).map(({ node, bodyBytes }) => [node, bodyBytes])).toEqual([
    [1, sent.at(-1)?.bodyBytes],
    [2, sent.at(-1)?.bodyBytes],
  ]);
});

const leaves = adminLeaves.filter(({ path }) => adminAreas.nodes.test(path.join(' ')));
const examples = leaves
  .filter(({ command }) => command.apis.join() === 'admin')
  .flatMap(({ command }) => command.examples.map(([, line]) => line));

test.each(examples)('the example of the help works: weir %s', async (line) => {
  const world = await prepared({ settings: { perRequestMs: 400 } });
  writeFileSync(join(world.cwd, 'redact.wasm'), wasm);
  await world.switches.advance(10_000);
  if (line.includes('cancel')) await world.ok('POST /v1/debug/bundle', { body: { job_id: job } });
  if (line.includes('download'))
    for (const node of [2]) {
      await world.ok('POST /v1/debug/bundle', { node, body: { job_id: job } });
      await world.switches.advance(10_000);
    }
  const topics = line.replace('-o orders-redacted', '-o payments');
  const known = topics.includes('status --job-id') ? `${topics} --broker 1` : topics;
  expect(await world.weir(`${known} --yes`)).toMatchObject({ exitCode: 0 });
});

test('every command is tried here', () => {
  const pathOf = (line: string) =>
    /^(?:redpanda admin config (?:log-level )?\w+|debug remote-bundle \w+|\w+ \w+)/.exec(line)?.[0];
  expect(new Set(examples.map(pathOf))).toEqual(new Set(every.map(([line]) => pathOf(line))));
});
