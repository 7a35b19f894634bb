import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isRunning, type ProcessId, startOf } from '../../src/files/process-id.ts';
import { findJava, findProgram, oldestJava } from '../../src/sandbox/java.ts';
import { trainKafka } from '../../src/sandbox/kafka/java-engine.ts';
import { defaultKafkaVersion, resolveLibraries } from '../../src/sandbox/kafka/libraries.ts';
import type { Machine } from '../../src/sandbox/machine.ts';
import { startSingle, testMachine } from './brokers.ts';
import { endAll, entriesOf, killAll } from './leftovers.ts';
import type { Services } from './services.ts';
import { startRegistry } from './start-registry.ts';

const prefix = 'weir-services-';

/** Starts the services of a test run once and stops them when the run ends for any reason. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await sweep();
  const needed = await findNeeded(project);
  if (!needed.kafka && !needed.registry) {
    project.provide('services', undefined);
    project.provide('registry', undefined);
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const self: ProcessId = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' };
  await writeFile(join(directory, 'owner.json'), JSON.stringify(self));
  const interrupt = new AbortController();
  const teardown = endOnSignals(directory, interrupt);
  try {
    const machine = testMachine(interrupt.signal);
    const [services, registry] = await Promise.all([
      needed.kafka ? startKafka(directory, machine) : undefined,
      needed.registry ? startRegistry(directory, machine) : undefined,
    ]);
    project.provide('services', services);
    project.provide('registry', registry);
  } catch (error) {
    interrupt.abort(error);
    await teardown();
    throw error;
  }
  return teardown;
}

async function startKafka(directory: string, machine: Machine): Promise<Services> {
  const java = await findJava(machine);
  if (java === undefined || java.major < oldestJava) throw new Error(`the tests need Java ${oldestJava} or newer`);
  const kafkaVersion = process.env.WEIR_TEST_KAFKA ?? defaultKafkaVersion;
  const libraries = await resolveLibraries(machine, kafkaVersion, await findProgram(machine, 'mvn'));
  // The tests start many brokers.
  await trainKafka(machine, { java: java.file, libraries, heapMb: 512 });
  const services = await startSingle(directory, { java: java.file, libraries }, machine);
  return { ...services, kafkaVersion };
}

/** Finds the services that test files of this run import; other runs do not start them. */
async function findNeeded(project: TestProject): Promise<{ readonly kafka: boolean; readonly registry: boolean }> {
  const { filenamePattern } = project.vitest as unknown as { readonly filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  const own = import.meta.dirname;
  const imported = await Promise.all(
    testFiles.map(async (file) => {
      const paths = [...(await readFile(file, 'utf8')).matchAll(/'(\.[^']*\.ts)'/g)];
      return paths.map(([, path = '']) => resolve(dirname(file), path));
    }),
  );
  const needs = (name: string): boolean => imported.some((paths) => paths.includes(join(own, name)));
  return { kafka: needs('services.ts'), registry: needs('registry.ts') };
}

function endOnSignals(directory: string, interrupt: AbortController): () => Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals): void => {
    interrupt.abort(new Error(`ended by ${signal}`));
    killAll(directory);
    process.exit(signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 129);
  };
  const onExit = (): void => killAll(directory);
  for (const signal of signals) process.once(signal, end);
  process.once('exit', onExit);
  return async () => {
    await endAll(directory);
    for (const signal of signals) process.off(signal, end);
    process.off('exit', onExit);
  };
}

/** Stops the services of earlier runs that were killed. */
async function sweep(): Promise<void> {
  for (const name of entriesOf(tmpdir(), false).filter((entry) => entry.startsWith(prefix))) {
    const directory = join(tmpdir(), name);
    if (!(await hasOwner(directory, name))) await endAll(directory);
  }
}

async function hasOwner(directory: string, name: string): Promise<boolean> {
  const owner = await readFile(join(directory, 'owner.json'), 'utf8').catch(() => undefined);
  if (owner !== undefined) return isRunning(JSON.parse(owner) as ProcessId);
  const [, pid] = /^(\d+)-/.exec(name.slice(prefix.length)) ?? [];
  return pid !== undefined && (await startOf(Number(pid))) !== undefined; // not written yet, or already removed
}
