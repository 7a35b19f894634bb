import { one } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { setCurrent } from '../../config/profile/edit.ts';
import { faultyProfiles } from '../../config/profile/file.ts';
import { noSuchProfile } from '../../config/profile/no-profile.ts';
import { applyEdit, ChangedProfile, planEdit, sentences } from './outcome.ts';
import { readStored } from './profile-file.ts';
import { profileName } from './profile-name.ts';

/** `profile use` */
export const use = change({
  summary: 'Select a profile',
  examples: [
    ['Use the profile prod from now on', 'profile use prod'],
    ['The same in another file', 'profile use prod --config ./weir.yaml'],
  ],
  args: { name: one(profileName, 'NAME', 'profile to select') },
  changes: 'alters',
  noun: 'profile',
  isOne: true,
  item: ChangedProfile,
  async plan(context, { name }) {
    return [
      await planEdit(context, name, async (file) => {
        if (!file.profiles.some((profile) => profile.name === name)) throw await noSuchProfile({ name }, file);
        return await setCurrent(file, name);
      }),
    ];
  },
  applyEach: applyEdit,
  async after(context, _rows, { name }) {
    const profiles = (await readStored(context))?.profiles.filter((profile) => profile.name === name) ?? [];
    for (const line of faultyProfiles({ profiles })) context.warn(line);
    const selected = context.profileSelection().profile;
    if (selected?.origin === 'WEIR_PROFILE' && selected.name !== name)
      context.warn(`WEIR_PROFILE="${selected.name}" overrides the selected profile; unset it to use "${name}"`);
  },
  text: sentences('Set current profile to NAME.', 'Would set current profile to NAME.'),
});
