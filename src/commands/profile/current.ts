import { command, toggle } from '../../cli/command.ts';
import { nullable, object, string } from '../../cli/output/schema.ts';
import { readStored, targetProfile } from './stored.ts';

interface Current {
  readonly name: string | null;
}

// The way a name is printed is not part of the result.
const withoutNewline = new WeakSet<Current>();

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
  async run(context, { noNewline }): Promise<Current> {
    const file = await readStored(context);
    const isNamed = context.profileSelection().profile !== undefined || file?.current !== undefined;
    const result: Current = { name: isNamed ? (await targetProfile(context, file)).name : null };
    if (noNewline) withoutNewline.add(result);
    return result;
  },
  output: {
    schema: object({ name: nullable(string) }),
    text: (result) => `${result.name ?? ''}${withoutNewline.has(result) ? '' : '\n'}`,
  },
});
