import { command, many } from '../../cli/command.ts';
import { optionKey } from '../../config/option-key.ts';
import { isOptionKey } from '../../config/options.ts';
import { unsetOption } from '../../config/profile/edit.ts';
import { unknownOption } from '../../config/resolve/layer.ts';
import { excerpt } from '../../format/excerpt.ts';
import { outcome, outcomeSchema, outcomeText } from './outcome.ts';
import { changeStored, targetProfile } from './stored.ts';

/** `profile unset` */
export const unset = command({
  summary: 'Remove options from a profile',
  description:
    'Options that the profile does not set are ignored. Keys in the profile that weir does not know are removed, too.',
  examples: [
    ['The password of the profile in use', 'profile unset pass'],
    ['The certificate and key of mTLS, of another profile', 'profile unset tls.cert tls.key --profile prod'],
  ],
  args: { keys: many(optionKey, 'KEY', 'options to remove') },
  changes: 'alters',
  async run(context, { keys, dryRun }) {
    let name = '';
    const file = await changeStored(context, dryRun, async (stored) => {
      name = (await targetProfile(context, stored)).name;
      let changed = stored;
      for (const word of keys) {
        const key = isOptionKey(word.toLowerCase()) ? word.toLowerCase() : word;
        const without = await unsetOption(changed, name, key);
        if (without === undefined && !isOptionKey(key)) throw await unknownOption(excerpt(word), 'the arguments');
        changed = without ?? changed;
      }
      return changed;
    });
    return outcome(file, name, 'updated', dryRun);
  },
  output: { schema: outcomeSchema, text: outcomeText },
});
