import { configError } from '../layer.ts';
import { type OptionKey, options, secretKeys, secretPartOf } from '../options.ts';

/*
 * Typing mistakes that would reveal a secret or store it in the wrong option: `user pass=…`,
 * `user=alice,pass=…`. They are recognized by the key, and the value is never repeated.
 */

const secretKey = `(?:${[...secretKeys.map(pattern), 'password', 'client_secret'].join('|')})`;
const secretSetting = new RegExp(`(?:^|[\\s,;&])${secretKey}=`, 'i');
const anySetting = new RegExp(`^(?:${options.map(({ key }) => pattern(key)).join('|')}|${secretKey})=`, 'i');

function pattern(key: string): string {
  return key.replaceAll('.', '\\.');
}

/** Whether the value of an option contains the assignment of a secret option, which a secret or a command may. */
export function holdsSecretSetting(key: OptionKey, value: string): boolean {
  const part = secretPartOf(key);
  if (part !== undefined && (part.way === undefined || part.way === 'command')) return false;
  return value.includes('=') && secretSetting.test(value);
}

/** Whether a word that should be a value is an assignment itself. */
export function isSetting(word: string): boolean {
  return anySetting.test(word);
}

/** Creates the error for two assignments in one; `place` names the flag or command. */
export function twoSettings(key: string, place: string) {
  return configError(`the value of ${key} ${place} looks like another setting`, {
    target: key,
    hints: [
      'did you mean two settings? Write each as a separate KEY=VALUE',
      'store a secret with: weir profile set pass',
    ],
  });
}
