import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findJava, findProgram, oldestJava } from '../../src/sandbox/java.ts';
import { defaultKafkaVersion, resolveLibraries } from '../../src/sandbox/kafka/libraries.ts';
import { isRunning, type ProcessId, startOf, stop } from '../../src/sandbox/process.ts';
import { startSingle, testMachine } from './brokers.ts';

const prefix = 'weir-services-';

/** Starts what the tests of this run need, once, and ends it with the run, however that ends. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await sweep();
  if (!(await isNeeded(project))) {
    project.provide('services', undefined);
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), prefix));
  const self: ProcessId = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' };
  await writeFile(join(directory, 'owner.json'), JSON.stringify(self));
  const interrupt = new AbortController();
  const teardown = endOnSignals(directory, interrupt);
  try {
    const machine = testMachine(interrupt.signal);
    const java = await findJava(machine);
    if (java === undefined || java.major < oldestJava) throw new Error(`the tests need Java ${oldestJava} or newer`);
    const libraries = await resolveLibraries(machine, defaultKafkaVersion, await findProgram(machine, 'mvn'));
    const services = await startSingle(directory, { java: java.file, libraries }, machine);
    project.provide('services', { ...services, kafkaVersion: defaultKafkaVersion });
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}

/** Whether any test file of this run imports the services: pure tests wait for nothing. */
async function isNeeded(project: TestProject): Promise<boolean> {
  const { filenamePattern } = project.vitest as unknown as { readonly filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  const texts = await Promise.all(testFiles.map((file) => readFile(file, 'utf8')));
  return texts.some((text) => /'[^']*\/services\.ts'/.test(text));
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
    await Promise.all(processesOf(directory).map((one) => stop(one, { graceMs: 0 })));
    rmSync(directory, { recursive: true, force: true });
    for (const signal of signals) process.off(signal, end);
    process.off('exit', onExit);
  };
}

/** What the last resort can do: no awaiting, so the start time goes unchecked, seconds after it was written. */
function killAll(directory: string): void {
  for (const { pid } of processesOf(directory)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has ended already
    }
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

function processesOf(directory: string): readonly ProcessId[] {
  let names: string[] = [];
  try {
    names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  const files = names.filter((name) => name.endsWith('process.json')).map((name) => join(directory, name));
  return files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as ProcessId);
}

/** Ends what a run left behind that was killed outright. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const directory = join(tmpdir(), name);
    const owner = await readFile(join(directory, 'owner.json'), 'utf8').catch(() => undefined);
    if (owner === undefined || (await isRunning(JSON.parse(owner) as ProcessId))) continue;
    for (const one of processesOf(directory)) await stop(one, { graceMs: 0 });
    rmSync(directory, { recursive: true, force: true });
  }
}
