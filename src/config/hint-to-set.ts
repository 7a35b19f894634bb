import { commandText } from '../format/shell-word.ts';
import type { Config } from './config.ts';
import { envName, type SecretKey } from './options.ts';

/** The hint for a user, or a secret, that is missing. */
export function hintToSet({ profile }: Pick<Config, 'profile'>, key: SecretKey | 'user'): string {
  const isUser = key === 'user';
  if (profile?.isAlone) {
    const words = commandText`weir profile set --profile ${profile.name} ${isUser ? 'user=TEXT' : key}`;
    return `flags and variables are not about the profile "${profile.name}": set ${key} in it with: ${words}`;
  }
  if (isUser) return `set it with -X user=TEXT, ${envName(key)}, or in the profile`;
  return `set ${envName(key)}, or store it in the profile with: weir profile set ${key}`;
}
