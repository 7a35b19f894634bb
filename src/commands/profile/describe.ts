import { command, optional, toggle } from '../../cli/command.ts';
import { booleanSchema, object, string } from '../../cli/output/schema.ts';
import { pairs, table } from '../../format/table.ts';
import { profileName } from './profile-name.ts';
import { profileRow, profileRowProperties } from './profile-row.ts';
import { readStored, targetProfile } from './stored.ts';

/** `profile describe` */
export const describe = command({
  summary: 'Describe a profile: its purpose, place and options',
  examples: [
    ['The profile in use', 'profile describe'],
    ['Another profile', 'profile describe prod'],
  ],
  args: { name: optional(profileName, 'NAME', 'profile to describe (default: the one in use)') },
  flags: { showSecrets: toggle({ help: 'show passwords and client secrets in clear text' }) },
  changes: 'reads',
  async run(context, { name, showSecrets }) {
    const file = await readStored(context);
    const profile = await targetProfile(context, file, name);
    for (const error of profile.options.errors) context.warn(error.message);
    return {
      ...profileRow(profile, showSecrets),
      selected: file?.current?.name === profile.name,
      place: `${file?.path}:${profile.line}`,
    };
  },
  output: {
    schema: object({ ...profileRowProperties, selected: booleanSchema, place: string }),
    text(row, view) {
      const head = pairs(
        [
          ['NAME', row.name],
          ['DESCRIPTION', row.description],
          ['SELECTED', row.selected ? 'yes' : 'no'],
          ['PROTECTED', row.protected ? 'yes' : 'no'],
          ['PLACE', row.place],
        ],
        view,
      );
      const options = Object.entries(row.options).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.join(',') : String(value),
      ]);
      return options.length === 0 ? head : `${head}\n${table(['option', 'value'], options, view)}`;
    },
  },
});
