import { join } from 'node:path';
import { registryDirectory } from '../directories.ts';
import type { Machine } from '../machine.ts';
import { exists, failedDownload, fromCache, runMaven } from '../maven.ts';
import { unpack } from './unpack.ts';

/** The version of Apicurio Registry that sandboxes run. */
export const registryVersion = '3.0.9';

// Newer versions of this plugin read the parent POM of an artifact, and the one of the registry is not published.
const copyGoal = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy';

/** The jar of the registry that Java starts. */
export function mainJar(version: string): string {
  return `apicurio-registry-app-${version}-runner.jar`;
}

/** Checks whether this version of the registry has been downloaded. */
export async function hasRegistry(machine: Machine, version: string): Promise<boolean> {
  return exists(directoryOf(machine, version));
}

/** Returns the directory that holds the jars of the registry, which are downloaded if they are not in the cache. */
export async function resolveRegistry(machine: Machine, version: string, maven: string | undefined): Promise<string> {
  const download = { what: `Apicurio Registry ${version}`, group: 'io.apicurio' };
  const fill = async (scratch: string, mvn: string): Promise<string> => {
    const args = [
      copyGoal,
      `-Dartifact=io.apicurio:apicurio-registry-app:${version}:tar.gz:all`,
      '-DoutputDirectory=archive',
    ];
    await runMaven(machine, download, mvn, { cwd: scratch, args });
    machine.progress(`unpacking ${download.what}`);
    const archive = join(scratch, 'archive', `apicurio-registry-app-${version}-all.tar.gz`);
    const jars = join(scratch, 'jars');
    await unpack(machine, archive, jars);
    if (await exists(join(jars, mainJar(version)))) return jars;
    throw failedDownload(download, 'the archive has no registry in it', '');
  };
  const installHint = 'install Maven, then run the command again';
  return fromCache(machine, { ...download, installHint, directory: directoryOf(machine, version), maven, fill });
}

function directoryOf(machine: Machine, version: string): string {
  return join(registryDirectory(machine), version);
}
