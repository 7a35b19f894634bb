import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidError } from '../../errors.ts';
import { kafkaDirectory } from '../directories.ts';
import type { Machine } from '../machine.ts';
import { exists, failedDownload, fromCache, runMaven } from '../maven.ts';

/** The default version of Kafka. */
export const defaultKafkaVersion = '4.1.1';

const args = [
  '-f',
  'pom.xml',
  'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies',
  '-DincludeScope=runtime',
  '-DoutputDirectory=jars',
];

/** Checks that a version looks like 4.1.1 or 4.2.0-rc1. @throws CliError (exit 2) when it does not */
export function checkKafkaVersion(version: string): void {
  if (/^\d+\.\d+\.\d+(-rc\d+)?$/.test(version)) return;
  throw invalidError(`invalid Kafka version "${version}"`, { hints: [`use a version such as ${defaultKafkaVersion}`] });
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
  const download = { what: `Kafka ${version}`, group: 'org.apache.kafka' };
  const fill = async (scratch: string, mvn: string): Promise<string> => {
    await writeFile(join(scratch, 'pom.xml'), pom(version));
    await runMaven(machine, download, mvn, { cwd: scratch, args });
    const jars = join(scratch, 'jars');
    const files = await readdir(jars).catch((): string[] => []);
    if (files.includes(`kafka_2.13-${version}.jar`)) return jars;
    throw failedDownload(download, 'Maven fetched no Kafka jar', '');
  };
  const installHint = 'install Maven, Docker or Podman, then run the command again';
  return fromCache(machine, { ...download, installHint, directory: directoryOf(machine, version), maven, fill });
}

function directoryOf(machine: Machine, version: string): string {
  return join(kafkaDirectory(machine), version);
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
