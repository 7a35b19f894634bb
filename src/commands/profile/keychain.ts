import { randomUUID } from 'node:crypto';
import { type SecretKey, secretPartOf, wayKey } from '../../config/options.ts';
import type { ProfileReading } from '../../config/profile/file.ts';
import { splitWord } from '../../config/sources/flags.ts';
import type { Context } from '../../context.ts';
import { CliError, usageError } from '../../errors.ts';
import type { Keychain } from '../../secrets/keychain.ts';

async function keychainOf({ host, clock, signal }: Context): Promise<Keychain> {
  const { openKeychain } = await import('../../secrets/keychain.ts');
  return openKeychain({ host, deadline: { clock, signal } });
}

/** The names of the entries that the profiles of a file refer to. */
export function entriesIn(file: Pick<ProfileReading, 'profiles'> | undefined): ReadonlySet<string> {
  const all = (file?.profiles ?? []).flatMap(({ options }) => [...options.entries]);
  return new Set(all.flatMap(([key, { value }]) => (secretPartOf(key)?.way === 'keychain' ? [String(value)] : [])));
}

/** What was put into the keychain. */
export interface Stored {
  /** The settings that refer to the entries, as `KEY=VALUE`. */
  readonly words: readonly string[];
  /** Removes the entries that are new, because the profile cannot refer to them. */
  undo(): Promise<void>;
}

/**
 * Stores secrets, given as `KEY=VALUE`, in the keychain.
 * @param before the profile file, whose entries for the profile are used again, unless another profile refers to them
 * @throws CliError (exit 2) for a setting that is not secret; (exit 1) if the keychain cannot be used
 */
export async function storeSecrets(
  context: Context,
  words: readonly string[],
  { before, profile, dryRun }: { before: ProfileReading | undefined; profile: string; dryRun: boolean },
): Promise<Stored> {
  const keychain = await keychainOf(context);
  const known = entriesIn(before);
  const others = entriesIn({ profiles: before?.profiles.filter(({ name }) => name !== profile) ?? [] });
  const settings = words.map(settingOf);
  const stored: string[] = [];
  const result: string[] = [];
  for (const { key, secret } of settings) {
    const entry = wayKey(key, 'keychain');
    const own = before?.profiles.find(({ name }) => name === profile)?.options.entries.get(entry)?.value;
    const name =
      typeof own === 'string' && own !== '' && !others.has(own) ? own : freeName(nameOf(context, profile, key), others);
    if (!dryRun) await keychain.store(name, secret);
    if (!known.has(name)) stored.push(name);
    result.push(`${entry}=${name}`);
  }
  return {
    words: result,
    async undo() {
      for (const name of dryRun ? [] : stored) await removeEntry(context, keychain, name);
    },
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

/** The name of a new entry. Two files may have profiles of the same name. */
function nameOf(context: Context, profile: string, key: SecretKey): string {
  const { configFile } = context.profileSelection();
  const place = configFile?.origin === undefined ? '' : ` (${configFile.path})`;
  return `${profile}/${key}${place}`;
}

/** A profile that was renamed or copied may have an entry of that name. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? `${name} ${randomUUID()}` : name;
}

/** Removes the entries that no profile refers to any more, and says which are gone and which stay. */
export async function removeUnused(
  context: Context,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): Promise<void> {
  const unused = [...before].filter((name) => name !== '' && !after.has(name));
  if (unused.length === 0) return;
  const keychain = await keychainOf(context);
  for (const name of unused) await removeEntry(context, keychain, name);
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
