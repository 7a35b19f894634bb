import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startOf } from '../../../src/files/process-id.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { writeProgram } from '../../sandbox/machine.ts';
import { temporaryDirectory } from '../../world.ts';
import { newPerson, type Person } from './sandbox-world.ts';

interface Row {
  readonly state: string;
  readonly members: readonly { part: string; address: string; state: string; pid: number; log: string }[];
}

const stopped = 'The sandbox "sandbox" is stopped; its data is kept, except for its schemas, which were in memory.\n';

async function rowOf(me: Person, line: string): Promise<Row> {
  return (await me.json(line)) as unknown as Row;
}

/** Calls the registry whose address is in the person's profile. */
async function call(me: Person, path: string, body?: object): Promise<unknown> {
  const [{ value: url }] = (await me.json('config show registry.hosts')) as unknown as [{ value: string }];
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return await (await fetch(`${url}${path}`, body === undefined ? {} : init)).json();
}

/** Starts a registry with a Java that does not work, which leaves the sandbox as it was. */
async function expectFailedAddition(me: Person): Promise<void> {
  const home = temporaryDirectory();
  mkdirSync(join(home, 'bin'));
  writeProgram(
    join(home, 'bin'),
    'java',
    `[ "$1" != -version ] || exec java -version\necho 'Error: no memory'; exit 1`,
  );
  const failed = await me.run('sandbox start --registry', { env: { JAVA_HOME: home } });
  expect(failed).toMatchObject({ stdout: '', exitCode: 1 });
  expect(failed.stderr).toContain('unable to start the schema registry: the program exited: Error: no memory\n');
  expect(await me.json('sandbox status')).toMatchObject({ state: 'running', members: [{ part: 'kafka' }] });
  expect(existsSync(join(me.state, 'sandbox/registry'))).toBe(false);
}

test('a registry is added to an existing sandbox, used, stopped, started again without its schemas, and purged', async () => {
  const me = newPerson();
  const [port] = await freePorts(1);
  expect((await me.run(`sandbox start --tls --sasl PLAIN --port ${port}`)).stdout).not.toContain('schema registry');
  // The profile trusts the certificate.
  expect(await me.run('cluster info')).toMatchObject({ exitCode: 0 });
  expect((await me.run('cluster info -X tls.enabled=false')).exitCode).not.toBe(0);
  await expectFailedAddition(me);
  const started = await me.run('sandbox start --registry');
  expect(started.stdout).toMatch(
    new RegExp(
      `^Started: Apache Kafka \\S+ at 127\\.0\\.0\\.1:${port}, schema registry at http://127\\.0\\.0\\.1:\\d+/apis/ccompat/v7\n`,
    ),
  );
  expect(started.stdout).toContain(
    'The schema registry keeps schemas in memory: they are lost when the sandbox stops. Its API is plain HTTP.\n',
  );
  const before = await rowOf(me, 'sandbox status');
  expect(before.members.map(({ part, state }) => [part, state])).toEqual([
    ['kafka', 'running'],
    ['registry', 'running'],
  ]);
  expect((await me.run('sandbox list')).stdout).toMatch(new RegExp(`running .*127\\.0\\.0\\.1:${port}$`, 'm'));

  // Over plain HTTP and without a password, although the brokers want both.
  expect(await call(me, '/config')).toEqual({ compatibilityLevel: 'BACKWARD' });
  expect(await call(me, '/subjects/orders/versions', { schema: '"int"' })).toEqual({ id: 1 });
  expect((await me.run('sandbox logs')).stdout).toMatch(/^registry 1: .*POST.*\/subjects\/orders\/versions/m);
  expect(await me.json('sandbox start --registry')).toMatchObject({ before: 'running', state: 'running' });
  expect(await call(me, '/subjects')).toEqual(['orders']);

  expect(await me.run('topic create orders')).toMatchObject({ exitCode: 0 });
  expect((await me.run('sandbox stop')).stdout).toBe(stopped);
  for (const { pid } of before.members) expect(await startOf(pid)).toBeUndefined();
  expect((await rowOf(me, 'sandbox start')).members.map(({ address }) => address)).toEqual(
    before.members.map(({ address }) => address),
  );
  expect(await call(me, '/subjects')).toEqual([]);
  expect((await me.run('topic list')).stdout).toContain('orders');

  const after = await rowOf(me, 'sandbox status');
  expect((await me.run('sandbox purge --yes')).exitCode).toBe(0);
  for (const { pid } of after.members) expect(await startOf(pid)).toBeUndefined();
  expect(existsSync(join(me.state, 'sandbox'))).toBe(false);
});

test('a dry run names it, and starts nothing', async () => {
  const me = newPerson();
  const outcome = await me.run('sandbox start --registry --dry-run');
  expect(outcome.stdout).toMatch(
    /^Would start: Apache Kafka \S+ at \S+, schema registry at http:\/\/127\.0\.0\.1:\d+\/apis\/ccompat\/v7$/m,
  );
  expect(existsSync(join(me.state, 'sandbox'))).toBe(false);
});

test('simulated brokers refuse it, in a new sandbox and in one that exists', async () => {
  const me = newPerson();
  const refused = await me.run('sandbox start --registry --engine simulated');
  expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
  expect(refused.stderr).toContain('--engine simulated does not support --registry');
  await me.run('sandbox start --engine simulated');
  const added = await me.run('sandbox start --registry');
  expect(added).toMatchObject({ stdout: '', exitCode: 2 });
  expect(added.stderr).toContain(
    'simulated brokers do not support --registry\nhint: use --engine java, docker or podman',
  );
  expect(await me.json('sandbox status')).toMatchObject({ state: 'running', members: [{ part: 'kafka' }] });
});

test('without Java it is refused, and what is missing is named', async () => {
  const me = newPerson();
  const bare = { env: { PATH: temporaryDirectory(), JAVA_HOME: undefined } };
  const refused = await me.run('sandbox start --registry', bare);
  expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
  expect(refused.stderr).toContain('unable to start Kafka with --registry on this machine: found no Java');
  await me.haveStopped({ process: null });
  const added = await me.run('sandbox start --registry', bare);
  expect(added).toMatchObject({ stdout: '', exitCode: 2 });
  expect(added.stderr).toContain('unable to start the schema registry: it needs Java 17 or newer, and weir found none');
  expect(existsSync(join(me.state, 'sandbox/registry'))).toBe(false);
});
