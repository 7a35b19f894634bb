import { createServer } from 'node:https';
import { beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../../../admin/admin-of.ts';
import { unknownCertificate } from '../../../admin/unknown-certificate.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run } from '../../../world.ts';
import { adminWorld } from '../admin-world.ts';

beforeEach(skipPauses);

/** The exit code if a request has this status every time; 404 is about the partition, or about a call that is missing. */
interface Case {
  readonly line: string;
  readonly route: string;
  readonly at404: number;
}

const cases: readonly Case[] = [
  // A list of older versions takes over.
  { line: 'partitions list orders', route: 'cluster.partitions.topic', at404: 0 },
  { line: 'partitions list --all', route: 'cluster.partitions', at404: 1 },
  { line: 'partitions move orders -p 0:0,1,2', route: 'partitions.get', at404: 3 },
  { line: 'partitions move orders -p 0:0,1,2', route: 'partitions.move', at404: 3 },
  { line: 'partitions move orders -p 0:3-1,1,2', route: 'partitions.move_core', at404: 3 },
  { line: 'partitions move-status', route: 'partitions.moves', at404: 1 },
  { line: 'partitions move-cancel --yes', route: 'cluster.moves.cancel', at404: 1 },
  { line: 'partitions move-cancel --node 0 --yes', route: 'brokers.moves.cancel', at404: 1 },
  { line: 'partitions disable orders -p 0', route: 'cluster.partitions.disable', at404: 3 },
  { line: 'partitions disable orders --all', route: 'cluster.partitions.disable_topic', at404: 3 },
  { line: 'partitions balance', route: 'partitions.rebalance', at404: 1 },
  { line: 'partitions balancer-status', route: 'cluster.balancer', at404: 1 },
  { line: 'partitions transfer-leadership orders -p 0:1', route: 'partitions.transfer', at404: 3 },
  { line: 'partitions unsafe-recover --from-nodes 3 --force --yes', route: 'partitions.majority_lost', at404: 1 },
  { line: 'partitions unsafe-recover --from-nodes 1,3 --force --yes', route: 'partitions.force_recover', at404: 3 },
  { line: 'topic describe-storage orders', route: 'storage.status', at404: 3 },
  { line: 'redpanda admin partitions list 1', route: 'cluster.partitions', at404: 1 },
];

/** Not repeated after a failure that leaves it open whether the request arrived. */
const isRisky = ({ route }: Case) => route === 'partitions.force_recover';

/** A world in which every line has something to do. */
async function world({ line }: Pick<Case, 'line'>) {
  const made = await adminWorld({
    seeds: {
      users: [{ name: 'root', password: 'opensesame' }],
      config: { admin_api_require_auth: true, superusers: ['root'] },
    },
    settings: { perRequestMs: 400, moveBytesPerS: 1 },
  });
  const env = { WEIR_USER: 'root', WEIR_PASS: 'opensesame' };
  const as = { env };
  if (line.includes('move-')) await made.cluster('partitions move orders -p 0:0,1,2', as);
  return { ...made, run: (more = {}) => made.cluster(line, { env: { ...env, ...more } }) };
}

test('a certificate that nobody vouches for ends every command before anything is sent: exit 5', async () => {
  const { cert, key } = await unknownCertificate();
  const node = await startNode(
    () => [200, []],
    {},
    (listener) => createServer({ cert, key }, listener),
  );
  for (const line of new Set(cases.map((one) => one.line))) {
    const words = /^(topic|redpanda) /.test(line) ? line : `cluster ${line}`;
    const env = { WEIR_ADMIN_HOSTS: node.url, WEIR_USER: 'root', WEIR_PASS: 'opensesame' };
    const { stderr, exitCode } = await run(words, { env });
    expect({ line, exitCode }).toEqual({ line, exitCode: 5 });
    expect(stderr).toContain('admin.tls.ca');
  }
  expect(node.calls).toEqual([]);
});

describe.each(cases)('$line at $route', (one) => {
  test.each([
    [401, 4],
    [403, 4],
    [404, one.at404],
    [409, 6],
    [429, 5],
    [500, 1],
    [503, 5],
  ])('%i is exit %i, with the message of the server', async (status, expected) => {
    const { run, switches } = await world(one);
    const effect = { kind: 'status', status, message: 'no such luck' } as const;
    switches.addFault({ route: one.route, effect, times: null });
    const { stdout, stderr, exitCode } = await run();
    expect(exitCode).toBe(expected);
    if (expected !== 0) expect(stdout + stderr).toContain('no such luck');
    expect(stderr).not.toContain('opensesame');
  });

  test('HTML is not taken for an answer: exit 1', async () => {
    const { run, switches } = await world(one);
    const headers = { 'content-type': 'text/html' };
    const effect = { kind: 'status', status: 200, text: '<html>hello</html>', headers } as const;
    switches.addFault({ route: one.route, effect, times: null });
    const { stdout, stderr, exitCode } = await run();
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain('not an answer of an Admin API');
  });

  test.each(['before', 'after'] as const)('a connection that is cut %s the change is tried again', async (when) => {
    const { run, switches } = await world(one);
    switches.addFault({ route: one.route, effect: { kind: 'drop', when } });
    const { stderr, exitCode } = await run();
    expect(exitCode, stderr).toBe(isRisky(one) ? 5 : 0);
    expect(stderr.includes('the cluster may have made the change')).toBe(isRisky(one));
  });

  test('a leader that moves meanwhile only matters where a repetition could do harm', async () => {
    const { run, switches } = await world(one);
    switches.addFault({ route: one.route, effect: { kind: 'move-controller', electionMs: 1_000 } });
    expect((await run()).exitCode).toBe(isRisky(one) ? 5 : 0);
  });

  test('a node that is down does not matter', async () => {
    const { run, switches } = await world(one);
    await switches.stopNode(0);
    await switches.advance(5_000);
    expect((await run()).exitCode).toBe(0);
  });

  test('nothing is sent to a host that is not of the cluster', async () => {
    const foreign = await startNode(() => [200, []]);
    const { run, switches } = await world(one);
    switches.addFault({ route: one.route, effect: { kind: 'redirect', to: foreign.url }, times: null });
    const { stdout, stderr, exitCode } = await run();
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain(foreign.url.replace('http://', ''));
    expect(foreign.calls).toEqual([]);
  });
});

const slow = cases.filter(({ route }) =>
  ['cluster.partitions.topic', 'partitions.move', 'partitions.force_recover'].includes(route),
);

test.each(slow)('$line: a slow node is given up at $route, and asked again if that can do no harm', async (one) => {
  const { run, switches } = await world(one);
  // Far longer than any test: the request ends because weir gives up.
  switches.addFault({ route: one.route, effect: { kind: 'delay', ms: 3_600_000 } });
  const { stderr, exitCode } = await run({ WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '2s' });
  expect(exitCode, stderr).toBe(isRisky(one) ? 5 : 0);
  expect(stderr.includes('timed out after 2s (globals.request_timeout_overhead=2s)')).toBe(isRisky(one));
});
