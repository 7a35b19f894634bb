import { toggle } from '../../cli/command.ts';
import { getCommand } from '../../cli/forms/read.ts';
import { warnOfUnknownVariables } from '../../config/sources/environment.ts';
import { maybe, row, string } from '../../shape/shape.ts';
import { readStored, targetProfile } from './profile-file.ts';

/** `profile current` */
export const current = getCommand({
  summary: 'Print the name of the profile in use',
  description: 'Prints an empty line when no profile is in use.',
  examples: [
    ['The profile that commands use', 'profile current'],
    ['For a script', 'profile current --no-newline'],
  ],
  flags: { noNewline: toggle({ short: 'n', help: 'print no newline after the name' }) },
  row: row({ name: maybe(string) }),
  async read(context) {
    for (const warning of await warnOfUnknownVariables(context.host.env)) context.warn(warning);
    const file = await readStored(context);
    const isNamed = context.profileSelection().profile !== undefined || file?.current !== undefined;
    return { name: isNamed ? (await targetProfile(context, file)).name : null };
  },
  text: ({ name }, _view, { noNewline }) => `${name ?? ''}${noNewline ? '' : '\n'}`,
});
