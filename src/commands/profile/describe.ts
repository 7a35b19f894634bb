import { optional, toggle } from '../../cli/command.ts';
import { getCommand } from '../../cli/forms/read.ts';
import { pairs, table } from '../../format/table.ts';
import { row, string, truth } from '../../shape/shape.ts';
import { readStored, targetProfile } from './profile-file.ts';
import { profileName } from './profile-name.ts';
import { Profile, profileRow } from './profile-row.ts';

/** `profile describe` */
export const describe = getCommand({
  summary: 'Describe a profile: its purpose, place and options',
  examples: [
    ['The profile in use', 'profile describe'],
    ['Another profile', 'profile describe prod'],
  ],
  args: { name: optional(profileName, 'NAME', 'profile to describe (default: the one in use)') },
  flags: { showSecrets: toggle({ help: 'show passwords and client secrets in clear text' }) },
  row: row({ ...Profile.fields, selected: truth, place: string }),
  async read(context, { name, showSecrets }) {
    const file = await readStored(context);
    const profile = await targetProfile(context, file, name);
    for (const error of profile.faults) context.warn(error.message);
    return {
      ...profileRow(profile, showSecrets),
      selected: file?.current?.name === profile.name,
      place: `${file?.path}:${profile.line}`,
    };
  },
  text(described, view) {
    const head = pairs(
      [
        ['NAME', described.name],
        ['DESCRIPTION', described.description],
        ['SELECTED', described.selected ? 'yes' : 'no'],
        ['PROTECTED', described.protected ? 'yes' : 'no'],
        ['PLACE', described.place],
      ],
      view,
    );
    const options = Object.entries(described.options).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.join(',') : String(value),
    ]);
    return options.length === 0 ? head : `${head}\n${table(['option', 'value'], options, view)}`;
  },
});
