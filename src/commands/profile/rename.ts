import { command, one, optional } from '../../cli/command.ts';
import { setField } from '../../config/profile/edit.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import { text } from '../../kinds.ts';
import { row, string } from '../../shape/shape.ts';
import { outcome, outcomeRow, outcomeText } from './outcome.ts';
import { profileName } from './profile-name.ts';
import { changeStored, targetProfile } from './stored.ts';

/** `profile rename-to` */
export const rename = command({
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
  result: row({ ...outcomeRow.fields, previous_name: string }),
  async run(context, { first, second, dryRun }) {
    const name = second ?? first;
    const { checkProfileName } = await import('../../config/sources/assignments.ts');
    checkProfileName(name);
    let old = name;
    const file = await changeStored(context, dryRun, async (stored) => {
      old = (await targetProfile(context, stored, second === undefined ? undefined : first)).name;
      if (old === name) return stored;
      if (stored.profiles.some((profile) => profile.name === name)) {
        throw new CliError(exitCodes.conflict, `profile "${name}" already exists`, {
          code: 'PROFILE_EXISTS',
          target: name,
        });
      }
      return await setField(stored, old, ['name', name]);
    });
    return { ...outcome(file, name, 'renamed', dryRun), previous_name: old };
  },
  show: {
    text(renamed) {
      if (renamed.current === renamed.profile) return outcomeText(renamed);
      const [old, name] = [printable(renamed.previous_name), printable(renamed.profile)];
      return `${renamed.dry_run ? 'Would rename' : 'Renamed'} profile "${old}" to "${name}".\n`;
    },
  },
});
