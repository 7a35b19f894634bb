import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stop } from '../../../src/commands/sandbox/stop.ts';
import { startOf } from '../../../src/files/process-id.ts';
import { plainView } from '../../../src/format/view.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { programOf } from '../../../src/sandbox/program.ts';
import { purgeSandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { createSimulatedPart } from '../../../src/sandbox/simulated/part.ts';
import { startModelServer } from '../../sandbox/broker/control.ts';
import { newMachine } from '../../sandbox/machine.ts';
import { temporaryDirectory } from '../../world.ts';
import { firstPid, newPerson, pidsOf } from './sandbox-world.ts';

const simulatedKafka = {
  kafkaVersion: '4.1.1',
  engine: 'simulated',
  clusterId: 'id',
  user: null,
  security: { tls: false, mtls: false, sasl: null },
} as const;

/** A machine on which nothing is installed. */
const bare = { env: { PATH: temporaryDirectory(), JAVA_HOME: undefined } };

test('simulated brokers are started, listed, stopped with their data, started again empty, and purged', async () => {
  const me = newPerson();
  const [port, other] = await freePorts(2);

  const started = await me.run(`sandbox start --engine simulated --port ${port}`, bare);
  expect(started).toMatchObject({ exitCode: 0, stderr: '' });
  expect(started.stdout).toContain(`Started: simulated Kafka 4.1.1 (in memory) at 127.0.0.1:${port}\n`);
  expect((await me.run('sandbox list')).stdout).toContain('running  4.1.1 (simulated)');
  expect(await me.run('topic create orders -p 3')).toMatchObject({ exitCode: 0 });

  // The sandbox's own constant for what the client looks for is the same.
  const quotas = await me.run('cluster quotas describe');
  expect(quotas.stderr).toMatch(
    /does not support DescribeClientQuotas, as it is simulated\nhint: a sandbox with a real Kafka/,
  );

  const before = await me.json('sandbox status');
  expect(before).toMatchObject({ state: 'running', engine: 'simulated' });
  expect(await me.json('sandbox start')).toMatchObject({ before: 'running', profile: 'sandbox' });
  expect(await me.run(`sandbox start --port ${other}`)).toMatchObject({ exitCode: 6 });
  expect(await me.run('sandbox start --dry-run')).toEqual({
    stdout: `Already running: simulated Kafka 4.1.1 (in memory) at 127.0.0.1:${port}
The profile "sandbox" would be selected.
`,
    stderr: 'dry run: nothing was changed\n',
    exitCode: 0,
  });
  const withCloud = await me.json('sandbox start --cloud --dry-run');
  expect(withCloud).toMatchObject({ before: 'stopped', state: 'partly running', dry_run: true });
  expect(await me.json('sandbox status')).toEqual(before);
  expect((await me.run('sandbox stop --dry-run')).stdout).toBe('The sandbox "sandbox" would be stopped.\n');
  expect((await me.run('sandbox logs')).stdout).toContain(`broker 1 is listening at 127.0.0.1:${port}`);

  expect(await me.run('sandbox stop')).toMatchObject({
    stdout: 'The sandbox "sandbox" is stopped; its data was in memory and is lost.\n',
    exitCode: 0,
  });
  expect(await startOf(firstPid(before))).toBeUndefined();
  expect(await me.run('sandbox status')).toMatchObject({ exitCode: 10 });
  // Whatever listens on its port now is another cluster.
  const hint = 'start it with: weir sandbox start';
  expect(await me.run('topic create stray')).toMatchObject({
    stderr: `weir: sandbox "sandbox" is stopped\nhint: ${hint}\n`,
    exitCode: 5,
  });
  expect((await me.run('doctor')).stdout).toContain(hint);

  const mine = 'registry.hosts=registry.example:8081 description=mine brokers=b.example:1';
  expect(await me.run(`profile set --profile sandbox ${mine}`)).toMatchObject({ exitCode: 0 });
  await me.run('profile clear');
  expect(await me.json(`sandbox start --port ${other}`)).toMatchObject({ before: 'stopped', state: 'running' });
  // What the user has set stays; what belongs to the sandbox is set again.
  expect((await me.run('profile current')).stdout).toBe('sandbox\n');
  const [, ...own] = (await me.run('profile print')).stdout.trim().split('\n');
  expect(own.map((line) => line.trim())).toEqual([
    'description: mine',
    'options:',
    `brokers: [127.0.0.1:${other}]`,
    'registry.hosts: [registry.example:8081]',
  ]);
  expect((await me.run('topic list')).stdout).not.toContain('orders');
  expect(await me.run('sandbox purge')).toMatchObject({ exitCode: 0 });
  expect(readdirSync(me.state)).toEqual([]);
});

test('Ctrl-C while the control plane starts stops the brokers, which run by then, and leaves nothing behind', async () => {
  const me = newPerson();
  const [port] = await freePorts(1);
  const log = join(me.state, 'sandbox/control-plane/control-plane.log');
  let looking: NodeJS.Timeout | undefined;
  const onStart = (kill: (signal: 'SIGINT') => void) => {
    looking = setInterval(() => {
      if (!existsSync(log)) return;
      clearInterval(looking);
      kill('SIGINT');
    }, 1);
  };
  const env = { ...bare.env, NODE_OPTIONS: `--import ${asleep(me.home)}` };
  const outcome = await me.run(`sandbox start --engine simulated --cloud --port ${port}`, { env, onStart });
  clearInterval(looking);
  expect(outcome.exitCode).toBe(130);
  const ours = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(me.home));
  expect(ours).toEqual([]);
  expect(readdirSync(me.state)).toEqual([]);
});

