import { command, one } from '../../cli/command.ts';
import { setField } from '../../config/profile/edit.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import { text } from '../../kinds.ts';
import { row, string } from '../../shape/shape.ts';
import { outcome, outcomeRow, outcomeText } from './outcome.ts';
import { changeStored, targetProfile } from './stored.ts';

/** `profile rename-to` */
export const rename = command({
  summary: 'Rename a profile',
  description: 'Renames the profile in use, or the one given with --profile. A selected profile stays selected.',
  examples: [
    ['The profile in use', 'profile rename-to production'],
    ['Another profile', 'profile rename-to staging --profile test'],
  ],
  aliases: ['rename'],
  args: { name: one(text, 'NAME', 'new name of the profile') },
  changes: 'alters',
  result: row({ ...outcomeRow.fields, previous_name: string }),
  async run(context, { name, dryRun }) {
    const { checkProfileName } = await import('../../config/sources/assignments.ts');
    checkProfileName(name);
    let old = name;
    const file = await changeStored(context, dryRun, async (stored) => {
      old = (await targetProfile(context, stored)).name;
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
