import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveLibraries } from '../../../src/sandbox/kafka/libraries.ts';
import type { Machine } from '../../../src/sandbox/machine.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine } from '../machine.ts';

/** Creates a machine with its own cache; `lines` collects the progress messages. */
function machineWithCache(cache: string, signal = new AbortController().signal, lines: string[] = []): Machine {
  const env = { XDG_CACHE_HOME: cache, PATH: process.env.PATH };
  return newMachine({ env, signal, progress: (line) => lines.push(line) });
}

/** Creates a program that stands in for Maven. */
async function maven(directory: string, script: string): Promise<string> {
  const file = join(directory, 'mvn');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const brings = `echo run >> ../runs
echo 'Downloaded from somewhere: http://repo.example/a/kafka_2.13-4.1.1.jar (5.6 MB at 3 MB/s)'
mkdir jars; touch jars/kafka_2.13-4.1.1.jar`;

test('the jars are downloaded once, into a directory named after the version', async () => {
  const cache = temporaryDirectory();
  const file = await maven(temporaryDirectory(), brings);
  const lines: string[] = [];
  const machine = machineWithCache(cache, undefined, lines);
  const directory = await resolveLibraries(machine, '4.1.1', file);
  expect(directory).toBe(join(cache, 'weir/kafka/4.1.1'));
  expect(await readdir(directory)).toEqual(['kafka_2.13-4.1.1.jar']);
  expect(lines).toEqual([
    'downloading Kafka 4.1.1 with Maven (only needed once)',
    'downloaded 1 files: kafka_2.13-4.1.1.jar (5.6 MB)',
  ]);
  expect(await resolveLibraries(machine, '4.1.1', file)).toBe(directory);
  expect(await readFile(join(cache, 'weir/kafka/runs'), 'utf8')).toBe('run\n');
});

test('concurrent requests download only once', async () => {
  const cache = temporaryDirectory();
  const file = await maven(temporaryDirectory(), `sleep 0.3\n${brings}`);
  await Promise.all([1, 2, 3].map(() => resolveLibraries(machineWithCache(cache), '4.1.1', file)));
  expect(await readFile(join(cache, 'weir/kafka/runs'), 'utf8')).toBe('run\n');
});

test("a failed download leaves nothing behind and reports Maven's error", async () => {
  const cache = temporaryDirectory();
  const file = await maven(temporaryDirectory(), "mkdir jars; touch jars/half; echo '[ERROR] no route'; exit 1");
  await expect(resolveLibraries(machineWithCache(cache), '4.1.1', file)).rejects.toMatchObject({
    exitCode: 5,
    message: 'unable to download Kafka 4.1.1: no route',
  });
  expect(await readdir(join(cache, 'weir/kafka'))).toEqual([]);
});

test('an unknown version is reported as missing', async () => {
  const script = "echo '[ERROR] Could not find artifact org.apache.kafka:kafka_2.13:jar:9.9.9 in x'; exit 1";
  const file = await maven(temporaryDirectory(), script);
  await expect(resolveLibraries(machineWithCache(temporaryDirectory()), '9.9.9', file)).rejects.toMatchObject({
    exitCode: 3,
    message: 'Kafka 9.9.9 does not exist',
  });
});

test('an interrupted download leaves nothing behind', async () => {
  const cache = temporaryDirectory();
  const file = await maven(temporaryDirectory(), 'mkdir jars; touch jars/half; exec sleep 60');
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
