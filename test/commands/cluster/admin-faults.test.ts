import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../skipped-pauses.ts';
import { run } from '../../world.ts';
import { shownLeavesOf } from '../admin-areas.ts';
import { adminWorld } from './admin-world.ts';

beforeEach(skipPauses);

const every = [
  'brokers list',
  'brokers decommission 3',
  'brokers decommission-status 3',
  'brokers recommission 3',
  'maintenance enable 3',
  'maintenance disable 3',
  'maintenance status',
  'partitions list orders',
  'partitions move orders -p 0:0,1,2',
  'partitions move-status',
  'partitions move-cancel',
  'partitions enable orders --all',
  'partitions disable orders -p 0',
  'partitions balance',
  'partitions balancer-status',
  'partitions transfer-leadership orders -p 0:1',
  'partitions unsafe-recover --from-nodes 2 --force',
  'topic describe-storage orders',
] as const;
/** The status of the balancer is open to all, and its start is the first request of its command. */
const reading = every.filter((line) => !line.includes('balance'));
const ofOneBroker = every.filter((line) => line.endsWith('3'));

describe('every command of the Admin API', () => {
  test.each(ofOneBroker)('%s: an unknown broker has exit 3 and names the broker', async (line) => {
    const { cluster, changes } = await adminWorld();
    const { stdout, stderr, exitCode } = await cluster(line.replace('3', '9'));
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(stderr).toMatch(/broker 9/);
    expect(changes()).toEqual([]);
  });

  test.each(ofOneBroker)('%s: an id that is none has exit 2, and nothing is sent', async (line) => {
    const { cluster, switches } = await adminWorld();
    for (const word of ['x', '-1', '2147483648']) expect((await cluster(line.replace('3', word))).exitCode).toBe(2);
    expect(switches.journal()).toEqual([]);
  });

  test.each(reading)('%s: without credentials or with wrong ones, exit 4', async (line) => {
    const { cluster, changes } = await adminWorld({
      seeds: {
        users: [
          { name: 'root', password: 'r' },
          { name: 'ana', password: 'a' },
        ],
        config: { admin_api_require_auth: true, superusers: ['root'] },
      },
    });
    const as = (user: string, pass: string) => cluster(line, { env: { WEIR_USER: user, WEIR_PASS: pass } });
    const none = await cluster(line);
    expect(none).toMatchObject({ stdout: '', exitCode: 4 });
    expect(none.stderr).toContain('hint: set the credentials with -X user=TEXT and WEIR_PASS');
    const wrong = await as('root', 'secret');
    expect(wrong.exitCode).toBe(4);
    expect(wrong.stderr).not.toContain('secret');
    expect(changes()).toEqual([]);
    expect((await as('root', 'r')).exitCode).toBe(0);
  });

  test.each(['brokers decommission 3', 'maintenance enable 3'])(
    '%s: for a superuser only, else exit 4',
    async (line) => {
      const { cluster, changes } = await adminWorld({
        seeds: {
          users: [{ name: 'ana', password: 'a' }],
          config: { admin_api_require_auth: true, superusers: ['root'] },
        },
      });
      const { stderr, exitCode } = await cluster(line, { env: { WEIR_USER: 'ana', WEIR_PASS: 'a' } });
      expect(stderr).toContain('only a superuser may do this');
      expect(stderr).toContain('hint: the user of -X user=TEXT must be a superuser');
      expect(exitCode).toBe(4);
      expect(changes()).toHaveLength(1);
    },
  );

  test.each(every)('%s: nobody listening has exit 5', async (line) => {
    const { stderr, exitCode } = await run(line.startsWith('topic ') ? line : `cluster ${line}`, {
      env: { WEIR_ADMIN_HOSTS: '127.0.0.1:1' },
    });
    expect(exitCode).toBe(5);
    expect(stderr).toContain('127.0.0.1:1');
  });

  test.each(every)('%s: an answer of something else has exit 1', async (line) => {
    const { cluster, switches } = await adminWorld();
    const effect = { kind: 'status', status: 200, text: '<html>hello</html>' } as const;
    switches.addFault({ route: '*', effect, times: null });
    const { stderr, exitCode } = await cluster(line);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('not an answer of an Admin API');
  });

  test.each(every)('%s: has the same exit code in every format', async (line) => {
    for (const format of ['text', 'wide', 'json', 'yaml', 'schema']) {
      const { cluster } = await adminWorld();
      const { stdout, exitCode } = await cluster(`${line} --format ${format}`);
      expect(exitCode, format).toBe(0);
      expect(stdout, format).not.toBe('');
    }
  });

  test('redpanda admin brokers is the same', async () => {
    const { api, cluster } = await adminWorld();
    const old = await run('redpanda admin brokers list', { env: { WEIR_ADMIN_HOSTS: api.addresses.join(',') } });
    expect(old).toEqual(await cluster('brokers list'));
    expect((await run('redpanda admin brokers --help')).stdout).toContain('decommission-status');
    expect((await run('--help')).stdout).not.toContain('redpanda ');
  });
});

const examples = shownLeavesOf('brokers').flatMap(({ command }) => command.examples.map(([, line]) => line));

test.each(examples)('the example of the help works: weir %s', async (line) => {
  // Moves only go on where the virtual clock does.
  const { cluster, ok, switches } = await adminWorld(line.includes('recommission') ? { settings: {} } : {});
  if (line.includes('unsafe-recover')) await switches.stopNode(2);
  if (/status 2|recommission/.test(line)) await ok('PUT /v1/brokers/2/decommission');
  expect(await cluster(line.replace(/^cluster /, ''))).toMatchObject({ exitCode: 0 });
});

test('every command of the area is tried here', () => {
  const paths = (lines: readonly string[]) =>
    new Set(
      lines.map((line) =>
        line
          .replace(/^cluster /, '')
          .split(' ', 2)
          .join(' '),
      ),
    );
  expect(paths(examples)).toEqual(paths(every));
});
