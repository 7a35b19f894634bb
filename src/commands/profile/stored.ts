import { nearest } from '../../config/nearest.ts';
import { faultsOf, type ProfileFile, readProfileFile, type StoredProfile } from '../../config/profile/file.ts';
import type { ProfileChange } from '../../config/profile/write.ts';
import { joinErrors } from '../../config/resolve/layer.ts';
import type { Context } from '../../context.ts';
import { notFoundError, usageError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { entriesIn, removeUnused } from './keychain.ts';

/**
 * The path of the profile file.
 * @throws CliError when the home directory is unknown
 */
export function profilePath(context: Context): string {
  const { configFile } = context.profileSelection();
  if (configFile !== undefined) return configFile.path;
  throw usageError('unable to find the profile file: the home directory is unknown', {
    hints: ['name a file with --config FILE or WEIR_CONFIG'],
  });
}

/**
 * The profile file; undefined when it does not exist. What is wrong in a profile is accepted.
 * @throws CliError when it cannot be read or its structure is invalid
 */
export async function readStored(context: Context): Promise<ProfileFile | undefined> {
  const file = await readProfileFile(profilePath(context));
  const faults = file === undefined ? [] : faultsOf(file);
  if (faults.length > 0) throw joinErrors(faults);
  return file;
}

/**
 * The profile that a command works on: the argument, else `--profile`, else `WEIR_PROFILE`, else the selected one.
 * @throws CliError (exit 3) when it does not exist, or none is selected
 */
export async function targetProfile(
  context: Context,
  file: ProfileFile | undefined,
  name?: string,
): Promise<StoredProfile> {
  const { profile } = context.profileSelection();
  const wanted = name ?? profile?.name ?? file?.current?.name;
  if (wanted === undefined) {
    throw notFoundError('no profile is selected', {
      code: 'NO_PROFILE',
      hints: ['name one with --profile NAME, or select one with: weir profile use NAME'],
    });
  }
  const found = file?.profiles.find((stored) => stored.name === wanted);
  if (found !== undefined) return found;
  throw await missingProfile(
    wanted,
    file,
    name === undefined ? (profile?.origin ?? `current_profile in ${file?.path}`) : undefined,
  );
}

/** The error for a missing profile; `origin` is the source of its name, unless that is the argument. */
export async function missingProfile(name: string, file: ProfileFile | undefined, origin?: string): Promise<Error> {
  const names = file?.profiles.map((profile) => profile.name) ?? [];
  const meant = await nearest(name, names);
  const by = origin === undefined ? '' : ` (named by ${origin})`;
  return notFoundError(`profile "${excerpt(name)}" does not exist${by}`, {
    code: 'NO_PROFILE',
    target: name,
    hints: [`${meant === undefined ? '' : `did you mean "${meant}"? `}see the profiles with: weir profile list`],
  });
}

/**
 * Changes the profile file under its lock; with `dryRun` the change is computed but not written. Entries of the keychain
 * that no profile refers to any more are removed.
 */
export async function changeStored(context: Context, dryRun: boolean, change: ProfileChange): Promise<ProfileFile> {
  const { changeProfileFile, keepsMode } = await import('../../config/profile/write.ts');
  const path = profilePath(context);
  const { lockWait, host } = context;
  const { configFile = { path, origin: undefined } } = context.profileSelection();
  let before = entriesIn(undefined);
  const remembering: ProfileChange = async (file) => {
    before = entriesIn(file);
    return await change(file);
  };
  const how = { dryRun, lockWait, keepsMode: keepsMode(host, configFile) };
  const file = await changeProfileFile(path, remembering, how);
  if (!dryRun) await removeUnused(context, { before, after: entriesIn(file) });
  return file;
}
