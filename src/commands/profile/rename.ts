import { one, optional } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { setField } from '../../config/profile/edit.ts';
import type { ProfileFile } from '../../config/profile/file.ts';
import { printable } from '../../format/printable.ts';
import { text } from '../../kinds.ts';
import { row, string } from '../../shape/shape.ts';
import { applyEdit, ChangedProfile, planEdit, sentences } from './outcome.ts';
import { readStored, rejectTakenName, targetProfile } from './profile-file.ts';
import { profileName } from './profile-name.ts';

/** `profile rename-to` */
export const rename = change({
  summary: 'Rename a profile',
  description:
    'With one name, renames the profile in use, or the one given with --profile. With two, renames the first to the second. A selected profile stays selected.',
  examples: [
    ['The profile in use', 'profile rename-to production'],
    ['Another profile', 'profile rename-to test staging'],
  ],
  aliases: ['rename'],
  args: {
    first: one(profileName, 'NAME', 'new name of the profile; with a second name, the profile to rename'),
    second: optional(text, 'NAME', 'new name of the first profile'),
  },
  changes: 'alters',
  noun: 'profile',
  isOne: true,
  item: row({ ...ChangedProfile.fields, previous_name: string }),
  async plan(context, { first, second }) {
    const name = second ?? first;
    const { checkProfileName } = await import('../../config/sources/assignments.ts');
    checkProfileName(name);
    const file = await readStored(context);
    const { name: old } = await targetProfile(context, file, second === undefined ? undefined : first);
    const edit = async (stored: ProfileFile) => {
      if (old === name) return stored;
      rejectTakenName(stored, name);
      return await setField(stored, old, ['name', name]);
    };
    return [{ ...(await planEdit(context, name, edit)), previous_name: old }];
  },
  applyEach: (context, planned) => applyEdit(context, planned),
  text(rows) {
    const [renamed] = rows;
    const isCurrent = renamed?.current === renamed?.profile;
    const what = isCurrent ? 'current profile' : `profile "${printable(renamed?.previous_name ?? '')}"`;
    return sentences(`Renamed ${what} to NAME.`, `Would rename ${what} to NAME.`)(rows);
  },
});
