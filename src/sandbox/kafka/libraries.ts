import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { notFoundError, unreachableError, usageError } from '../../errors.ts';
import { kafkaDirectory } from '../directories.ts';
import { withLock } from '../lock.ts';
import type { Machine } from '../machine.ts';

/** The default version of Kafka. */
export const defaultKafkaVersion = '4.1.1';

const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/** Checks that a version looks like 4.1.1 or 4.2.0-rc1. @throws CliError (exit 2) when it does not */
export function checkKafkaVersion(version: string): void {
  if (/^\d+\.\d+\.\d+(-rc\d+)?$/.test(version)) return;
  throw usageError(`invalid Kafka version "${version}"`, { hints: [`use a version such as ${defaultKafkaVersion}`] });
}

/** Checks whether this version of Kafka has been downloaded. */
export async function hasLibraries(machine: Machine, version: string): Promise<boolean> {
  return exists(directoryOf(machine, version));
}

/**
 * Returns the directory that holds the jars of a Kafka broker. Jars that are not in the cache are downloaded by Maven
 * from the repositories in its own configuration.
 */
export async function resolveLibraries(machine: Machine, version: string, maven: string | undefined): Promise<string> {
  checkKafkaVersion(version);
  const directory = directoryOf(machine, version);
  if (await exists(directory)) return directory;
  if (maven === undefined) throw noMaven(version);
  const onWait = (holder: string) => {
    machine.progress(`waiting for another weir process that is downloading Kafka ${version}: ${holder}`);
    return machine.lockWait.onWait?.(holder);
  };
  return withLock(kafkaDirectory(machine), { ...machine.lockWait, onWait }, async () => {
    if (!(await exists(directory))) await download(machine, version, maven, directory);
    return directory;
  });
}

function directoryOf(machine: Machine, version: string): string {
  return join(kafkaDirectory(machine), version);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function download(machine: Machine, version: string, maven: string, directory: string): Promise<void> {
  const parent = join(directory, '..');
  await mkdir(parent, { recursive: true });
  const scratch = await mkdtemp(join(parent, `.${version}-`));
  try {
    await writeFile(join(scratch, 'pom.xml'), pom(version));
    const jars = join(scratch, 'jars');
    await runMaven(machine, version, maven, scratch);
    const found = await readdir(jars).catch((): string[] => []);
    if (!found.includes(`kafka_2.13-${version}.jar`)) throw failed(version, 'Maven fetched no Kafka jar', '');
    await rename(jars, directory);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function runMaven(machine: Machine, version: string, maven: string, scratch: string): Promise<void> {
  machine.progress(`downloading Kafka ${version} with Maven (only needed once)`);
  const child = execa(
    maven,
    [
      '--batch-mode',
      '-f',
      'pom.xml',
      `${dependencyPlugin}:copy-dependencies`,
      '-DincludeScope=runtime',
      '-DoutputDirectory=jars',
    ],
    {
      cwd: scratch,
      env: { ...machine.env },
      extendEnv: false,
      stdin: 'ignore',
      all: true,
      reject: false,
      cancelSignal: machine.signal,
      forceKillAfterDelay: 2000,
    },
  );
  let count = 0;
  for await (const line of child.iterable({ from: 'all' })) {
    const [, file, size] =
      /^(?:\[INFO\] )?Downloaded from \S+ \S*\/([^/\s]+\.jar) \(([^)]*?) at /.exec(String(line)) ?? [];
    if (file === undefined) continue;
    count += 1;
    machine.progress(`downloaded ${count} files: ${file} (${size})`);
  }
  const result = await child;
  machine.signal.throwIfAborted();
  if (result.failed) throw failed(version, tellingLine(String(result.all)), String(result.all));
}

function tellingLine(output: string): string {
  const line = output.split('\n').find((candidate) => candidate.startsWith('[ERROR]'));
  return line === undefined ? 'Maven failed' : line.replace('[ERROR]', '').trim();
}

function failed(version: string, why: string, output: string): Error {
  const message = `unable to download Kafka ${version}: ${why}`;
  const missing = /Could not find artifact org\.apache\.kafka:/.test(output);
  if (missing) return notFoundError(`Kafka ${version} does not exist`, { cause: new Error(message) });
  return unreachableError(message, {
    hints: ['check the repositories in the settings.xml of Maven with: mvn help:effective-settings'],
    cause: new Error(output),
  });
}

function noMaven(version: string): Error {
  return usageError(`unable to download Kafka ${version}: Maven is not installed`, {
    hints: ['install Maven, Docker or Podman, then run the command again'],
  });
}

/** A Maven project with the broker, its runtime dependencies and a logger that writes to standard error. */
function pom(version: string): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>weir</groupId>
  <artifactId>sandbox</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;
}