/** Writes a module that keeps a control plane from becoming ready, so that a signal always arrives before it is. */
function asleep(directory: string): string {
  const file = join(directory, 'asleep.mjs');
  const wait = 'await new Promise((wake) => setTimeout(wake, 60_000));';
  writeFileSync(file, `if (process.argv.some((word) => word.includes('/control-plane/'))) ${wait}`);
  return file;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

test('a stop that leaves a process running reports that', () => {
  const kept = { name: 'sandbox', engine: 'java', kafka_version: '4.1.1', profile: null, directory: '' } as const;
  const left = { ...kept, state: 'partly running', members: [], dry_run: false } as const;
  expect(stop.show.text(left, plainView, { dryRun: false })).toBe('The sandbox "sandbox" is still partly running.\n');
});

test('sandboxes that are started at the same time have ports of their own', async () => {
  const me = newPerson();
  const names = ['a', 'b'];
  const started = await Promise.all(names.map((name) => me.json(`sandbox start --engine simulated --name ${name}`)));
  const rows = await Promise.all(names.map((name) => me.json(`sandbox status --name ${name}`)));
  expect(started.map(({ before, state }) => [before, state])).toEqual(names.map(() => ['new', 'running']));
  expect(rows.map(({ state }) => state)).toEqual(names.map(() => 'running'));
  const addresses = rows.map(({ members }) => (members as readonly { readonly address: string }[])[0]?.address);
  expect(new Set(addresses).size).toBe(2);
  const profiles = await Promise.all(names.map((name) => me.json(`config show brokers --profile ${name}`)));
  expect(
    JSON.stringify(profiles)
      .match(/127\.0\.0\.1:\d+/g)
      ?.toSorted(),
  ).toEqual(addresses.toSorted());
});

test('a sandbox keeps its port while it is stopped', async () => {
  const me = newPerson();
  const [port] = await freePorts(1);
  await me.run(`sandbox start --engine simulated --name a --port ${port}`);
  await me.run('sandbox stop --name a');
  const refused = await me.run(`sandbox start --engine simulated --name b --port ${port}`);
  expect(refused).toMatchObject({ stdout: '', exitCode: 6 });
  expect(refused.stderr).toMatch(
    new RegExp(`port ${port} belongs to the sandbox "a"\nhint: choose another port: --port \\d+\n$`),
  );
  expect(await me.run('sandbox start --name a')).toMatchObject({ exitCode: 0 });
});

test('a port that another program takes before the brokers listen is reported, and its answers do not count', async () => {
  const directory = temporaryDirectory();
  const [port = 0] = await freePorts(1);
  const place = { directory, entry: programOf('simulated'), sandbox: 'box' };
  const broker = { id: 1, port, internalPort: 0, controllerPort: 0, process: null, container: null };
  const part = createSimulatedPart(place, { ...simulatedKafka, brokers: [broker] });
  await using other = new AsyncDisposableStack();
  // Reported after the check that the port is free and before the launch.
  const taking = async (): Promise<void> => {
    const server = await startModelServer({ brokers: [{ ...broker, host: '127.0.0.1' }] });
    other.defer(server.close);
  };
  const started = part.start(newMachine({ home: directory, progress: () => void taking() }));
  await expect(started).rejects.toMatchObject({
    exitCode: 6,
    code: 'PORT_IN_USE',
    message: `unable to start the sandbox "box": port ${port} is in use`,
  });
});

test('a new sandbox chooses another port if a program takes the chosen one before the brokers listen', async () => {
  const directory = temporaryDirectory();
  await using other = new AsyncDisposableStack();
  const taken: number[] = [];
  const machine = newMachine({
    home: directory,
    progress: (line) => {
      const port = Number(/^starting the simulated Kafka at 127\.0\.0\.1:(\d+)$/.exec(line)?.[1]);
      if (taken.length > 0) return;
      taken.push(port);
      const server = createServer().listen(port, '127.0.0.1');
      other.defer(() => new Promise((resolve) => server.close(() => resolve())));
    },
  });
  const place = { machine, name: 'box' };
  const { before, sandbox } = await startSandbox(place, {
    ...{ engine: 'simulated', brokers: undefined, port: undefined, sasl: undefined, kafkaVersion: undefined },
    ...{ tls: false, mtls: false, cloud: false, registry: false, admin: false },
  } as const);
  await purgeSandbox(place);
  expect(before).toBe('new');
  expect(taken[0]).toBeGreaterThan(1024);
  expect(Number(sandbox.options.brokers?.split(':')[1])).toBeGreaterThan(taken[0] ?? 0);
});

test('three of them are one process, each with its own log; when it was killed, start brings it back', async () => {
  const me = newPerson();
  const started = await me.json('sandbox start --engine simulated --brokers 3');
  expect(new Set(pidsOf(started)).size).toBe(1);
  const logs = (await me.run('sandbox logs')).stdout;
  for (const id of [1, 2, 3]) expect(logs).toContain(`kafka ${id}: `);
  expect(logs.trim().split('\n')).toHaveLength(3);
  const pid = firstPid(started);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => startOf(pid)).toBeUndefined();
  expect(await me.run('sandbox status')).toMatchObject({ exitCode: 10 });
  expect(await me.json('sandbox start')).toMatchObject({ before: 'stopped', state: 'running' });
});

