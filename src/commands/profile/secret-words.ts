import { canHoldSecret, optionOf, secretPartOf } from '../../config/options.ts';
import { settingKeyOf } from '../../config/rpk-paths.ts';
import { isSetting, twoSettings } from '../../config/settings/two-settings.ts';
import { visibleSecrets } from '../../config/sources/flags.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { commandLine } from '../../kinds.ts';

/** Where the value of a key without one comes from, and for which profile. */
export interface SecretPlace {
  readonly stdin: boolean;
  readonly file: string | undefined;
  readonly profile: string;
  /** Whether two words may mean KEY and VALUE. */
  readonly pairs: boolean;
}

/**
 * The words as `KEY=VALUE`. The value of a secret without one is read from standard input, from a file or from the
 * terminal. Two words, KEY and VALUE, are one setting, unless the second looks like another setting.
 * @throws CliError (exit 2) for an apparent slip; its message never repeats a value
 */
export async function withSecrets(
  context: Context,
  words: readonly string[],
  place: SecretPlace,
): Promise<readonly string[]> {
  const [first = '', second] = words;
  if (place.stdin || place.file !== undefined) {
    if (words.length === 1 && !first.includes('=')) return [`${first}=${await secretOf(context, first, place)}`];
    throw usageError('--stdin and --file need exactly one KEY, without a value', {
      hints: ['use, for example: weir profile set pass --stdin'],
    });
  }
  const isPair = place.pairs && words.length === 2 && second !== undefined && !first.includes('=');
  if (isPair && !(isSecret(first) && isSetting(second))) {
    if (isSetting(second) || settingKeyOf(second) !== undefined) throw twoSettings(first, 'in the arguments');
    return warned(context, [`${first}=${second}`]);
  }
  rejectUnquoted(words);
  warned(context, words);
  const complete: string[] = [];
  for (const word of words) complete.push(isSecret(word) ? `${word}=${await secretOf(context, word, place)}` : word);
  return complete;
}

/** Rejects a command whose words the shell has split: `pass.command pass show x` would ask for `pass`. */
function rejectUnquoted(words: readonly string[]): void {
  for (const [at, next] of words.slice(1).entries()) {
    const key = settingKeyOf((words[at] ?? '').split('=', 1)[0] ?? '')?.key;
    if (key === undefined || optionOf(key).kind !== commandLine) continue;
    const other = settingKeyOf(next.split('=', 1)[0] ?? '')?.key;
    if (other !== undefined && secretPartOf(other)?.key !== secretPartOf(key)?.key) continue;
    throw usageError(`the value of ${key} is only one word, and the next is not a setting`, {
      target: key,
      hints: [`quote a command: weir profile set '${key}=PROGRAM ARGUMENT…'`],
    });
  }
}

/** Returns the words, with a warning of the secrets in them. */
function warned(context: Context, words: readonly string[]): readonly string[] {
  for (const key of visibleSecrets(words))
    context.warn(`other users of this machine can see ${key}: give the key alone, and weir prompts for the value`);
  return words;
}

function isSecret(word: string): boolean {
  const setting = settingKeyOf(word);
  return setting !== undefined && canHoldSecret(setting.key);
}

async function secretOf(context: Context, key: string, { stdin, file, profile, pairs }: SecretPlace): Promise<string> {
  const { readSecret } = await import('../../cli/secret.ts');
  return await readSecret(context, {
    what: `${key.toLowerCase()} of profile "${profile}"`,
    stdin,
    file,
    flags: { stdin: '--stdin', file: '--file' },
    // The flags are those of `profile set`.
    ...(!pairs && {
      advice: commandText`leave it out, and then: weir profile set --profile ${profile} ${key} --stdin (or --file FILE, --keychain)`,
    }),
  });
}
