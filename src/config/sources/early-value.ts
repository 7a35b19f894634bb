import { variable } from '../../files/locations.ts';
import { envName, type OptionKey, type OptionValue, optionOf } from '../options.ts';
import { splitWord } from './flags.ts';

/**
 * Returns an option's value from the `-X` words or the environment, before any file is read. Undefined if neither sets
 * it, or if the value is invalid; resolving the configuration reports that.
 */
export function earlyValue<K extends OptionKey>(
  key: K,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): OptionValue<K> | undefined {
  const pair = words.map(splitWord).findLast((one) => one?.key.toLowerCase() === key);
  const text = pair?.value ?? variable({ env }, envName(key));
  try {
    // The kind of this key returns the key's type.
    const value: unknown = text === undefined ? undefined : optionOf(key).kind.parse(text);
    return value as OptionValue<K> | undefined;
  } catch {
    return undefined;
  }
}

/** Where `earlyValue` finds a value, as the resolved configuration names it. */
export function earlyOrigin(key: OptionKey, words: readonly string[]): string {
  const isFlag = words.some((word) => splitWord(word)?.key.toLowerCase() === key);
  return isFlag ? `-X ${key}` : envName(key);
}
