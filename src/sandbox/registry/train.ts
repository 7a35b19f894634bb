import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { withLock } from '../lock.ts';
import type { Machine } from '../machine.ts';
import { exists } from '../maven.ts';
import { freePorts } from '../ports.ts';
import { classArchive } from './class-archive.ts';
import { answers, apiOf, plainArguments } from './process.ts';
import type { RegistryRuntime } from './runtime.ts';

/** How long the run and the writing of the archive may take, in milliseconds. */
const limitMs = 180_000;

/** Schemas that make the registry load what it needs for each type. */
const samples = [
  { schemaType: 'AVRO', schema: '{"type":"record","name":"A","fields":[{"name":"a","type":"int"}]}' },
  { schemaType: 'PROTOBUF', schema: 'syntax = "proto3"; message A { int32 a = 1; }' },
  { schemaType: 'JSON', schema: '{"type":"object","properties":{"a":{"type":"integer"}}}' },
];

/**
 * Writes the archive of classes of this Java, unless there is one: runs the registry once, uses it, and stops it. Later
 * starts take less than half the time. A failure is no error, because the registry also starts without an archive.
 */
export async function trainRegistry(machine: Machine, runtime: RegistryRuntime, version: string): Promise<void> {
  const archive = await classArchive(runtime.java, runtime.libraries);
  if (await exists(archive)) return;
  await withLock(archive, machine.lockWait, async () => {
    if (await exists(archive)) return;
    machine.progress('preparing a fast start of the schema registry (only needed once)');
    await train(machine, runtime, { version, archive });
    machine.signal.throwIfAborted();
  });
}

async function train(
  machine: Machine,
  { java, libraries }: RegistryRuntime,
  { version, archive }: { readonly version: string; readonly archive: string },
): Promise<void> {
  const [port = 0] = await freePorts(1);
  const scratch = `${archive}.new`;
  const cwd = await mkdtemp(join(tmpdir(), 'weir-registry-'));
  const own = { version, port, name: cwd };
  const run = execa(java, [`-XX:ArchiveClassesAtExit=${scratch}`, ...plainArguments(libraries, own)], {
    ...{ cwd, env: { ...machine.env }, extendEnv: false, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
    ...{ reject: false, cancelSignal: machine.signal, timeout: limitMs, killSignal: 'SIGKILL' },
  });
  try {
    const ended = run.then(() => true);
    while (!(await answers(own))) if (await Promise.race([ended, delay(100, false)])) return;
    for (const sample of samples) await use(port, sample);
    run.kill('SIGTERM');
    await ended;
    if (await exists(scratch)) await rename(scratch, archive);
  } finally {
    run.kill('SIGKILL');
    await run;
    await Promise.all([scratch, cwd].map((path) => rm(path, { recursive: true, force: true })));
  }
}

async function use(port: number, { schemaType, schema }: (typeof samples)[number]): Promise<void> {
  const post = async (path: string): Promise<void> => {
    const response = await fetch(`${apiOf(port)}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.schemaregistry.v1+json' },
      body: JSON.stringify({ schema, schemaType }),
    }).catch(() => undefined);
    await response?.text().catch(() => undefined);
  };
  await post(`/subjects/${schemaType}/versions`);
  await post(`/subjects/${schemaType}`);
  await post(`/compatibility/subjects/${schemaType}/versions/latest`);
}
