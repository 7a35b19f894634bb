import { options } from '../options.ts';
import { configError } from './layer.ts';

/*
 * Slips of the keyboard that would show a secret, or keep it where nobody looks for it: `user pass=…`,
 * `user=alice,pass=…`. They are recognised by the key; the value is never repeated.
 */

const secretKeys = options.filter(({ secret }) => secret).map(({ key }) => key.replaceAll('.', '\\.'));
const secretKey = `(?:${[...secretKeys, 'password', 'client_secret'].join('|')})`;
const secretSetting = new RegExp(`(?:^|[\\s,;&])${secretKey}=`, 'i');
const anySetting = new RegExp(
  `^(?:${options.map(({ key }) => key.replaceAll('.', '\\.')).join('|')}|${secretKey})=`,
  'i',
);

/** Whether the value of an option that is not secret holds a setting of one that is. */
export function holdsSecretSetting(value: string): boolean {
  return value.includes('=') && secretSetting.test(value);
}

/** Whether a word that should be a value is a setting of its own. */
export function isSetting(word: string): boolean {
  return anySetting.test(word);
}

/** The error for two settings where one belongs; `place` says where. */
export function twoSettings(key: string, place: string) {
  return configError(`the value of ${key} ${place} looks like another setting`, {
    target: key,
    hints: [
      'did you mean two settings? Write each as a KEY=VALUE of its own',
      'keep a secret with: weir profile set pass',
    ],
  });
}
