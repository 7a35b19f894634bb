import { command, many } from '../../cli/command.ts';
import { showValue } from '../../config/options.ts';
import { removeProfile } from '../../config/profile/edit.ts';
import type { StoredProfile } from '../../config/profile/file.ts';
import { count } from '../../format/count.ts';
import { listOf } from '../../shape/shape.ts';
import { type Outcome, outcome, outcomeRow, outcomeText } from './outcome.ts';
import { profileName } from './profile-name.ts';
import { changeStored, missingProfile, readStored, targetProfile } from './stored.ts';

/** `profile delete` */
export const deleteCommand = command({
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
  result: listOf(outcomeRow),
  namesAll: true,
  async confirm(context, { names }) {
    const file = await readStored(context);
    const profiles = await Promise.all([...new Set(names)].map((name) => targetProfile(context, file, name)));
    const all = profiles.map((profile) => `"${profile.name}"${brokersOf(profile)}`).join(', ');
    const [first] = profiles;
    return {
      question: `Delete the ${profiles.length === 1 ? 'profile' : 'profiles'} ${all}`,
      name: first === undefined || profiles.length > 1 ? count(profiles.length, 'profile') : first.name,
      protected: profiles.some((profile) => profile.protected),
    };
  },
  async run(context, { names, dryRun }): Promise<readonly Outcome[]> {
    const wanted = [...new Set(names)];
    let isSelected = false;
    const file = await changeStored(context, dryRun, async (stored) => {
      isSelected = wanted.some((name) => name === stored.current?.name);
      let rest = stored;
      for (const name of wanted) {
        if (!rest.profiles.some((profile) => profile.name === name)) throw await missingProfile(name, rest);
        rest = await removeProfile(rest, name);
      }
      return rest;
    });
    if (isSelected && !dryRun) context.noticeAfter('no profile is selected; select one with: weir profile use NAME');
    return wanted.map((name) => outcome(file, name, 'deleted', dryRun));
  },
  show: { text: (rows) => rows.map(outcomeText).join('') },
});

/** The brokers of a profile in parentheses; empty without any. */
function brokersOf({ options }: StoredProfile): string {
  const brokers = options.entries.get('brokers')?.value;
  return brokers === undefined ? '' : ` (${showValue('brokers', brokers)})`;
}
