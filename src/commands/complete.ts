import { command, one } from '../cli/command.ts';
import { arrayOf, string } from '../cli/output/schema.ts';
import type { Context } from '../context.ts';
import { oneOf } from '../kinds.ts';

const subjects = oneOf('subject', ['profiles']);

/** `weir __complete`: candidates for completion scripts. It never fails and never writes to stderr. */
export const complete = command({
  summary: 'Print candidates for a completion script',
  hidden: true,
  examples: [
    ['Names of the profiles', '__complete profiles'],
    ['The same as data', '__complete profiles --format json'],
  ],
  args: { subject: one(subjects, 'SUBJECT') },
  changes: 'reads',
  run: (context) => profileNames(context),
  output: { schema: arrayOf(string), text: (names) => names.map((name) => `${name}\n`).join('') },
});

async function profileNames(context: Context): Promise<readonly string[]> {
  try {
    return (await (await context.profiles()).names()).names;
  } catch {
    return []; // a broken file has no candidates; the next command reports what is wrong
  }
}
