import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../../src/files/process-id.ts';
import { javaEngine } from '../../../src/sandbox/kafka/java-engine.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine, nodeIn, writeProgram } from '../machine.ts';

/**
 * A machine with this version of Java, which runs until it is stopped, and the libraries of Kafka 4.1.1. The run that
 * would write an archive of classes ends at once.
 */
function machineWith(version: string) {
  const cache = temporaryDirectory();
  mkdirSync(join(cache, 'weir/kafka/4.1.1'), { recursive: true });
  const bin = temporaryDirectory();
  const script = `[ "$1" = -version ] && { echo 'version "${version}"'; exit; }
case "$1" in @*|-XX:ArchiveClassesAtExit=*) echo "$@" >>"\${0%/java}/runs"; exit 0 ;; esac
printf '%s\\n' "$@"; exec sleep 60`;
  writeProgram(bin, 'java', script);
  return newMachine({ env: { PATH: `${bin}:${process.env.PATH}`, XDG_CACHE_HOME: cache, JAVA_HOME: undefined } });
}

/** The first argument of each run of Java that was to write an archive of classes. */
function trainings({ env }: ReturnType<typeof machineWith>): readonly string[] {
  const file = join(String(env.PATH).split(':')[0] ?? '', 'runs');
  if (!existsSync(file)) return [];
  const runs = readFileSync(file, 'utf8').trim().split('\n');
  return runs.filter((run) => run.startsWith('-XX:ArchiveClassesAtExit=')).map((run) => run.split(' ')[0] ?? '');
}

test('a fast start is prepared from the second start on, and used once it is there', async () => {
  const machine = machineWith('17.0.1');
  const libraries = join(String(machine.env.XDG_CACHE_HOME), 'weir/kafka/4.1.1');
  const bin = String(machine.env.PATH).split(':')[0] ?? '';
  rmSync(libraries, { recursive: true });
  writeProgram(bin, 'mvn', 'mkdir jars; : >jars/kafka_2.13-4.1.1.jar');
  const start = async (): Promise<string> => {
    const [engine, directory] = [javaEngine('4.1.1', 1), join(temporaryDirectory(), 'broker-1')];
    await engine.prepare(machine, [nodeIn(directory)], { clusterId: 'c', users: [] });
    const running = await engine.launch(machine, nodeIn(directory));
    const log = () => readFileSync(join(directory, 'kafka.log'), 'utf8');
    await expect.poll(log).toContain('server.properties');
    await engine.stop(running, 0);
    return log();
  };
  expect(await start()).not.toContain('.jsa');
  expect(trainings(machine)).toEqual([]);
  // The run of this Java fails, which is no error.
  expect(await start()).not.toContain('.jsa');
  const [training = ''] = trainings(machine);
  const archive = training.slice(training.indexOf('=') + 1).replace(/\.new$/, '');
  expect(archive).toMatch(/classes-[0-9a-f]{12}\.jsa$/);
  writeFileSync(archive, '');
  expect(await start()).toContain(`-XX:SharedArchiveFile=${archive}\n`);
  expect(trainings(machine)).toHaveLength(1);
});

test.each([
  [1, '-Xmx512m'],
  [3, '-Xmx384m'],
])('a cluster of %i is prepared and launched with %s for each broker', async (brokers, heap) => {
  const machine = machineWith('17.0.1');
  const engine = javaEngine('4.1.1', brokers);
  const directory = join(temporaryDirectory(), 'broker-1');
  await engine.prepare(machine, [nodeIn(directory)], { clusterId: 'c', users: [] });
  expect(existsSync(join(directory, 'server.properties'))).toBe(true);
  const running = await engine.launch(machine, nodeIn(directory));
  expect([running.container, await engine.isRunning(running)]).toEqual([null, true]);
  const log = () => readFileSync(join(directory, 'kafka.log'), 'utf8');
  await expect.poll(log).toContain('server.properties');
  expect(log().split('\n')).toEqual(
    expect.arrayContaining([heap, `${join(String(machine.env.XDG_CACHE_HOME), 'weir/kafka/4.1.1')}/*`]),
  );
  await engine.stop(running, 0);
  expect([await engine.isRunning(running), running.process && (await isRunning(running.process))]).toEqual([
    false,
    false,
  ]);
});

test('a broker without a process does not run and needs no stop', async () => {
  const engine = javaEngine('4.1.1', 1);
  expect(await engine.isRunning({ process: null, container: 'x' })).toBe(false);
  await engine.stop({ process: null, container: null }, 0);
});

test.each(['16.0.2', ''])('Java "%s" is not enough', async (version) => {
  const machine = machineWith(version);
  const bare = { ...machine, env: { ...machine.env, PATH: machine.env.PATH?.split(':')[0] } };
  const prepared = javaEngine('4.1.1', 1).prepare(bare, [], { clusterId: 'c', users: [] });
  await expect(prepared).rejects.toMatchObject({
    exitCode: 2,
    message: 'unable to start Kafka: it needs Java 17 or newer',
    hints: ['set JAVA_HOME, or add java to PATH'],
  });
});
