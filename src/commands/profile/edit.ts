import { command, optional } from '../../cli/command.ts';
import { outcomeFields, outcomeOf } from '../../cli/forms/outcome.ts';
import { joinErrors } from '../../config/layer.ts';
import { replaceProfile, setCurrent, textOfProfile } from '../../config/profile/edit.ts';
import { type ProfileFile, parseProfile } from '../../config/profile/file.ts';
import { noSuchProfile } from '../../config/profile/no-profile.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, stoppedError } from '../../errors.ts';
import { row } from '../../shape/shape.ts';
import { discardDraft, editText, keepingDraft, keptHint } from './editor.ts';
import { ChangedProfile, updatedText } from './outcome.ts';
import { readStored, rejectTakenName, targetProfile, tryEdit, writeEdit } from './profile-file.ts';
import { profileName } from './profile-name.ts';

/** `profile edit` */
export const edit = command({
  summary: 'Edit a profile in an editor',
  description: `Opens the profile in $VISUAL or $EDITOR, which may have arguments. The text is checked before it is
saved. If it is invalid, nothing is saved, and the error names the file that keeps the edited text.`,
  examples: [
    ['The profile in use', 'profile edit'],
    ['Another profile', 'profile edit prod'],
  ],
  args: { name: optional(profileName, 'NAME', 'profile to edit (default: the one in use)') },
  changes: 'alters',
  result: row({ ...ChangedProfile.fields, ...outcomeFields }),
  async run(context, { name, dryRun }) {
    const file = await readStored(context);
    const old = (await targetProfile(context, file, name)).name;
    const before = await textOf(file, old);
    const { draft, text: after } = await editText(context, before, form);
    const isChanged = after.trim() !== '' && after !== before;
    context.onInterrupt(isChanged ? stoppedError('stopped before the text was saved', [keptHint(draft)]) : undefined);
    const saved = isChanged
      ? await keepingDraft(context, draft, () => save(context, dryRun, { draft, old, before, after }))
      : { profile: old, current: file?.current?.name ?? null, file: file?.path ?? '' };
    context.onInterrupt(undefined);
    await discardDraft(draft);
    return { ...saved, ...outcomeOf({ status: isChanged ? undefined : 'NOT_NEEDED' }, dryRun) };
  },
  show: { text: (row) => updatedText([row]) },
});

const form = { fileName: 'profile.yaml', withoutEditor: 'use: weir profile set KEY=VALUE' };

interface Edited {
  readonly draft: string;
  readonly old: string;
  readonly before: string;
  readonly after: string;
}

async function save(context: Context, dryRun: boolean, { draft, old, before, after }: Edited): Promise<ChangedProfile> {
  const { profile, errors } = await parseProfile(draft, after);
  if (profile === undefined || errors.length > 0) throw joinErrors(errors);
  const { name } = profile;
  const { checkProfileName } = await import('../../config/sources/assignments.ts');
  if (name !== old) checkProfileName(name);
  const edit = async (stored: ProfileFile) => {
    if ((await textOf(stored, old)) !== before)
      throw new CliError(
        exitCodes.conflict,
        `unable to save profile "${old}": another program has changed it in the meantime`,
      );
    if (name !== old) rejectTakenName(stored, name);
    const replaced = await replaceProfile(stored, old, after);
    return stored.current?.name === old ? await setCurrent(replaced, name) : replaced;
  };
  const file = dryRun ? (await tryEdit(context, edit)).after : await writeEdit(context, edit);
  return { profile: name, current: file.current?.name ?? null, file: file.path };
}

async function textOf(file: ProfileFile | undefined, name: string): Promise<string> {
  const profile = file?.profiles.find((stored) => stored.name === name);
  if (file === undefined || profile === undefined) throw await noSuchProfile({ name }, file);
  return textOfProfile(file, profile);
}
