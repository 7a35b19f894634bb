import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../../src/files/process-id.ts';
import { javaEngine } from '../../../src/sandbox/kafka/java-engine.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine, nodeIn, writeProgram } from '../machine.ts';

/** A machine with this version of Java, which runs until it is stopped, and the libraries of Kafka 4.1.1. */
function machineWith(version: string) {
  const cache = temporaryDirectory();
  mkdirSync(join(cache, 'weir/kafka/4.1.1'), { recursive: true });
  const bin = temporaryDirectory();
  const script = `[ "$1" = -version ] && { echo 'version "${version}"'; exit; }
case "$1" in @*) exit 0 ;; esac
printf '%s\\n' "$@"; exec sleep 60`;
  writeProgram(bin, 'java', script);
  return newMachine({ env: { PATH: `${bin}:${process.env.PATH}`, XDG_CACHE_HOME: cache, JAVA_HOME: undefined } });
}

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
    ...{ exitCode: 2, message: 'unable to start Kafka: it needs Java 17 or newer' },
    hints: ['set JAVA_HOME, or add java to PATH'],
  });
});
