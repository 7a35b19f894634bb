import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import { registryDirectory } from '../directories.ts';
import { findProgram } from '../java.ts';
import { execution, type Machine } from '../machine.ts';
import { exists, failedDownload, fromCache, runMaven } from '../maven.ts';

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

/**
 * Unpacks a `.tar.gz` archive into a new directory with the `tar` program.
 * @throws CliError if there is no tar, or the archive is damaged, names a path outside of the directory, or holds anything
 *   but files and directories
 */
async function unpack(machine: Machine, archive: string, directory: string): Promise<void> {
  const tar = await findProgram(machine, 'tar');
  if (tar === undefined) {
    throw usageError('unable to unpack the schema registry: the program tar is not installed', {
      hints: ['install tar, then run the command again'],
    });
  }
  const names = (await runTar(machine, tar, ['-tzf', archive])).split('\n');
  const outside = names.find((name) => name.startsWith('/') || name.split('/').includes('..'));
  if (outside !== undefined) throw broken(`it has an unsafe path ("${outside}")`);
  await mkdir(directory);
  // -o: the files belong to this user, whoever packed them.
  await runTar(machine, tar, ['-xzof', archive, '-C', directory]);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const odd = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (odd !== undefined) throw broken(`"${odd.name}" is neither a file nor a directory`);
}

async function runTar(machine: Machine, tar: string, args: readonly string[]): Promise<string> {
  const result = await execa(tar, args, {
    ...execution(machine),
    forceKillAfterDelay: 2000,
  });
  machine.signal.throwIfAborted();
  if (!result.failed) return result.stdout;
  throw broken(result.stderr.trim().split('\n')[0] || result.shortMessage || 'tar failed');
}

function broken(why: string): CliError {
  return new CliError(exitCodes.failure, `unable to unpack the schema registry: ${why}`);
}
