import { command, one } from '../../cli/command.ts';
import { setCurrent } from '../../config/profile/edit.ts';
import { outcome, outcomeRow, outcomeText } from './outcome.ts';
import { profileName } from './profile-name.ts';
import { changeStored, missingProfile } from './stored.ts';

/** `profile use` */
export const use = command({
  summary: 'Select a profile',
  examples: [
    ['Use the profile prod from now on', 'profile use prod'],
    ['The same in another file', 'profile use prod --config ./weir.yaml'],
  ],
  args: { name: one(profileName, 'NAME', 'profile to select') },
  changes: 'alters',
  result: outcomeRow,
  async run(context, { name, dryRun }) {
    const file = await changeStored(context, dryRun, async (stored) => {
      if (!stored.profiles.some((profile) => profile.name === name)) throw await missingProfile(name, stored);
      return await setCurrent(stored, name);
    });
    const named = context.profileSelection().profile;
    if (named?.origin === 'WEIR_PROFILE' && named.name !== name) {
      context.warn(`WEIR_PROFILE="${named.name}" overrides the selected profile; unset it to use "${name}"`);
    }
    return outcome(file, name, 'selected', dryRun);
  },
  show: { text: outcomeText },
});
