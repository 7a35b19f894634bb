import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkKafkaVersion, hasLibraries, resolveLibraries } from '../../../src/sandbox/kafka/libraries.ts';
import type { Machine } from '../../../src/sandbox/machine.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine, writeProgram } from '../machine.ts';

/** Creates a machine with its own cache; `lines` collects the progress messages. */
function machineWithCache(cache: string, signal = new AbortController().signal, lines: string[] = []): Machine {
  const env = { XDG_CACHE_HOME: cache, PATH: process.env.PATH };
  return newMachine({ env, signal, progress: (line) => lines.push(line) });
}

/** Creates a program that stands in for Maven. */
function maven(directory: string, script: string): string {
  return writeProgram(directory, 'mvn', script);
}

// Without a .mvn of its own, Maven would take one of a directory above.
const brings = `test -d .mvn || exit 1
echo run >> ../runs
echo 'Downloaded from somewhere: http://repo.example/a/kafka_2.13-4.1.1.jar (5.6 MB at 3 MB/s)'
mkdir jars; touch jars/kafka_2.13-4.1.1.jar`;

test('the jars are downloaded once, into a directory named after the version', async () => {
  const cache = temporaryDirectory();
  const file = maven(temporaryDirectory(), brings);
  const lines: string[] = [];
  const machine = machineWithCache(cache, undefined, lines);
  const directory = await resolveLibraries(machine, '4.1.1', file);
  expect(directory).toBe(join(cache, 'weir/kafka/4.1.1'));
  expect(await readdir(directory)).toEqual(['kafka_2.13-4.1.1.jar']);
  expect(lines).toEqual([
    'downloading Kafka 4.1.1 with Maven (only needed once)',
    'downloaded 1 file: kafka_2.13-4.1.1.jar (5.6 MB)',
  ]);
  expect(await resolveLibraries(machine, '4.1.1', file)).toBe(directory);
  expect(await readFile(join(cache, 'weir/kafka/runs'), 'utf8')).toBe('run\n');
});

test('concurrent requests download only once', async () => {
  const cache = temporaryDirectory();
  const file = maven(temporaryDirectory(), `sleep 0.3\n${brings}`);
  await Promise.all([1, 2, 3].map(() => resolveLibraries(machineWithCache(cache), '4.1.1', file)));
  expect(await readFile(join(cache, 'weir/kafka/runs'), 'utf8')).toBe('run\n');
});

test("a failed download leaves nothing behind and reports Maven's error", async () => {
  const cache = temporaryDirectory();
  const file = maven(temporaryDirectory(), "mkdir jars; touch jars/half; echo '[ERROR] no route'; exit 1");
  await expect(resolveLibraries(machineWithCache(cache), '4.1.1', file)).rejects.toMatchObject({
    exitCode: 5,
    message: 'unable to download Kafka 4.1.1: no route',
  });
  expect(await readdir(join(cache, 'weir/kafka'))).toEqual([]);
});

test('an unknown version is reported as missing', async () => {
  const script = "echo '[ERROR] Could not find artifact org.apache.kafka:kafka_2.13:jar:9.9.9 in x'; exit 1";
  const file = maven(temporaryDirectory(), script);
  await expect(resolveLibraries(machineWithCache(temporaryDirectory()), '9.9.9', file)).rejects.toMatchObject({
    exitCode: 3,
    message: 'Kafka 9.9.9 does not exist',
  });
});

test('an interrupted download leaves nothing behind', async () => {
  const cache = temporaryDirectory();
  const file = maven(temporaryDirectory(), 'mkdir jars; touch jars/half; exec sleep 60');
  const interrupt = new AbortController();
  const fetching = resolveLibraries(machineWithCache(cache, interrupt.signal), '4.1.1', file);
  await mkdir(join(cache, 'weir/kafka'), { recursive: true });
  await expect.poll(async () => (await readdir(join(cache, 'weir/kafka'))).length).toBeGreaterThan(0);
  interrupt.abort(new Error('Ctrl-C'));
  await expect(fetching).rejects.toThrow('Ctrl-C');
  expect(await readdir(join(cache, 'weir/kafka'))).toEqual([]);
});

test('without Maven, a hint says what to install', async () => {
  await expect(resolveLibraries(machineWithCache(temporaryDirectory()), '4.1.1', undefined)).rejects.toMatchObject({
    exitCode: 2,
    hints: ['install Maven, Docker or Podman, then run the command again'],
  });
});

test.each([
  ['4.1.1', true],
  ['4.2.0-rc1', true],
  ['10.20.30', true],
  ['4.1', false],
  ['4.1.1.1', false],
  ['v4.1.1', false],
  ['4.2.0-rc', false],
  ['../4.1.1', false],
])('the version %s is one: %s', (version, isValid) => {
  if (isValid) expect(() => checkKafkaVersion(version)).not.toThrow();
  else expect(() => checkKafkaVersion(version)).toThrow(`invalid Kafka version "${version}"`);
});

