import { join } from 'node:path';
import { sharedClasses } from '../class-archive.ts';
import { mainJar } from './libraries.ts';
import type { RegistryRuntime } from './runtime.ts';

const local = '127.0.0.1';

/** A registry to start. */
interface RegistryProcess {
  readonly version: string;
  readonly port: number;
  /** The name that it reports, by which its answers are told from those of another program on the same port. */
  readonly name: string;
}

/** The base URL of the API that Kafka's clients use. */
export function apiOf(port: number): string {
  return `http://${local}:${port}/apis/ccompat/v7`;
}

/**
 * The arguments of Java that start a registry which keeps its data in memory, listens on the loopback address and asks
 * for no password. Serial GC and the quick compiler alone (C1) halve the CPU time of a start; the archive of classes
 * halves it again.
 */
export async function javaArguments(runtime: RegistryRuntime, process: RegistryProcess): Promise<readonly string[]> {
  return [...(await sharedClasses(runtime)), ...plainArguments(runtime.libraries, process)];
}

/** The arguments of Java without an archive of classes. */
export function plainArguments(libraries: string, { version, port, name }: RegistryProcess): readonly string[] {
  const properties = settings({ port, name }).map(([key, value]) => `-D${key}=${value}`);
  return [...jvmOptions, ...properties, '-jar', join(libraries, mainJar(version))];
}

/** The options of the JVM for a quick start and little memory. */
const jvmOptions: readonly string[] = [
  '-Xmx256m',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-XX:-UsePerfData',
  '-Xshare:auto',
  '-Djava.awt.headless=true',
];

/** The settings of the registry that differ from its defaults. */
function settings({ port, name }: Pick<RegistryProcess, 'port' | 'name'>): readonly (readonly [string, string])[] {
  return [
    ['apicurio.app.name', name],
    ['apicurio.storage.kind', 'sql'],
    ['apicurio.storage.sql.kind', 'h2'],
    ['quarkus.http.host', local],
    ['quarkus.http.port', String(port)],
    ['quarkus.banner.enabled', 'false'],
    ['quarkus.log.console.format', '%d{yyyy-MM-dd HH:mm:ss,SSS} %p [%c{1}] %m%n%e'],
    // What it does on a schedule (metrics, expired downloads, settings of other servers) is not needed here.
    ['quarkus.scheduler.enabled', 'false'],
  ];
}

/** Whether the registry of this port and name answers. */
export async function answers({ port, name }: Pick<RegistryProcess, 'port' | 'name'>): Promise<boolean> {
  try {
    const url = `http://${local}:${port}/apis/registry/v3/system/info`;
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const info: unknown = await response.json();
    return response.ok && (info as { readonly name?: unknown } | null)?.name === name;
  } catch {
    return false;
  }
}

/** Sets the compatibility level that other registries have by default; this one would allow every change. */
export async function setDefaultLevel(port: number): Promise<boolean> {
  const response = await fetch(`${apiOf(port)}/config`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"compatibility":"BACKWARD"}',
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined);
  await response?.body?.cancel().catch(() => undefined);
  return response?.ok === true;
}
