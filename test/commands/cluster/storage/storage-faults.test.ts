import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeLicense } from '../../../../src/sandbox/admin/features/license.ts';
import { startNode } from '../../../admin/admin-of.ts';
import { unknownCertificate } from '../../../admin/unknown-certificate.ts';
import { startAt } from '../../../sandbox/admin/simulator.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { temporaryDirectory } from '../../../world.ts';
import { shownLeavesOf } from '../../admin-areas.ts';
import type { AdminWorld } from '../admin-world.ts';
import { type StorageParts, storageWorld } from './storage-world.ts';

const cwd = temporaryDirectory();
const license = writeLicense({ organization: 'acme', type: 'enterprise', expires: startAt / 1000 + 400 * 86_400 });
writeFileSync(join(cwd, 'redpanda.license'), license);

/** ID is that of a migration that is running. */
const changing = [
  'license set --file redpanda.license',
  'self-test start',
  'self-test stop',
  'storage mount archive',
  'storage unmount orders',
  'storage cancel-mount ID',
  'storage restore start --yes',
] as const;
const forSuperusers = [
  ...['storage list-mountable', 'storage list-mount', 'storage status-mount ID', 'storage restore status'],
] as const;
const forUsers = ['license info', 'self-test status'] as const;
const every = [...changing, ...forSuperusers, ...forUsers];

beforeEach(skipPauses);

/** A cluster on which the line succeeds, and the line. What has been requested so far is forgotten. */
async function ready(
  line: string,
  parts: StorageParts = {},
  auth?: string,
): Promise<AdminWorld & { readonly line: string }> {
  const world = await storageWorld({ selfTestMs: 30_000 }, parts);
  const { ok, switches } = world;
  if (line === 'self-test stop') await ok('POST /v1/debug/self_test/start', { body: {}, auth });
  const topics = [{ source_topic_reference: { topic: 'archive', ns: 'other' } }];
  const { id } = await ok('POST /v1/topics/mount', { body: { topics }, auth });
  await switches.advance(1000);
  switches.clearJournal();
  return { ...world, line: line.replace('ID', String(id)) };
}

const secured: StorageParts = {
  users: [
    { name: 'root', password: 'secret-root' },
    { name: 'ana', password: 'secret-ana' },
  ],
  config: { admin_api_require_auth: true, superusers: ['root'] },
};
const as = (user: string, pass: string) => ({ cwd, env: { WEIR_USER: user, WEIR_PASS: pass } });

/** What every request gets, and how the command ends. */
const statuses = [
  [400, 'INVALID_REQUEST', [1, 6]],
  [404, 'NOT_FOUND', [1, 3]],
  [409, 'CONFLICT', [6]],
  [429, 'THROTTLED', [5]],
  [500, 'SERVER_ERROR', [1]],
  [503, 'UNAVAILABLE', [5]],
] as const;

