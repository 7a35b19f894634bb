import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type SecretKey, secretPartOf, wayKey } from '../../config/options.ts';
import type { ProfileReading } from '../../config/profile/file.ts';
import { splitWord } from '../../config/sources/flags.ts';
import type { Context } from '../../context.ts';
import { CliError, usageError } from '../../errors.ts';
import { configDirectory } from '../../files/locations.ts';
import type { Keychain } from '../../sign-in/secrets/keychain.ts';

async function keychainOf({ host, clock, signal }: Context): Promise<Keychain> {
  const { openKeychain } = await import('../../sign-in/secrets/keychain.ts');
  return openKeychain({ host, deadline: { clock, signal } });
}

/** The names of the entries that the profiles of a file refer to. */
export function entriesIn(file: Pick<ProfileReading, 'profiles'> | undefined): ReadonlySet<string> {
  const all = (file?.profiles ?? []).flatMap(({ options }) => [...options.entries]);
  return new Set(all.flatMap(([key, { value }]) => (secretPartOf(key)?.way === 'keychain' ? [String(value)] : [])));
}

/** Secrets for the keychain. */
export interface PlannedSecrets {
  /** The settings that refer to the entries, as `KEY=VALUE`. */
  readonly words: readonly string[];
  /**
   * Puts them into the keychain. The returned function undoes that, for a profile that could not be changed: it removes
   * new entries and restores the others.
   */
  store(): Promise<() => Promise<void>>;
}

/** The profile whose secrets are for the keychain, and the profile file. */
interface SecretOwner {
  readonly profile: string;
  /** Its entries for the profile are used again, unless another profile refers to them. */
  readonly before: ProfileReading | undefined;
}

/**
 * Names the entries of the keychain for secrets that are given as `KEY=VALUE`.
 * @throws CliError (exit 2) for a setting that is not secret; (exit 1) if the keychain cannot be used
 */
export async function planSecrets(
  context: Context,
  words: readonly string[],
  { before, profile }: SecretOwner,
): Promise<PlannedSecrets> {
  const keychain = await keychainOf(context);
  const mark = markOf(context);
  const others = entriesIn({ profiles: before?.profiles.filter(({ name }) => name !== profile) ?? [] });
  const options = before?.profiles.find(({ name }) => name === profile)?.options.entries;
  const secrets = words.map(settingOf).map(({ key, secret }) => {
    const entry = wayKey(key, 'keychain');
    const value = options?.get(entry)?.value;
    const isOwn = typeof value === 'string' && value !== '' && isMarked(value, mark) && !others.has(value);
    return { entry, name: isOwn ? value : freeName(`${profile}/${key}${mark}`, others), secret };
  });
  return {
    words: secrets.map(({ entry, name }) => `${entry}=${name}`),
    store: () => storeSecrets(context, keychain, secrets, entriesIn(before)),
  };
}

async function storeSecrets(
  context: Context,
  keychain: Keychain,
  secrets: readonly { readonly name: string; readonly secret: string }[],
  existing: ReadonlySet<string>,
): Promise<() => Promise<void>> {
  /** The names of the entries, and the secrets that they had. */
  const stored = new Map<string, string | undefined>();
  for (const { name, secret } of secrets) {
    const old = existing.has(name) ? await keychain.read(name) : undefined;
    await keychain.store(name, secret);
    stored.set(name, old?.replace(/\r?\n$/, ''));
  }
  return async () => {
    for (const [name, old] of stored) {
      if (old === undefined) await removeEntry(context, keychain, name);
      else await restoreEntry(context, keychain, name, old);
    }
  };
}

/** The setting of a secret in a word. */
function settingOf(word: string): { readonly key: SecretKey; readonly secret: string } {
  const { key: name = word, value = '' } = splitWord(word) ?? {};
  const part = secretPartOf(name.toLowerCase());
  if (part !== undefined && part.way === undefined && value !== '') return { key: part.key, secret: value };
  throw usageError(`--keychain stores secrets, and ${name} is not one with a value`, {
    target: name,
    hints: ['use, for example: weir profile set pass --keychain'],
  });
}

/**
 * The end of the names of entries, which tells profile files apart, because two of them may have profiles of the same
 * name; empty for the usual file.
 */
function markOf(context: Context): string {
  const { host } = context;
  const { configFile } = context.profileSelection();
  const directory = configDirectory({ ...host, env: { ...host.env, XDG_CONFIG_HOME: undefined } });
  const isUsual = directory !== undefined && configFile?.path === join(directory, 'weir.yaml');
  return configFile === undefined || isUsual ? '' : ` (${configFile.path})`;
}

/** Whether an entry was stored for the file with this mark. A file can also refer to entries of another file. */
function isMarked(name: string, mark: string): boolean {
  if (mark === '') return !/ \((?:\/|[A-Za-z]:\\)/.test(name);
  return name.replace(/ [0-9a-f-]{36}$/, '').endsWith(mark);
}

/** A profile that was renamed or copied may have an entry of that name. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? `${name} ${randomUUID()}` : name;
}

/** Removes the entries that no profile refers to any more, and says which are gone and which stay. */
export async function removeUnused(
  context: Context,
  { before, after }: { before: ReadonlySet<string>; after: ReadonlySet<string> },
): Promise<void> {
  const unused = [...before].filter((name) => name !== '' && !after.has(name));
  if (unused.length === 0) return;
  const [keychain, mark] = [await keychainOf(context), markOf(context)];
  for (const name of unused) {
    if (isMarked(name, mark)) await removeEntry(context, keychain, name);
    else context.warn(`"${name}" stays in the keychain: it was stored for another profile file`);
  }
}

async function restoreEntry(context: Context, keychain: Keychain, name: string, old: string): Promise<void> {
  try {
    await keychain.store(name, old);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    context.warn(`"${name}" in the keychain has the new value: ${error.message}`);
  }
}

async function removeEntry(context: Context, keychain: Keychain, name: string): Promise<void> {
  try {
    if (await keychain.remove(name)) context.notice(`removed "${name}" from the keychain`);
    else context.warn(`"${name}" is not in the keychain, or stays there because the keychain is locked`);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof CliError)) throw error;
    context.warn(`"${name}" stays in the keychain: ${error.message}`);
  }
}
