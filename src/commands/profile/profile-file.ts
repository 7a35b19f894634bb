import { joinErrors } from '../../config/layer.ts';
import { faultsOf, type ProfileFile, readProfileFile, type StoredProfile } from '../../config/profile/file.ts';
import { noSuchProfile, originInFile } from '../../config/profile/no-profile.ts';
import type { ProfileChange } from '../../config/profile/write.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, notFoundError, usageError } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
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
 * @throws CliError when it does not exist, or none is selected
 */
export async function targetProfile(
  context: Context,
  file: ProfileFile | undefined,
  name?: string,
): Promise<StoredProfile> {
  const { profile } = context.profileSelection();
  const target = name ?? profile?.name ?? file?.current?.name;
  if (target === undefined) {
    throw notFoundError('no profile is selected', {
      code: 'NO_PROFILE',
      hints: ['name one with --profile NAME, or select one with: weir profile use NAME'],
    });
  }
  const found = file?.profiles.find((stored) => stored.name === target);
  if (found !== undefined) return found;
  const origin = name === undefined ? (profile?.origin ?? originInFile(file)) : undefined;
  throw await noSuchProfile({ name: target, origin }, file);
}

/** An edit of the profile file that was tried. */
interface TriedEdit {
  readonly before: ProfileFile;
  readonly after: ProfileFile;
}

/** Tries an edit of the profile file, which is not written. */
export async function tryEdit(context: Context, edit: ProfileChange): Promise<TriedEdit> {
  return await changeStored(context, edit, true);
}

/** Edits the profile file under its lock, and removes entries of the keychain that no profile refers to any more. */
export async function writeEdit(context: Context, edit: ProfileChange): Promise<ProfileFile> {
  const { before, after } = await changeStored(context, edit, false);
  await removeUnused(context, { before: entriesIn(before), after: entriesIn(after) });
  return after;
}

async function changeStored(context: Context, edit: ProfileChange, dryRun: boolean): Promise<TriedEdit> {
  const { changeProfileFile, keepsMode } = await import('../../config/profile/write.ts');
  const path = profilePath(context);
  const { lockWait, host } = context;
  const { configFile = { path, origin: undefined } } = context.profileSelection();
  let before: ProfileFile | undefined;
  const remembering: ProfileChange = async (file) => {
    before = file;
    return await edit(file);
  };
  const how = { dryRun, lockWait, keepsMode: keepsMode(host, configFile) };
  const after = await changeProfileFile(path, remembering, how);
  return { before: before ?? after, after };
}

/** Rejects a name that a profile has. @throws CliError (exit 6) */
export function rejectTakenName({ profiles }: ProfileFile, name: string): void {
  if (!profiles.some((profile) => profile.name === name)) return;
  throw new CliError(exitCodes.conflict, `profile "${name}" already exists`, { code: 'PROFILE_EXISTS', target: name });
}

/** @throws CliError (exit 6) when the file has a profile with one of the names, or a name is there twice */
export function rejectTaken({ profiles, path: file }: ProfileFile, names: readonly string[]): void {
  const taken = names.filter((name, i) => profiles.some((stored) => stored.name === name) || names.indexOf(name) !== i);
  const [first] = taken;
  if (first === undefined) return;
  const which = taken.map((name) => `"${name}"`).join(', ');
  throw new CliError(exitCodes.conflict, `profile ${which} already exists in ${file}`, {
    code: 'PROFILE_EXISTS',
    target: taken.join(','),
    hints: [
      commandText`change it with: weir profile set --profile ${first} KEY=VALUE`,
      commandText`select it with: weir profile use ${first}`,
    ],
  });
}
