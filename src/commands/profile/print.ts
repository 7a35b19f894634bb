import { optional, partlyShown, toggle } from '../../cli/command.ts';
import { fileValueOf, profileLines } from '../../config/profile/edit.ts';
import type { ProfileFile, StoredProfile } from '../../config/profile/file.ts';
import { maskedText } from '../../config/settings/provenance.ts';
import { readStored, targetProfile } from './profile-file.ts';
import { profileName } from './profile-name.ts';
import { Profile, profileRow } from './profile-row.ts';

/** A profile, and its lines in the file. */
interface PrintedProfile {
  readonly row: Profile;
  readonly yaml: string;
}

/** `profile print` */
export const print = partlyShown({
  summary: 'Print a profile as it is stored',
  description: 'To see what commands use, including all other sources, run: weir config show',
  examples: [
    ['The profile in use', 'profile print'],
    ['Another profile, with its password', 'profile print prod --show-secrets'],
  ],
  args: { name: optional(profileName, 'NAME', 'profile to print (default: the one in use)') },
  flags: { showSecrets: toggle({ help: 'print passwords and client secrets in clear text' }) },
  changes: 'reads',
  result: Profile,
  async run(context, { name, showSecrets }): Promise<PrintedProfile> {
    const file = await readStored(context);
    const profile = await targetProfile(context, file, name);
    for (const error of profile.faults) context.warn(error.message);
    const row = profileRow(profile, showSecrets);
    return { row, yaml: file === undefined ? '' : yamlOf(file, profile, showSecrets) };
  },
  show: { json: ({ row }) => row, text: ({ yaml }) => yaml },
});

function yamlOf(file: ProfileFile, profile: StoredProfile, secrets: boolean): string {
  const options = [...profile.options.entries].map(([key, { value }]) => {
    const shown = (secrets ? undefined : maskedText(key, value)) ?? fileValueOf(key, value);
    return [key, shown] as const;
  });
  return `${profileLines(file, { ...profile, options: new Map(options) }).join('\n')}\n`;
}
