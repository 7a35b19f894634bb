import { usageError } from '../../errors.ts';
import type { LockWait } from '../../files/lock.ts';
import type { Host } from '../../host/host.ts';
import { isOptionKey, type OptionKey } from '../options.ts';
import { addProfile, fileValue, removeProfile, setCurrent, setOption } from '../profile/edit.ts';
import { readProfileFile } from '../profile/file.ts';
import { changeProfileFile, keepsMode, type ProfileChange } from '../profile/write.ts';
import type { ProfileSelection } from './selection.ts';

/** A profile that a command creates for something it started or found. */
export interface NewProfile {
  readonly name: string;
  readonly description: string;
  /** Values as typed, by option key. */
  readonly options: Readonly<Record<string, string>>;
}

/** The profile names in the profile file. */
export interface ProfileNames {
  readonly names: readonly string[];
  readonly current: string | undefined;
}

/** The profile file, for commands outside `profile` that create or remove a profile. */
export interface Profiles {
  names(): Promise<ProfileNames>;
  /** Whether there is such a profile and it is protected. */
  isProtected(name: string): Promise<boolean>;
  /**
   * Creates and selects the profile, replacing one of the same name, which stays protected if it was. Returns the names
   * from before the change.
   */
  put(profile: NewProfile): Promise<ProfileNames>;
  /**
   * Sets options of the profile, creating it if necessary; everything else in it is kept. The selected profile does not
   * change, unless `select` is given.
   */
  set(profile: NewProfile, how?: { readonly select: boolean }): Promise<void>;
  /** Removes the profile if it exists; if it was selected, selects `next` if possible. Returns the remaining names. */
  remove(name: string, next: string | undefined): Promise<ProfileNames>;
}

/** What the calls about the profile file need. */
interface ProfileParts {
  readonly host: Host;
  readonly selection: ProfileSelection;
  readonly lockWait?: LockWait;
}

/**
 * Returns the calls about the profile file that a command line names; the file does not have to exist.
 * @throws CliError if there is no home directory and no file is named
 */
export function profilesOf({ host, selection, lockWait }: ProfileParts): Profiles {
  const { configFile } = selection;
  if (configFile === undefined) {
    throw usageError('unable to find the profile file: there is no home directory', {
      hints: ['specify it with --config FILE'],
    });
  }
  const { path } = configFile;
  const changeFile = async (change: ProfileChange) =>
    await changeProfileFile(path, change, { ...(lockWait && { lockWait }), keepsMode: keepsMode(host, configFile) });
  return {
    names: async () => namesOf(await readProfileFile(path)),
    isProtected: async (name) => isProtectedIn(await readProfileFile(path), name),
    async put(profile) {
      let before: ProfileNames = { names: [], current: undefined };
      await changeFile(async (file) => {
        before = namesOf(file);
        const without = before.names.includes(profile.name) ? await removeProfile(file, profile.name) : file;
        const draft = { ...draftOf(profile), ...(isProtectedIn(file, profile.name) && { protected: true }) };
        return setCurrent(await addProfile(without, draft), profile.name);
      });
      return before;
    },
    async set(profile, { select } = { select: false }) {
      const draft = draftOf(profile);
      await changeFile(async (file) => {
        let changed = file;
        if (!namesOf(file).names.includes(profile.name)) changed = await addProfile(file, draft);
        else for (const [key, value] of draft.options) changed = await setOption(changed, profile.name, [key, value]);
        return select ? setCurrent(changed, profile.name) : changed;
      });
    },
    async remove(name, next) {
      if (!namesOf(await readProfileFile(path)).names.includes(name)) return namesOf(await readProfileFile(path));
      const after = await changeFile(async (file) => {
        const { names, current } = namesOf(file);
        const without = names.includes(name) ? await removeProfile(file, name) : file;
        return current === name && next !== undefined && names.includes(next) ? setCurrent(without, next) : without;
      });
      return namesOf(after);
    },
  };
}

function namesOf(file: Awaited<ReturnType<typeof readProfileFile>>): ProfileNames {
  return { names: file?.profiles.map(({ name }) => name) ?? [], current: file?.current?.name };
}

function isProtectedIn(file: Awaited<ReturnType<typeof readProfileFile>>, name: string): boolean {
  return file?.profiles.find((one) => one.name === name)?.protected ?? false;
}

function draftOf({ name, description, options }: NewProfile): Parameters<typeof addProfile>[1] {
  const entries = Object.entries(options).map(([key, text]): [OptionKey, ReturnType<typeof fileValue>] => {
    if (!isOptionKey(key)) throw new Error(`${key} is not an option`);
    return [key, fileValue(key, text)];
  });
  return { name, description, options: new Map(entries) };
}
