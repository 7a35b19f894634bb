import { CliError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { excerpt } from '../../format/excerpt.ts';
import { boolean } from '../../kinds.ts';
import { configError, invalidValue, joinErrors, unknownOption } from '../layer.ts';
import { type OptionKey, optionOf } from '../options.ts';
import { fileValue } from '../profile/edit.ts';
import { renderPrompt } from '../profile/prompt-format.ts';
import { rpkPaths, type SettingKey, settingKeyOf } from '../rpk-paths.ts';
import { otherKeys } from '../settings/secret-rule.ts';
import { holdsSecretSetting, twoSettings } from '../settings/two-settings.ts';
import type { FileValue } from '../yaml/edit.ts';
import { splitWord } from './flags.ts';

/** The parsed assignments of `--set` and `profile set`. */
export interface Assignments {
  readonly options: ReadonlyMap<OptionKey, FileValue>;
  readonly description: string | undefined;
  readonly protected: boolean | undefined;
}

interface Draft {
  readonly before: Assignments['options'];
  readonly options: Map<OptionKey, FileValue>;
  readonly errors: CliError[];
  description: string | undefined;
  protected: boolean | undefined;
}

/**
 * Parses `key=value` words for a profile: options, and the profile's own `description`, `protected` and `prompt`. Options
 * can also be named by their paths in rpk's files. Values are taken literally, except that a list may be in brackets.
 * @param before the profile's options, for the assignment of one item of a list
 * @throws CliError with all errors
 */
export async function readAssignments(
  words: readonly string[],
  origin: string,
  before: Assignments['options'],
): Promise<Assignments> {
  const draft: Draft = { before, options: new Map(), errors: [], description: undefined, protected: undefined };
  for (const word of words) {
    const pair = splitWord(word);
    if (pair === undefined) draft.errors.push(formError(word, origin));
    else await assign(draft, pair.key.toLowerCase(), pair.value, origin);
  }
  if (draft.errors.length > 0) throw joinErrors(draft.errors);
  return draft;
}

async function assign(draft: Draft, name: string, text: string, origin: string): Promise<void> {
  const setting = settingKeyOf(name);
  if (name === 'description') draft.description = text;
  else if (name === 'protected') assignProtected(draft, text, origin);
  else if (name === 'name') draft.errors.push(nameError());
  else if (setting === undefined) draft.errors.push(sectionError(name, origin) ?? (await unknownOption(name, origin)));
  else if (holdsSecretSetting(setting.key, text)) draft.errors.push(twoSettings(setting.key, `in ${origin}`));
  else if (doubleIn(draft, setting.key) !== undefined)
    draft.errors.push(
      configError(`${doubleIn(draft, setting.key)} and ${setting.key} in ${origin} exclude each other`, {
        target: setting.key,
        hints: ['keep one of them'],
      }),
    );
  else {
    try {
      draft.options.set(setting.key, settingValue(draft, setting, text));
    } catch (error) {
      draft.errors.push(error instanceof CliError ? error : invalidValue(setting.key, error, origin, text));
    }
  }
}

/** The key that gives the same secret its value in another way. */
function doubleIn({ options }: Draft, key: OptionKey): OptionKey | undefined {
  return otherKeys(key).find((other) => options.has(other));
}

/** @throws Error with the reason */
function settingValue({ before, options }: Draft, { key, index }: SettingKey, text: string): FileValue {
  if (key === 'globals.prompt') renderPrompt(text, '', { color: false });
  if (optionOf(key).kind.parseItems === undefined) {
    if (index !== undefined) throw new Error('it is not a list');
    return fileValue(key, text);
  }
  if (index === undefined) return fileValue(key, withoutBrackets(text));
  const old = options.get(key) ?? before.get(key) ?? [];
  const items = Array.isArray(old) ? old.map(String) : [];
  if (text.includes(',')) throw new Error('one item is one address');
  if (index > items.length)
    throw new Error(`the list has only ${count(items.length, 'item')}; the next is [${items.length}]`);
  return fileValue(key, items.toSpliced(index, 1, text).join(','));
}

/** The items of a list in the brackets and quotes of YAML, as in `[a:9092, "b:9092"]`; an IPv6 address stays. */
function withoutBrackets(text: string): string {
  const [, inner] = /^\s*\[(.*)\]\s*$/s.exec(text) ?? [];
  if (inner === undefined || /^[\da-f]*:[\da-f.]*:[\da-f:.%]*(?:\]|$)/i.test(inner)) return text;
  return inner
    .split(',')
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join(',');
}

/** The error for a section of rpk's files, which is not an option; undefined for another name. */
function sectionError(name: string, origin: string): CliError | undefined {
  const paths = [...rpkPaths.keys()].filter((path) => path.startsWith(`${name}.`));
  if (paths.length === 0) return undefined;
  return configError(`unable to set the section "${name}" in ${origin}`, {
    target: name,
    hints: [`set or unset its options one by one: ${paths.slice(0, 4).join(', ')}`],
  });
}

function assignProtected(draft: Draft, text: string, origin: string): void {
  try {
    draft.protected = boolean.parse(text);
  } catch {
    draft.errors.push(
      configError(`invalid boolean "${excerpt(text)}" for protected in ${origin}: use true or false`, {
        target: 'protected',
      }),
    );
  }
}

function nameError(): CliError {
  return configError('unable to set the name of a profile like an option', {
    target: 'name',
    hints: ['rename the profile with: weir profile rename-to NAME'],
  });
}

function formError(word: string, origin: string): CliError {
  const known = settingKeyOf(word)?.key;
  const key = known ?? 'tls.enabled';
  const { example, secret } = optionOf(key);
  // Another word may be a secret.
  const fault = `invalid KEY=VALUE in ${origin}: there is no "=", or no key before it`;
  return configError(known === undefined ? fault : `missing value of ${known}`, {
    target: origin,
    hints: [`write it like this: ${key}=${secret ? 'VALUE' : example}`, 'see all keys with: weir -X list'],
  });
}

const maxNameLength = 100;

/**
 * Rejects profile names that cause problems in a shell, a terminal or a file.
 * @throws CliError with the reason
 */
export function checkProfileName(name: string): void {
  const fault =
    (name.trim() === '' && 'it is empty') ||
    (name !== name.trim() && 'it begins or ends with a space') ||
    (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) && 'it contains control characters') ||
    (name.startsWith('-') && 'it begins with a dash') ||
    (name.length > maxNameLength && `it is longer than ${maxNameLength} characters`);
  if (fault) throw configError(`invalid profile name: ${fault}`, { target: 'NAME' });
}
