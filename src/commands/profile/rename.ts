import { command, one } from '../../cli/command.ts';
import { object, type Schema, string } from '../../cli/output/schema.ts';
import { setField } from '../../config/profile/edit.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { printable } from '../../format/printable.ts';
import { text } from '../../kinds.ts';
import { outcome, outcomeProperties, outcomeText } from './outcome.ts';
import { changeStored, targetProfile } from './stored.ts';

const renameSchema: Schema = object({ ...outcomeProperties, previous_name: string }, ['dry_run']);

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
  output: {
    schema: renameSchema,
    text(row) {
      if (row.current === row.profile) return outcomeText(row);
      const [old, name] = [printable(row.previous_name), printable(row.profile)];
      return `${row.dry_run ? 'Would rename' : 'Renamed'} profile "${old}" to "${name}".\n`;
    },
  },
});