describe.each(every)('cluster %s', (line) => {
  test('succeeds in every format, and while a node is down', async () => {
    for (const format of ['text', 'wide', 'json', 'yaml', 'schema']) {
      const world = await ready(line);
      const outcome = await world.cluster(`${world.line} --format ${format}`, { cwd });
      expect(outcome, format).toMatchObject({ exitCode: 0 });
      expect(outcome.stdout, format).not.toBe('');
    }
    const world = await ready(line);
    await world.switches.stopNode(0);
    await world.switches.advance(2000);
    expect((await world.cluster(world.line, { cwd })).exitCode).toBe(0);
  });

  test('without credentials or with wrong ones: exit 4, and no password is shown', async () => {
    const world = await ready(line, secured, 'root:secret-root');
    const none = await world.cluster(world.line, { cwd });
    expect(none).toMatchObject({ stdout: '', exitCode: 4 });
    expect(none.stderr).toMatch(/hint: (set the credentials (of a superuser )?with|the user of) -X user=TEXT/);
    const wrong = await world.cluster(`${world.line} -vv`, as('root', 'secret-wrong'));
    expect(wrong).toMatchObject({ stdout: '', exitCode: 4 });
    expect(wrong.stderr).not.toContain('secret-');
    expect(world.changes()).toEqual([]);
    expect((await world.cluster(world.line, as('root', 'secret-root'))).exitCode).toBe(0);
  });

  test('as a user who is no superuser: exit 4 unless it only reads what users may', async () => {
    const world = await ready(line, secured, 'root:secret-root');
    const { stderr, exitCode } = await world.cluster(world.line, as('ana', 'secret-ana'));
    const isAllowed = forUsers.some((one) => one === line);
    expect(exitCode).toBe(isAllowed ? 0 : 4);
    if (!isAllowed) expect(stderr).toContain('only a superuser may do this');
  });

  test.each(statuses)('every request gets %i: %s in the words of the server', async (status, code, exitCodes) => {
    const world = await ready(line);
    const effect = { kind: 'status', status, message: "the server's words" } as const;
    world.switches.addFault({ route: '*', effect, times: null });
    const outcome = await world.cluster(`${world.line} --format json`, { cwd });
    expect(outcome.stdout).toBe('');
    const { error } = JSON.parse(outcome.stderr.split('\n').findLast((one) => one.startsWith('{')) ?? '');
    expect(error.message).toContain("the server's words");
    expect(exitCodes).toContain(outcome.exitCode);
    expect([code, 'UNSUPPORTED', 'RETRY_TIMEOUT', 'CONFLICT']).toContain(error.code);
    expect(world.changes()).toEqual([]);
  });

  test.each([429, 503])('the first request gets %i: it is repeated', async (status) => {
    const world = await ready(line);
    world.switches.addFault({ route: '*', effect: { kind: 'status', status } });
    expect(await world.cluster(world.line, { cwd })).toMatchObject({ exitCode: 0 });
  });

  test('the leader moves before the first request', async () => {
    const world = await ready(line);
    world.switches.changeSettings({ perRequestMs: 400 });
    world.switches.addFault({ route: '*', effect: { kind: 'move-controller', electionMs: 1000 } });
    const outcome = await world.cluster(world.line, { cwd });
    expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['HTML', { kind: 'status', status: 200, text: '<html>hello</html>' }, 1, 'not an answer of an Admin API'],
    ['JSON of another kind', { kind: 'status', status: 200, text: '5' }, 5, 'has no valid'],
    ['an answer that is cut', { kind: 'truncate', bytes: 5 }, 5, ''],
    ['no answer', { kind: 'drop', when: 'before' }, 5, ''],
  ] as const)('every request gets %s', async (_, effect, exitCode, words) => {
    const world = await ready(line);
    world.switches.addFault({ route: '*', effect, times: null });
    const outcome = await world.cluster(world.line, { cwd });
    expect(outcome, outcome.stderr).toMatchObject({ stdout: '', exitCode });
    expect(outcome.stderr).toContain(words);
    expect(world.changes()).toEqual([]);
  });

  test('a node that does not answer in time: exit 5 with the limit', async () => {
    const world = await ready(line);
    world.switches.addFault({ route: '*', effect: { kind: 'delay', ms: 3_600_000 }, times: null });
    const env = { WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '50ms', WEIR_GLOBALS_RETRY_TIMEOUT: '0s' };
    const { stderr, exitCode } = await world.cluster(world.line, { cwd, env });
    expect(exitCode).toBe(5);
    expect(stderr).toContain('globals.request_timeout_overhead=50ms');
  });

  test('a redirect to another host: exit 1, and nothing is sent there', async () => {
    const foreign = await startNode(() => [200, []]);
    const world = await ready(line, secured, 'root:secret-root');
    world.switches.addFault({ route: '*', effect: { kind: 'redirect', to: foreign.url }, times: null });
    const { stderr, exitCode } = await world.cluster(world.line, as('root', 'secret-root'));
    expect(stderr).toContain(`redirects to ${foreign.url}, which is not known to belong to the cluster`);
    expect(exitCode).toBe(1);
    expect(foreign.calls).toEqual([]);
  });

  test('a certificate that nobody vouches for: exit 5, and nothing is sent', async () => {
    const world = await storageWorld({}, { tls: await unknownCertificate() });
    const id = line.replace('ID', '1');
    const { stderr, exitCode } = await world.cluster(id, { cwd });
    expect(stderr).toContain('admin.tls.ca');
    expect(exitCode).toBe(5);
    expect(world.switches.journal()).toEqual([]);
  });

  test('nobody listens: exit 5 with the address', async () => {
    const world = await ready(line);
    const { stderr, exitCode } = await world.cluster(world.line, { cwd, env: { WEIR_ADMIN_HOSTS: '127.0.0.1:1' } });
    expect(exitCode).toBe(5);
    expect(stderr).toContain('127.0.0.1:1');
  });
});

const leaves = shownLeavesOf('storage');

test.each(leaves.flatMap(({ command }) => command.examples.map(([, line]) => line)))(
  'the example of the help works: weir %s',
  async (line) => {
    const world = await ready(line.includes('self-test stop') ? 'self-test stop' : line);
    const { id } = (await world.ok('GET /v1/migrations'))[0];
    world.switches.changeSettings({ perRequestMs: 60_000, recoveryMs: 100_000 });
    const words = line.replace(/^cluster /, '').replace('11', String(id));
    if (words.includes('cancel-mount')) world.switches.changeSettings({ perRequestMs: 400 });
    const outcome = await world.cluster(`${words} --yes`, { cwd, stdin: license });
    expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  },
);

test('every command is tried here', () => {
  const isTried = (path: readonly string[]) =>
    every.some((line) => `cluster ${line} `.startsWith(`${path.join(' ')} `));
  expect(leaves.map(({ path }) => path).filter((path) => !isTried(path))).toEqual([]);
  expect(leaves).toHaveLength(every.length);
});
