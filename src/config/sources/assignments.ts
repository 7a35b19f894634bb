import type { CliError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { boolean } from '../../kinds.ts';
import { isOptionKey, type OptionKey, optionOf } from '../options.ts';
import { fileValue } from '../profile/edit.ts';
import { configError, invalidValue, joinErrors, unknownOption } from '../resolve/layer.ts';
import { holdsSecretSetting, twoSettings } from '../resolve/slips.ts';
import type { FileValue } from '../yaml/edit.ts';
import { splitWord } from './flags.ts';

/** The parsed assignments of `--set` and `profile set`. */
export interface Assignments {
  readonly options: ReadonlyMap<OptionKey, FileValue>;
  readonly description: string | undefined;
  readonly protected: boolean | undefined;
}

interface Draft {
  readonly options: Map<OptionKey, FileValue>;
  readonly errors: CliError[];
  description: string | undefined;
  protected: boolean | undefined;
}

/**
 * Parses `key=value` words for a profile: options, and the profile's own `description`, `protected` and `prompt`.
 * Values are taken literally.
 * @throws CliError with all errors
 */
export async function readAssignments(words: readonly string[], origin: string): Promise<Assignments> {
  const draft: Draft = { options: new Map(), errors: [], description: undefined, protected: undefined };
  for (const word of words) {
    const pair = splitWord(word);
    if (pair === undefined) draft.errors.push(formError(origin));
    else await assign(draft, pair.key.toLowerCase(), pair.value, origin);
  }
  if (draft.errors.length > 0) throw joinErrors(draft.errors);
  return draft;
}

async function assign(draft: Draft, name: string, text: string, origin: string): Promise<void> {
  const key = name === 'prompt' ? 'globals.prompt' : name;
  if (key === 'description') draft.description = text;
  else if (key === 'protected') assignProtected(draft, text, origin);
  else if (key === 'name') draft.errors.push(nameError());
  else if (!isOptionKey(key)) draft.errors.push(await unknownOption(name, origin));
  else if (!optionOf(key).secret && holdsSecretSetting(text)) draft.errors.push(twoSettings(key, `in ${origin}`));
  else {
    try {
      draft.options.set(key, fileValue(key, text));
    } catch (error) {
      draft.errors.push(invalidValue(key, error, origin, text));
    }
  }
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

function formError(origin: string): CliError {
  return configError(`invalid key=value in ${origin}: there is no "=", or no key before it`, {
    target: origin,
    hints: ['write it like this: tls.enabled=true', 'see all keys with: weir -X list'],
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
