import { beforeEach, describe, expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../../src/cli/help/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { startNode } from '../../admin/admin-of.ts';
import { unknownCertificate } from '../../admin/unknown-certificate.ts';
import type { Effect } from '../../sandbox/admin/controlled.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import type { Outcome } from '../../world.ts';
import { type AdminScene, adminScene } from './scene.ts';

beforeEach(skipPauses);

/** The commands that only show the options of the Admin API, or that have tests of their own. */
const others = /^(doctor|top\b|config (show|explain)|redpanda admin brokers|(diff|apply|export)$)/;

const leaves = leavesOf(await walkTree(commands)).filter(
  ({ path, command }) =>
    command.apis.includes('admin') && !others.test(path.join(' ')) && !/^(security )?acl /.test(path.join(' ')),
);

/** Lines of commands that Kafka's protocol can do as well, whose examples are for it. */
const either: readonly string[] = [
  'security user list --api admin',
  'security user create cyd --api admin --generate-password',
  'security user update ana --api admin --mechanism scram-sha-256 --generate-password',
  'security user delete ana --api admin',
];

/** The examples of the help that go to the Admin API, by the paths of their commands. */
const examples = leaves.flatMap(({ path, command }) => {
  const own = command.examples
    .map(([, line]) => line)
    .filter((line) => !command.apis.includes('kafka') || path[1] === 'role' || line.includes('--api admin'));
  const name = path.join(' ');
  return [...own, ...either.filter((line) => line.startsWith(name))].map((line) => ({
    line,
    name,
    changes: command.changes,
  }));
});

/** One line for each command: its first example that does it, without a wait for the end. */
const samples = leaves.map(({ path }) => {
  const own = examples.filter(({ name, line }) => name === path.join(' ') && !line.includes('--dry-run'));
  return own.map(({ line, changes }) => ({ line: line.replace(/ --wait\b/, ''), changes }))[0];
});

const status = (code: number, message: string): Effect => ({ kind: 'status', status: code, message });

/** A fault of every node, and how a command that meets it at its first request ends. */
const nodeFaults: readonly (readonly [name: string, effect: Effect, exitCode: number, words: RegExp])[] = [
  ['401', status(401, 'who'), 4, /: who \(.*: 401\)\nhint: set the credentials/],
  ['403', status(403, 'no'), 4, /: no \(.*: 403\)\nhint: .*superuser/],
  ['409', status(409, 'busy'), 6, /: busy \(.*: 409\)/],
  ['429', status(429, 'slowly'), 5, /slowly/],
  ['500', status(500, 'broken'), 1, /: broken \(.*: 500\)/],
  ['503', status(503, 'starting'), 5, /starting/],
  ['504', status(504, 'late'), 5, /late/],
  ['a page', { kind: 'status', status: 200, text: '<html>hello</html>' }, 5, /not an answer of an Admin API/],
  ['a cut answer', { kind: 'truncate', bytes: 1 }, 5, /lost the connection|cut short/],
  ['no answer', { kind: 'drop', when: 'before' }, 5, /lost the connection/],
  ['noise', { kind: 'garbage' }, 5, /not an answer of an Admin API/],
  ['silence', { kind: 'delay', ms: 600_000 }, 5, /globals\.request_timeout_overhead=20ms/],
];
const limits = { WEIR_GLOBALS_REQUEST_TIMEOUT_OVERHEAD: '20ms' };

// What the client does about these is in test/admin; here, that commands show it: one that reads, one that changes, and
// one that only one node can answer.
describe.each(['security role list', 'security role create writers', 'redpanda admin config print --host 0'])(
  '%s',
  (line) => {
    test.each(nodeFaults)('%s has its message and exit code', async (name, effect, exitCode, words) => {
      const { act, switches, changes } = await adminScene(line);
      switches.addFault({ route: '*', effect, times: null });
      const outcome = await act(name === 'silence' ? { env: { ...limits, WEIR_GLOBALS_RETRY_TIMEOUT: '0s' } } : {});
      expect(outcome).toEqual({ stdout: '', stderr: expect.stringMatching(words), exitCode });
      expect(changes()).toEqual([]);
    });

    test('a redirect to another cluster is not followed, and gets no credentials', async () => {
      const foreign = await startNode(() => [200, []]);
      const { act, switches } = await adminScene(line, { isProtected: true });
      switches.addFault({ route: '*', effect: { kind: 'redirect', to: foreign.url }, times: null });
      const { stdout, stderr, exitCode } = await act();
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
      expect(stderr).toContain('which is not known to belong to the cluster');
      expect(foreign.calls).toEqual([]);
    });

    test('nobody listening has exit 5', async () => {
      const { act } = await adminScene(line);
      const outcome = await act({ env: { WEIR_ADMIN_HOSTS: '127.0.0.1:1' } });
      expect(outcome).toEqual({ stdout: '', stderr: expect.stringContaining('127.0.0.1:1'), exitCode: 5 });
    });

    test('a certificate that nobody vouches for has exit 5, and nothing is sent', async () => {
      const { act, switches } = await adminScene(line, { tls: await unknownCertificate() });
      const outcome = await act();
      expect(outcome).toEqual({ stdout: '', stderr: expect.stringContaining('admin.tls.ca'), exitCode: 5 });
      expect(switches.journal()).toEqual([]);
    });

    test('is for superusers: exit 4 without credentials, with wrong ones, and for others', async () => {
      const { act, changes } = await adminScene(line, { isProtected: true });
      const as = (user: string, pass: string) => act({ env: { WEIR_USER: user, WEIR_PASS: pass } });
      expect(await as('', '')).toMatchObject({ stdout: '', exitCode: 4 });
      const wrong = await as('root', 'hush');
      expect(wrong).toMatchObject({ stdout: '', exitCode: 4 });
      expect(wrong.stderr).not.toContain('hush');
      expect(await as('ana', 'ana-pass')).toMatchObject({ stdout: '', exitCode: 4 });
      expect(changes()).toEqual([]);
      expect((await act()).exitCode).toBe(0);
    });
  },
);

describe.each([
  ['brokers decommission', 'BROKER_NOT_FOUND'],
  // What the server says of it.
  ['brokers decommission-status', 'NOT_FOUND'],
  ['brokers recommission', 'BROKER_NOT_FOUND'],
  ['maintenance enable', 'BROKER_NOT_FOUND'],
  ['maintenance disable', 'BROKER_NOT_FOUND'],
])('cluster %s', (words, code) => {
  test('an unknown broker has exit 3 and is named; for an id that is none nothing is sent', async () => {
    const { weir, changes, switches } = await adminScene('');
    for (const id of ['x', '-1', '2147483648']) expect((await weir(`cluster ${words} ${id}`)).exitCode).toBe(2);
    expect(switches.journal()).toEqual([]);
    const { stdout, stderr, exitCode } = await weir(`cluster ${words} 9 --format json`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(JSON.parse(stderr).error).toMatchObject({ message: expect.stringContaining('broker 9'), code });
    expect(changes()).toEqual([]);
  });
});

/** What a command says: its first message, without what differs from run to run. */
function told({ stderr, exitCode }: Outcome): string {
  const [first = ''] = exitCode === 0 ? [] : stderr.split('\n').filter((line) => line.startsWith('weir: '));
  const hint = stderr.includes('the cluster may have made the change') ? ' [may have made the change]' : '';
  return `exit ${exitCode}${first === '' ? '' : `, ${first}`}${hint}`
    .replace(/http:\/\/127\.0\.0\.\d:\d+/g, 'NODE')
    .replace(/127\.0\.0\.\d:\d+/g, 'NODE')
    .replace(/[0-9a-f-]{36}/g, 'UUID')
    .replace(/after \d+ attempts in [\d.]+s/, 'after some attempts')
    .replace(/ {2,}/g, ' ');
}

/** Runs the line of a cluster that has a fault meanwhile. */
async function outcomeAt(scene: AdminScene, route: string, effect: Effect, times: number | null = null) {
  scene.switches.clearJournal();
  scene.switches.addFault({ route, effect, times });
  const outcome = told(await scene.act());
  scene.switches.clearFaults();
  return { told: outcome, sent: scene.changes().filter((one) => one.route === route).length };
}

type Sample = Exclude<(typeof samples)[number], undefined>;

/** How a command ends in each of the situations that its own code takes part in. */
async function reportOf({ line, changes }: Sample): Promise<string> {
  const rows: string[] = [`weir ${line}`];
  const say = (situation: string, words: string) => rows.push(`  ${situation.padEnd(36)}${words}`);
  // What changes nothing leaves the cluster to the next situation.
  const scene = await adminScene(line);
  say('404', (await outcomeAt(scene, '*', status(404, 'Not found'))).told);
  const down = await adminScene(line);
  await down.switches.stopNode(0);
  await down.switches.advance(5_000);
  say('leader down', told(await down.act()));
  scene.switches.clearJournal();
  say('Ctrl-C at once', told(await scene.act({ onStart: (kill) => scene.whenAfter(0, () => kill('SIGINT')) })));
  if (changes === 'reads') return `${rows.join('\n')}\n`;
  const whole = await adminScene(line);
  await whole.act();
  for (const route of new Set(whole.changes().map((one) => one.route))) {
    say(`${route}: 400`, (await outcomeAt(scene, route, status(400, 'not that'))).told);
    const cut = await outcomeAt(await adminScene(line), route, { kind: 'drop', when: 'after' }, 1);
    say(`${route}: cut`, `${cut.told}, sent ${cut.sent}×`);
    const election = { kind: 'move-controller', electionMs: 1_000 } as Effect;
    say(`${route}: moves`, (await outcomeAt(await adminScene(line), route, election, 1)).told);
  }
  return `${rows.join('\n')}\n`;
}

describe('every command of the Admin API', () => {
  test('has an example that it is tried with', () => {
    expect(samples).not.toContain(undefined);
  });

  test.each(examples)('works as in the help: weir $line', async ({ line }) => {
    const { act } = await adminScene(line);
    const outcome = await act();
    expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  });

  // `run` compares JSON with its schema.
  test.each(samples.filter((one) => one !== undefined))(
    'has the same exit code in every format: weir $line',
    async ({ line, changes }) => {
      let scene: AdminScene | undefined;
      for (const format of ['wide', 'json', 'yaml']) {
        if (scene === undefined || changes !== 'reads' || line.includes('download')) scene = await adminScene(line);
        const { stdout, exitCode } = await scene.act({ words: ` --format ${format}` });
        expect({ format, exitCode, isEmpty: stdout === '' }).toEqual({ format, exitCode: 0, isEmpty: false });
      }
    },
  );

  // `--update` writes the file, which a person reads.
  test('ends as matrix.txt shows where something goes wrong', { timeout: 300_000 }, async () => {
    let text = '';
    for (const sample of samples) if (sample !== undefined) text += await reportOf(sample);
    await expect(text).toMatchFileSnapshot('matrix.txt');
  });
});
