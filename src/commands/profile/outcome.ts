import type { Outcome } from '../../cli/forms/outcome.ts';
import { showValue } from '../../config/options.ts';
import type { ProfileFile, StoredProfile } from '../../config/profile/file.ts';
import type { ProfileChange } from '../../config/profile/write.ts';
import { maskedText } from '../../config/settings/provenance.ts';
import type { Context } from '../../context.ts';
import { printable } from '../../format/printable.ts';
import { statusText } from '../../format/status.ts';
import { described, listOf, maybe, type RowOf, row, string } from '../../shape/shape.ts';
import { tryEdit, writeEdit } from './profile-file.ts';

const SettingChange = row({
  key: string,
  before: described(maybe(string), 'null if it was not set'),
  after: described(maybe(string), 'null if it is no longer set'),
});
type SettingChange = RowOf<typeof SettingChange>;

/** A profile that a command changed. */
export const ChangedProfile = row({
  profile: string,
  current: described(maybe(string), 'the selected profile afterward'),
  file: string,
});
export type ChangedProfile = RowOf<typeof ChangedProfile>;

/** A profile with the settings that a command changed. */
export const ChangedSettings = row({
  ...ChangedProfile.fields,
  changes: described(listOf(SettingChange), 'secrets are hidden'),
});
export type ChangedSettings = RowOf<typeof ChangedSettings>;

/** An edit of a profile, with what it would change. */
export interface PlannedEdit extends ChangedSettings {
  readonly edit: ProfileChange;
  readonly status: 'NOT_NEEDED' | undefined;
}

/** Tries an edit of the profile file, and says what it would change in a profile. */
export async function planEdit(context: Context, profile: string, edit: ProfileChange): Promise<PlannedEdit> {
  const { before, after } = await tryEdit(context, edit);
  const status = after.text === before.text ? 'NOT_NEEDED' : undefined;
  return { ...settingsOf(before, after, profile), edit, status };
}

/** Makes the edit of a plan. */
export async function applyEdit(context: Context, { edit }: PlannedEdit): Promise<{ readonly current: string | null }> {
  return { current: (await writeEdit(context, edit)).current?.name ?? null };
}

/** A profile, and how its settings in a file differ from those in the file before. */
export function settingsOf(before: ProfileFile, after: ProfileFile, profile: string): ChangedSettings {
  const [old, fresh] = [before, after].map((file) => file.profiles.find(({ name }) => name === profile));
  return {
    profile,
    current: after.current?.name ?? null,
    file: after.path,
    changes: changesBetween(old, fresh),
  };
}

function changesBetween(before: StoredProfile | undefined, after: StoredProfile | undefined): readonly SettingChange[] {
  const [old, fresh] = [textsOf(before), textsOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((key) => old.get(key)?.text !== fresh.get(key)?.text)
    .map((key) => ({ key, before: old.get(key)?.shown ?? null, after: fresh.get(key)?.shown ?? null }));
}

interface Shown {
  readonly text: string;
  readonly shown: string;
}

/** The settings of a profile, as they are and as they may be shown. */
function textsOf(profile: StoredProfile | undefined): ReadonlyMap<string, Shown> {
  if (profile === undefined) return new Map();
  const { description, options } = profile;
  const plain = (text: string): Shown => ({ text, shown: text });
  return new Map([
    ...(description === undefined ? [] : [['description', plain(description)] as const]),
    ...(profile.protected ? [['protected', plain('true')] as const] : []),
    ...[...options.entries].map(([key, { value }]): [string, Shown] => {
      const text = showValue(key, value);
      return [key, { text, shown: maskedText(key, value) ?? text }];
    }),
  ]);
}

/**
 * A line for each profile, for example `Set current profile to "prod".`, and for a dry run what it would change. rpk's
 * scripts look for these lines.
 * @param done what is said of a change, with NAME for the name
 * @param planned what is said of one that a dry run only plans
 * @param unchanged what is said of a profile that is so already
 */
export function sentences(done: string, planned: string, unchanged = done) {
  return (rows: readonly (ChangedProfile & Partial<ChangedSettings> & Outcome)[]): string =>
    rows
      .map(({ profile, status, dry_run: isDryRun, error, changes = [] }) => {
        if (error !== null) return `${printable(profile)}: ${statusText(error)}\n`;
        const sentence = status === 'NOT_NEEDED' ? unchanged : isDryRun ? planned : done;
        const line = sentence.replace('NAME', () => `"${printable(profile)}"`);
        return `${line}\n${isDryRun ? changes.map(changeLine).join('') : ''}`;
      })
      .join('');
}

/** The text of a change to the settings of a profile. */
export const updatedText = sentences(
  'Profile NAME updated successfully.',
  'Profile NAME would be updated.',
  'Profile NAME is unchanged.',
);

function changeLine({ key, before, after }: SettingChange): string {
  const [old, fresh] = [before, after].map((text) => (text === null ? 'not set' : printable(text)));
  return `  ${key}: ${before === null ? '' : `${old} -> `}${fresh}\n`;
}
