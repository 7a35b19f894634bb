import { command, many } from '../../cli/command.ts';
import { setField, setOption } from '../../config/profile/edit.ts';
import type { ProfileFile } from '../../config/profile/file.ts';
import { type Assignments, readAssignments } from '../../config/sources/assignments.ts';
import { type Kind, text } from '../../kinds.ts';
import { outcome, outcomeSchema, outcomeText } from './outcome.ts';
import { changeStored, targetProfile } from './stored.ts';

const assignment: Kind<string> = { ...text, name: 'option', hint: 'KEY=VALUE' };

/** `profile set` */
export const set = command({
  summary: 'Set options of a profile',
  description: `Values are taken literally; "description" and "protected" are set like options. Two words, KEY and
VALUE, are understood as well. Nothing is written when one of the options is wrong.`,
  examples: [
    ['Two options of the profile in use', 'profile set tls.enabled=true globals.dial_timeout=5s'],
    ['One option of another profile', 'profile set --profile prod user=alice'],
    ['A value of its own word', "profile set pass 'a=b c'"],
  ],
  args: { words: many(assignment, 'KEY=VALUE', 'options to set') },
  changes: 'alters',
  async run(context, { words, dryRun }) {
    const [first = '', second] = words;
    const isPair = words.length === 2 && second !== undefined && !first.includes('=');
    const assigned = await readAssignments(isPair ? [`${first}=${second}`] : words, 'the arguments');
    let name = '';
    const file = await changeStored(context, dryRun, async (stored) => {
      name = targetProfile(context, stored).name;
      return await assign(stored, name, assigned);
    });
    return outcome(file, name, 'updated', dryRun);
  },
  output: { schema: outcomeSchema, text: outcomeText },
});

async function assign(stored: ProfileFile, name: string, assigned: Assignments): Promise<ProfileFile> {
  let file = stored;
  if (assigned.description !== undefined) file = await setField(file, name, ['description', assigned.description]);
  if (assigned.protected !== undefined) file = await setField(file, name, ['protected', assigned.protected]);
  for (const option of assigned.options) file = await setOption(file, name, option);
  return file;
}
