import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError, type ErrorDetails, type ExitCode, exitCodes } from '../../errors.ts';
import { configDirectory, type NamedFile } from '../../files/locations.ts';
import { checkPlace, checkUnchanged } from '../../files/trust.ts';
import { quoteWord } from '../../format/shell-word.ts';
import type { Host } from '../../host.ts';

const openToOthers = 0o077;

/** What making a file one of the user's own means: hints that say how begin with it. */
const ifYours = 'if you trust its commands, files and addresses';

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
  const trusted = {
    uid,
    what: 'the profile file',
    code: 'PROFILE',
    again: 'create it anew',
    elsewhere,
    // Closing it may be all that makes it one of the user's own.
    ...(origin !== undefined && { ifTrusted: ifYours }),
  };
  await checkUnchanged(path, trusted);
  await checkPlace(path, trusted);
  const found = await stat(path);
  // For root, files of root are files like any other.
  const isOfRoot = found.uid === 0 && uid !== 0;
  if (origin === undefined || isOfRoot || (found.mode & openToOthers) === 0) return;
  throw fault(`${origin} names a file that other users can read, like one from someone else`, {
    exitCode: exitCodes.usage,
    hints: [`${ifYours}, make it private: chmod 600 ${quoteWord(path)}`],
  });
}

/**
 * Why a profile file may be of someone else; undefined if it is one of the user's own.
 * @param fault creates the error (default: one that only says why)
 */
export async function ownershipFault(
  host: Host,
  file: NamedFile,
  fault: Fault = plainFault,
): Promise<CliError | undefined> {
  try {
    await checkOwnProfile(host, fault, file);
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

const plainFault: Fault = (reason, { exitCode, ...details }) => new CliError(exitCode, reason, details);

/**
 * Decides before a change of a profile file whether it keeps its permissions: weir makes its files private, and a named file
 * that is private counts as the user's own, which a change of weir must not make of one of someone else.
 * @throws CliError (exit 6) if the file belongs to another user, and the new one would not
 */
export async function keepsModeOf(host: Host, file: NamedFile): Promise<boolean> {
  const { uid } = host.runtime;
  if ((await stat(file.path).catch(() => undefined)) === undefined) return false;
  const fault = await ownershipFault(host, file);
  if (fault?.code === 'PROFILE_FOREIGN' && fault.target === file.path && uid !== 0) throw fault;
  return fault !== undefined && uid !== undefined;
}

/** The advice about a profile file that other users can read. */
export function privacyAdvice({ path, origin }: NamedFile): string {
  const advice = `run chmod 600 ${path}`;
  return origin === undefined ? advice : `${advice}, which also says that you trust its commands, files and addresses`;
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
    hints: [`${ifYours}, copy the file to a directory outside of any repository`],
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