test('Maven gets a project with the broker and a logger, and copies what runs', async () => {
  const cache = temporaryDirectory();
  const script = `pwd > ../seen; cat pom.xml >> ../seen; printf '%s\\n' "$@" >> ../seen; ${brings}`;
  await resolveLibraries(machineWithCache(cache), '4.1.1', maven(temporaryDirectory(), script));
  const seen = await readFile(join(cache, 'weir/kafka/seen'), 'utf8');
  expect(seen).toMatch(/\/weir\/kafka\/\.4\.1\.1-\w+\n/);
  expect(seen).toContain('<artifactId>kafka_2.13</artifactId><version>4.1.1</version>');
  expect(seen).toContain('<artifactId>slf4j-simple</artifactId><version>1.7.36</version>');
  expect(seen.trimEnd().split('\n').slice(-6)).toEqual([
    '--batch-mode',
    '-f',
    'pom.xml',
    'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies',
    '-DincludeScope=runtime',
    '-DoutputDirectory=jars',
  ]);
  expect((await readdir(join(cache, 'weir/kafka'))).sort()).toEqual(['4.1.1', 'runs', 'seen']);
});

test.each([
  ['no error line', 'echo nothing; exit 1', 'Maven failed'],
  ['several error lines', "echo x; echo '[ERROR]  first '; echo '[ERROR] second'; exit 1", 'first'],
  ['no jar of Kafka', 'mkdir jars; touch jars/other.jar', 'Maven fetched no Kafka jar'],
  ['no jars at all', 'exit 0', 'Maven fetched no Kafka jar'],
])('a download with %s is reported', async (_, script, reason) => {
  const cache = temporaryDirectory();
  const failing = resolveLibraries(machineWithCache(cache), '4.1.1', maven(temporaryDirectory(), script));
  await expect(failing).rejects.toMatchObject({
    exitCode: 5,
    message: `unable to download Kafka 4.1.1: ${reason}`,
    hints: ['check the repositories in the settings.xml of Maven with: mvn help:effective-settings'],
  });
  expect(await readdir(join(cache, 'weir/kafka'))).toEqual([]);
});

test('a download that waits for another says so, and only one version counts as downloaded', async () => {
  const cache = temporaryDirectory();
  const release = join(temporaryDirectory(), 'release');
  const file = maven(temporaryDirectory(), `until [ -e ${release} ]; do sleep 0.01; done\n${brings}`);
  const lines: string[] = [];
  const first = resolveLibraries(machineWithCache(cache), '4.1.1', file);
  await expect
    .poll(async () => (await readdir(join(cache, 'weir')).catch((): string[] => [])).includes('kafka.lock'))
    .toBe(true);
  const second = resolveLibraries(machineWithCache(cache, undefined, lines), '4.1.1', file);
  await expect.poll(() => lines).toHaveLength(1);
  await writeFile(release, '');
  await Promise.all([first, second]);
  expect(lines).toEqual([
    expect.stringMatching(/^waiting for another weir process that is downloading Kafka 4\.1\.1: process \d+ /),
  ]);
  expect([
    await hasLibraries(machineWithCache(cache), '4.1.1'),
    await hasLibraries(machineWithCache(cache), '4.0.0'),
  ]).toEqual([true, false]);
});

test('libraries that another user could change are not run', async () => {
  const cache = temporaryDirectory();
  const file = maven(temporaryDirectory(), brings);
  const machine = machineWithCache(cache);
  const directory = await resolveLibraries(machine, '4.1.1', file);
  const jar = join(directory, 'kafka_2.13-4.1.1.jar');
  const modes = () => Promise.all([dirname(directory), jar].map(async (path) => (await stat(path)).mode & 0o777));
  expect(await modes()).toEqual([0o700, 0o644]);
  await chmod(jar, 0o666);
  expect(await resolveLibraries(machine, '4.1.1', undefined)).toBe(directory);
  expect(await modes()).toEqual([0o700, 0o644]);

  await chmod(join(cache, 'weir'), 0o777);
  const open = resolveLibraries(machine, '4.1.1', undefined);
  await expect(open).rejects.toMatchObject({ code: 'SANDBOX_LIBRARIES_OPEN', target: join(cache, 'weir') });
  await chmod(join(cache, 'weir'), 0o755);
  // Root's own are fine for everyone, and only root can give a file away.
  const { uid } = userInfo();
  if (uid === 0) await chown(jar, 4711, 4711);
  const foreign = resolveLibraries(uid === 0 ? machine : { ...machine, uid: uid + 1 }, '4.1.1', undefined);
  await expect(foreign).rejects.toMatchObject({ exitCode: 6, code: 'SANDBOX_LIBRARIES_FOREIGN' });
});