test('without Java and containers they are chosen, with a notice', async () => {
  const outcome = await newPerson().run('sandbox start --dry-run', bare);
  expect(outcome.stdout).toMatch(/^Would start: simulated Kafka 4\.1\.1 \(in memory\) at /);
  expect(outcome.stderr).toContain(
    'found no Java, no running Docker and no running Podman: starting simulated in-memory brokers instead of Kafka',
  );
});

test.each(['--tls', '--mtls', '--sasl PLAIN', '--kafka-version 4.0.0'])(
  'with %s they are refused, and the engines that have it are named',
  async (flags) => {
    const me = newPerson();
    const refused = await me.run(`sandbox start --engine simulated ${flags}`, bare);
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
    expect(refused.stderr).toContain(`--engine simulated does not support ${flags.split(' ')[0]}`);
    expect(refused.stderr).toContain('use --engine java, docker or podman');
    const unable = await me.run(`sandbox start ${flags}`, bare);
    expect(unable).toMatchObject({ stdout: '', exitCode: 2 });
    expect(unable.stderr).toContain(`unable to start Kafka with ${flags.split(' ')[0]} on this machine`);
  },
);

test('a requested engine that is not installed is an error', async () => {
  const outcome = await newPerson().run('sandbox start --engine docker', bare);
  expect(outcome).toMatchObject({ stdout: '', exitCode: 2 });
  expect(outcome.stderr).toContain('unable to start Kafka on this machine: found no running Docker\n');
});

test('a sandbox does not change its engine', async () => {
  const me = newPerson();
  await me.haveStopped({ process: null });
  const outcome = await me.run('sandbox start --engine simulated');
  expect(outcome).toMatchObject({ stdout: '', exitCode: 6 });
  expect(outcome.stderr).toContain('its engine is java');
});

test('a warning names a variable that overrides the profile of the sandbox', async () => {
  const me = newPerson();
  const started = await me.run('sandbox start --engine simulated', { env: { WEIR_BROKERS: 'b.example' } });
  expect(started.exitCode).toBe(0);
  expect(started.stderr).toContain(
    'warning: WEIR_BROKERS overrides the profile "sandbox"; unset it to use the sandbox\n',
  );
  await me.run('profile create other');
  expect((await me.run('sandbox start', { env: { WEIR_PROFILE: 'other' } })).stderr).toContain(
    'warning: WEIR_PROFILE overrides the selected profile with "other"; remove it to use the sandbox\n',
  );
});

test('a broken sandbox is listed with its error next to the others', async () => {
  const me = newPerson();
  await me.haveStopped({ process: null });
  const broken = join(me.state, 'broken/kafka');
  mkdirSync(broken, { recursive: true });
  writeFileSync(join(broken, 'kafka.json'), '{');
  const listed = await me.run('sandbox ls --format json');
  expect(listed.exitCode).toBe(1);
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { name: 'broken', state: 'broken', error: expect.stringContaining('broken') },
    { name: 'sandbox', state: 'stopped' },
  ]);
  rmSync(join(me.state, 'broken'), { recursive: true });
});
