import { inQuotes } from '../../format/excerpt.ts';
import { printable } from '../../format/printable.ts';
import { type Config, type Setting, type Sourced, sources } from '../config.ts';
import { unknownOption } from '../layer.ts';
import { jsonValue, type OptionKey, optionKeys, optionOf, secretPartOf } from '../options.ts';
import type { Layer, SettingRow, ValueRow } from './setting-rows.ts';

/** The text shown in place of a secret. */
export const hiddenSecret = '[hidden]';

/**
 * The text in place of a value that is a secret, or has one in it, such as the password in the URL of a proxy; undefined if
 * it has none.
 */
export function maskedText(key: OptionKey, value: unknown): string | undefined {
  const { secret, kind } = optionOf(key);
  if (value === '') return undefined;
  return secret ? hiddenSecret : kind.masked?.(value, hiddenSecret);
}

/** A value for JSON output; a secret is hidden unless `secrets` is true. */
export function shownValue(key: OptionKey, value: unknown, secrets: boolean): unknown {
  return (secrets ? undefined : maskedText(key, value)) ?? jsonValue(key, value);
}

const places = { command: 'the command', file: 'the file', keychain: 'the keychain entry' } as const;

/** Says in a sentence where the value of a setting is: the source, or what the source names. */
export function placeOf({ from, origin }: Sourced<unknown>): string {
  return from === undefined ? origin : `${places[from.way]} "${printable(from.text)}" (${origin})`;
}

/** Converts a setting to a row of `config show`; it says where a secret is instead of looking there. */
export function settingRow({ key, overrides, ...current }: Setting<unknown>, secrets: boolean): SettingRow {
  const shown = ({ value, from }: Sourced<unknown>): unknown =>
    from === undefined ? shownValue(key, value, secrets) : `[from ${from.way} ${inQuotes(printable(from.text))}]`;
  const row = (given: Sourced<unknown>): ValueRow => {
    const { source, origin } = given;
    return { value: shown(given), source, origin };
  };
  return { key, ...row(current), overrides: overrides.map(row) };
}

/**
 * Selects settings by key, or by the first parts of keys (`admin.tls`); without words, returns all settings.
 * @throws CliError if a word matches no key
 */
export async function selectSettings(config: Config, words: readonly string[]): Promise<readonly Setting<unknown>[]> {
  if (words.length === 0) return config.settings;
  const chosen = new Set<OptionKey>();
  for (const word of words) {
    const name = word.toLowerCase();
    const keys = optionKeys.filter((key) => key === name || key.startsWith(`${name}.`));
    if (keys.length === 0) throw await unknownOption(word, 'the arguments');
    // The way to give a secret its value is shown with the secret.
    for (const key of keys) chosen.add(secretPartOf(key)?.key ?? key);
  }
  return config.settings.filter(({ key }) => chosen.has(key));
}

/** The five sources of an option, highest first; a source that sets it twice has two rows. */
export function layerRows({ value, source, origin, overrides }: SettingRow): readonly Layer[] {
  const given = [{ value, source, origin }, ...overrides];
  return sources.flatMap((layer): readonly Layer[] => {
    const here = given.filter((item) => item.source === layer);
    if (here.length === 0) return [{ source: layer, given: false, value: null, origin: null, in_use: false }];
    return here.map((item) => ({ ...item, given: true, in_use: item === given[0] }));
  });
}
