import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError, type ErrorDetails, type ExitCode, exitCodes } from '../errors.ts';
import { configDirectory, type NamedFile } from '../files/locations.ts';
import { checkPlace, checkUnchanged } from '../files/trust.ts';
import { quoteWord } from '../format/shell-word.ts';
import type { Host } from '../host.ts';

const openToOthers = 0o077;

/** Creates the error for a file that may not say where a secret is, with the reason. */
export type Fault = (reason: string, details: ErrorDetails & { readonly exitCode: ExitCode }) => CliError;

/**
 * Ensures that a profile file may say where a secret is. It also says where the secret is sent, and which program runs:
 * nobody else may be able to change it, and one that the user names must be private as weir writes it, because a file
 * that was downloaded or cloned seldom is. The mode of a clone depends on the umask, so one below a repository is refused.
 * An archive that is unpacked keeps its modes, and cannot be told from files of the user.
 * @throws CliError with how to repair it
 */
export async function checkOwnProfile(host: Host, fault: Fault, file: NamedFile): Promise<void> {
  const { path, origin } = file;
  await checkNotCloned(host, fault, file);
  const { uid } = host.runtime;
  if (uid === undefined) return;
  const trusted = { uid, what: 'the profile file', code: 'PROFILE', again: 'create it anew', elsewhere };
  await checkUnchanged(path, trusted);
  await checkPlace(path, trusted);
  const found = await stat(path);
  // For root, files of root are files like any other.
  const isOfRoot = found.uid === 0 && uid !== 0;
  if (origin === undefined || isOfRoot || (found.mode & openToOthers) === 0) return;
  throw fault(`${origin} names a file that other users can read, like one from someone else`, {
    exitCode: exitCodes.usage,
    hints: [`if you trust its commands, files and addresses, make it private: chmod 600 ${quoteWord(path)}`],
  });
}

/** Why a file may be of someone else; undefined if it is one of the user's own. */
export async function ownershipFault(host: Host, file: NamedFile): Promise<CliError | undefined> {
  try {
    await checkOwnProfile(host, (reason, { exitCode, ...details }) => new CliError(exitCode, reason, details), file);
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

/** Whether the file is where only the user puts files, whatever the variables say. */
export function isUsualFile(host: Host, path: string): boolean {
  const usual = configDirectory({ ...host, env: { ...host.env, XDG_CONFIG_HOME: undefined } });
  return usual !== undefined && path === join(usual, 'weir.yaml');
}

async function checkNotCloned(host: Host, fault: Fault, { path, origin }: NamedFile): Promise<void> {
  if (origin === undefined && isUsualFile(host, path)) return;
  const repository = (await repositoryOf(host, path)) ?? (await repositoryOf(host, await realpath(path)));
  if (repository === undefined) return;
  const by = origin ?? 'XDG_CONFIG_HOME';
  throw fault(`${by} names ${path}, in the repository ${repository}, which others may have written`, {
    exitCode: exitCodes.usage,
    hints: ['if you trust its commands, files and addresses, copy the file to a directory outside of any repository'],
  });
}

/** What says that a directory is a working copy, whose files may be of others. */
const repositoryMarks = ['.git', '.hg', '.jj', '.svn'] as const;

/** The nearest directory above a file that is a working copy; the home directory may keep its files in one. */
async function repositoryOf({ home }: Host, path: string): Promise<string | undefined> {
  let at = dirname(path);
  while (at !== home) {
    for (const mark of repositoryMarks) {
      if ((await lstat(join(at, mark)).catch(() => undefined)) !== undefined) return at;
    }
    if (at === dirname(at)) return undefined;
    at = dirname(at);
  }
  return undefined;
}

const elsewhere = 'keep the file in a directory of your own';
