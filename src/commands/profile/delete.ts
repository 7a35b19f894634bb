import { many } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { showValue } from '../../config/options.ts';
import { removeProfile } from '../../config/profile/edit.ts';
import type { ProfileFile, StoredProfile } from '../../config/profile/file.ts';
import { noSuchProfile } from '../../config/profile/no-profile.ts';
import { ChangedProfile, sentences, settingsOf } from './outcome.ts';
import { tryEdit, writeEdit } from './profile-file.ts';
import { profileName } from './profile-name.ts';

/** `profile delete` */
export const deleteCommand = change({
  summary: 'Delete profiles',
  description:
    'If the selected profile is deleted, no profile is selected afterward. If one of them does not exist, none is deleted.',
  examples: [
    ['A profile', 'profile delete test'],
    ['Several profiles', 'profile delete test old'],
    ['Without a prompt', 'profile delete test --yes'],
  ],
  args: { names: many(profileName, 'NAME', 'profiles to delete') },
  changes: 'destroys',
  namesAll: true,
  noun: 'profile',
  item: ChangedProfile,
  async plan(context, { names }) {
    const wanted = [...new Set(names)];
    const { before, after } = await tryEdit(context, (file) => without(file, wanted));
    const stored = before.profiles.filter(({ name }) => wanted.includes(name));
    return wanted.map((name) => ({
      ...settingsOf(before, after, name),
      stored: stored.find((one) => one.name === name),
    }));
  },
  asks: (profiles) => ({
    question: `Delete the ${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.map(withBrokers).join(', ')}`,
    protected: profiles.flatMap(({ profile, stored }) => (stored?.protected ? [profile] : [])),
  }),
  async apply(context, profiles) {
    const names = profiles.map(({ profile }) => profile);
    let isSelected = false;
    const { current } = await writeEdit(context, async (file) => {
      isSelected = names.some((name) => name === file.current?.name);
      return await without(file, names);
    });
    if (isSelected) context.noticeAfter('no profile is selected; select one with: weir profile use NAME');
    return profiles.map(() => ({ current: current?.name ?? null }));
  },
  text: sentences('Deleted profile NAME.', 'Would delete profile NAME.'),
});

/** The file without some profiles. @throws CliError (exit 3) when one of them does not exist */
async function without(stored: ProfileFile, names: readonly string[]): Promise<ProfileFile> {
  let file = stored;
  for (const name of names) {
    if (!file.profiles.some((profile) => profile.name === name)) throw await noSuchProfile({ name }, file);
    file = await removeProfile(file, name);
  }
  return file;
}

/** A profile with its brokers in parentheses, if it has any. */
function withBrokers({
  profile,
  stored,
}: {
  readonly profile: string;
  readonly stored: StoredProfile | undefined;
}): string {
  const brokers = stored?.options.entries.get('brokers')?.value;
  return `"${profile}"${brokers === undefined ? '' : ` (${showValue('brokers', brokers)})`}`;
}
