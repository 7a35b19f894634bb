import { command, one } from '../../cli/command.ts';
import { showValue } from '../../config/options.ts';
import { removeProfile } from '../../config/profile/edit.ts';
import type { StoredProfile } from '../../config/profile/file.ts';
import { outcome, outcomeSchema, outcomeText } from './outcome.ts';
import { profileName } from './profile-name.ts';
import { changeStored, missingProfile, readStored, targetProfile } from './stored.ts';

/** `profile delete` */
export const deleteCommand = command({
  summary: 'Delete a profile',
  description: 'If the profile is selected, no profile is selected afterward.',
  examples: [
    ['A profile', 'profile delete test'],
    ['Without a prompt', 'profile delete test --yes'],
  ],
  args: { name: one(profileName, 'NAME', 'profile to delete') },
  changes: 'destroys',
  namesAll: true,
  async confirm(context, { name }) {
    const profile = await targetProfile(context, await readStored(context), name);
    return { question: `Delete the profile "${name}"${brokersOf(profile)}`, name, protected: profile.protected };
  },
  async run(context, { name, dryRun }) {
    const file = await changeStored(context, dryRun, async (stored) => {
      if (!stored.profiles.some((profile) => profile.name === name)) throw await missingProfile(name, stored);
      return await removeProfile(stored, name);
    });
    if (file.current === undefined && !dryRun)
      context.notice('no profile is selected; select one with: weir profile use NAME');
    return outcome(file, name, 'deleted', dryRun);
  },
  output: { schema: outcomeSchema, text: outcomeText },
});

/** The brokers of a profile in parentheses; empty without any. */
function brokersOf({ options }: StoredProfile): string {
  const brokers = options.entries.get('brokers')?.value;
  return brokers === undefined ? '' : ` (${showValue('brokers', brokers)})`;
}
