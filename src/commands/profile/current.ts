import { command, toggle } from '../../cli/command.ts';
import { maybe, row, string } from '../../shape/shape.ts';
import { readStored, targetProfile } from './stored.ts';

/** `profile current` */
export const current = command({
  summary: 'Print the name of the profile in use',
  description: 'Prints an empty line when no profile is in use.',
  examples: [
    ['The profile that commands use', 'profile current'],
    ['For a script', 'profile current --no-newline'],
  ],
  flags: { noNewline: toggle({ short: 'n', help: 'print no newline after the name' }) },
  changes: 'reads',
  result: row({ name: maybe(string) }),
  async run(context) {
    const file = await readStored(context);
    const isNamed = context.profileSelection().profile !== undefined || file?.current !== undefined;
    return { name: isNamed ? (await targetProfile(context, file)).name : null };
  },
  show: { text: ({ name }, _view, { noNewline }) => `${name ?? ''}${noNewline ? '' : '\n'}` },
});
