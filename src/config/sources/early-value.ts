import { variable } from '../../files/locations.ts';
import { envName, type OptionKey, type OptionValue, optionOf } from '../options.ts';
import { splitWord } from './flags.ts';

/**
 * What `-X` words or else the environment give an option, before any file is read; undefined where they say nothing,
 * or something wrong, which resolving the configuration reports.
 */
export function earlyValue<K extends OptionKey>(
  key: K,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): OptionValue<K> | undefined {
  const pair = words.map(splitWord).findLast((one) => one?.key.toLowerCase() === key);
  const text = pair?.value ?? variable({ env }, envName(key));
  try {
    // The table's kind of `key` reads the key's own type.
    const value: unknown = text === undefined ? undefined : optionOf(key).kind.parse(text);
    return value as OptionValue<K> | undefined;
  } catch {
    return undefined;
  }
}
