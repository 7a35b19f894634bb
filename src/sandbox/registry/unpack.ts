import { mkdir, readdir } from 'node:fs/promises';
import { execa } from 'execa';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import { findProgram } from '../java.ts';
import type { Machine } from '../machine.ts';

/**
 * Unpacks a `.tar.gz` archive into a new directory with the `tar` program.
 * @throws CliError if there is no tar, or the archive is damaged, names a path outside of the directory, or holds anything
 *   but files and directories
 */
export async function unpack(machine: Machine, archive: string, directory: string): Promise<void> {
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
    env: { ...machine.env },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    cancelSignal: machine.signal,
    forceKillAfterDelay: 2000,
  });
  machine.signal.throwIfAborted();
  if (!result.failed) return result.stdout;
  throw broken(result.stderr.trim().split('\n')[0] || result.shortMessage || 'tar failed');
}

function broken(why: string): CliError {
  return new CliError(exitCodes.failure, `unable to unpack the schema registry: ${why}`);
}
