import { many } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { unknownOption } from '../../config/layer.ts';
import { optionKey } from '../../config/option-key.ts';
import { unsetField, unsetOption } from '../../config/profile/edit.ts';
import type { ProfileFile } from '../../config/profile/file.ts';
import { settingKeyOf } from '../../config/rpk-paths.ts';
import { usageError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import type { Kind } from '../../kinds.ts';
import { applyEdit, ChangedSettings, planEdit, updatedText } from './outcome.ts';
import { readStored, targetProfile } from './profile-file.ts';

/** What `profile set` takes. */
const settingKey: Kind<string> = { ...optionKey, choices: [...(optionKey.choices ?? []), 'description', 'protected'] };

/** `profile unset` */
export const unset = change({
  summary: 'Remove options from a profile',
  description: `Removes what profile set sets: options, "description" and "protected". What the profile does not set is ignored. Keys in
the profile that weir does not know are removed, too.`,
  examples: [
    ['The password of the profile in use', 'profile unset pass'],
    ['The certificate and key of mTLS, of another profile', 'profile unset tls.cert tls.key --profile prod'],
  ],
  args: { keys: many(settingKey, 'KEY', 'options to remove') },
  changes: 'alters',
  noun: 'profile',
  isOne: true,
  item: ChangedSettings,
  async plan(context, { keys }) {
    const { name } = await targetProfile(context, await readStored(context));
    const edit = async (stored: ProfileFile) => {
      let file = stored;
      for (const word of keys) file = await without(file, name, word);
      return file;
    };
    return [await planEdit(context, name, edit)];
  },
  applyEach: applyEdit,
  text: updatedText,
});

/** The file without one setting of a profile. @throws CliError (exit 2) for a key that is neither known nor there */
async function without(file: ProfileFile, name: string, word: string): Promise<ProfileFile> {
  const lower = word.toLowerCase();
  if (lower === 'description' || lower === 'protected') return await unsetField(file, name, lower);
  const setting = settingKeyOf(word);
  if (setting?.index !== undefined)
    throw usageError(`unable to unset one item of ${setting.key}`, {
      hints: ['set the whole list with: weir profile set'],
    });
  const rest = await unsetOption(file, name, setting?.key ?? word);
  if (rest === undefined && setting === undefined) throw await unknownOption(excerpt(word), 'the arguments');
  return rest ?? file;
}
