import { existsSync } from 'node:fs';
import { flag, many, toggle } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { profileSettings } from '../../config/option-help.ts';
import { optionOf } from '../../config/options.ts';
import { setField, setOption, valuesOf, withAnchoredPaths } from '../../config/profile/edit.ts';
import type { ProfileFile } from '../../config/profile/file.ts';
import { noSuchProfile } from '../../config/profile/no-profile.ts';
import type { Assignments } from '../../config/sources/assignments.ts';
import type { Context } from '../../context.ts';
import { absolutePath } from '../../files/locations.ts';
import { printable } from '../../format/printable.ts';
import { type Kind, path, text } from '../../kinds.ts';
import { planSecrets } from './keychain.ts';
import { applyEdit, ChangedSettings, planEdit, updatedText } from './outcome.ts';
import { readStored, targetProfile } from './profile-file.ts';
import { withSecrets } from './secret-words.ts';

const assignment: Kind<string> = { ...text, name: 'option', hint: 'KEY=VALUE', offers: profileSettings() };

/** `profile set` */
export const set = change({
  summary: 'Set options of a profile',
  description: `Sets options of a profile, its description, or whether it is protected. KEY and VALUE may also be
two words. Paths of rpk's profiles work as keys, for example kafka_api.sasl.user. Nothing is written if one of the
options is invalid.

Do not put a secret on the command line, where other users and the shell's history can see it. The key alone (pass,
cloud.client_secret) prompts for the value; --stdin and --file read it, and --keychain keeps it in the system's
keychain. pass.command=COMMAND and pass.file=FILE look the secret up whenever it is needed.`,
  examples: [
    ['Two options of the profile in use', 'profile set tls.enabled=true globals.dial_timeout=5s'],
    ['One option of another profile', 'profile set --profile prod user=alice'],
    ['A password, with a prompt', 'profile set pass'],
    ['A password from a file', 'profile set pass --file password.txt'],
    ['A password in the keychain of the system', 'profile set pass --keychain'],
    ['A password that a program prints', "profile set 'pass.command=op read op://work/kafka/password'"],
  ],
  args: { words: many(assignment, 'KEY=VALUE', 'options to set; the key of a secret without a value prompts for it') },
  flags: {
    stdin: toggle({ help: 'read the value of KEY from standard input' }),
    file: flag(path, { help: 'read the value of KEY from a file' }),
    keychain: toggle({ help: 'store secrets in the keychain of the system, and only their place in the profile' }),
  },
  changes: 'alters',
  noun: 'profile',
  isOne: true,
  item: ChangedSettings,
  async plan(context, { words, stdin, file: from, keychain }) {
    const before = await readStored(context);
    const { name } = await targetProfile(context, before);
    const given = await withSecrets(context, words, { stdin, file: from, profile: name, pairs: true });
    const secrets = keychain ? await planSecrets(context, given, { before, profile: name }) : undefined;
    const complete = secrets?.words ?? given;
    const { readAssignments } = await import('../../config/sources/assignments.ts');
    const planned = await planEdit(context, name, async (file) => {
      const profile = file.profiles.find((stored) => stored.name === name);
      if (profile === undefined) throw await noSuchProfile({ name }, file);
      const assigned = await readAssignments(complete, 'the arguments', valuesOf(profile.options));
      const options = withAnchoredPaths(assigned.options, context.host);
      warnOfMissing(context, options);
      return await assign(file, name, { ...assigned, options });
    });
    // An entry of the keychain that the profile refers to already gets a new secret.
    return [{ ...planned, status: keychain ? undefined : planned.status, secrets }];
  },
  async applyEach(context, planned) {
    const undo = await planned.secrets?.store();
    return await applyEdit(context, planned).catch(async (error: unknown) => {
      await undo?.();
      throw error;
    });
  },
  text: updatedText,
});

/** Warns of files that are not there: they may come later. */
function warnOfMissing({ host, warnOnce }: Context, options: Assignments['options']): void {
  for (const [key, value] of options) {
    if (optionOf(key).kind !== path || typeof value !== 'string' || value === '') continue;
    if (!existsSync(absolutePath(host, value))) warnOnce(`${key}: there is no file ${printable(value)} yet`);
  }
}

async function assign(stored: ProfileFile, name: string, assigned: Assignments): Promise<ProfileFile> {
  let file = stored;
  if (assigned.description !== undefined) file = await setField(file, name, ['description', assigned.description]);
  if (assigned.protected !== undefined) file = await setField(file, name, ['protected', assigned.protected]);
  for (const option of assigned.options) file = await setOption(file, name, option);
  return file;
}
