import type { CliError } from '../../errors.ts';
import { configError, newDraft, putText, type Reading, unknownOption } from '../layer.ts';
import { isOptionKey, type OptionApi, type OptionKey, optionOf } from '../options.ts';
import { settingKeyOf } from '../rpk-paths.ts';
import { maskedText } from '../settings/provenance.ts';
import { holdsSecretSetting, twoSettings } from '../settings/two-settings.ts';

/** A hidden flag from earlier clients that still works and sets the option that replaced it. */
export interface DeprecatedFlag {
  /** The long name without dashes. */
  readonly flag: string;
  readonly aliases: readonly string[];
  readonly key: OptionKey;
  /** Whether the flag means `true` without a value; `--flag=false` means false. */
  readonly isSwitch: boolean;
  /** Whether the flag can be repeated; the values form one list. */
  readonly repeats: boolean;
  /** The flag exists on the commands that use one of these APIs. */
  readonly apis: readonly OptionApi[];
  /** What to use instead; undefined means the option, on the command line. */
  readonly instead?: string;
}

/** One use of a deprecated flag on the command line. */
export interface DeprecatedUse {
  /** The name in the table, without dashes. */
  readonly flag: string;
  readonly value: string;
}

function deprecated(flag: string, key: OptionKey, more: Partial<DeprecatedFlag> = {}): DeprecatedFlag {
  return { flag, aliases: [], key, isSwitch: false, repeats: false, apis: optionOf(key).apis, ...more };
}

const unseen = ' (other users can see a command line)';

/** The deprecated flags, each with the option that replaced it. */
export const deprecatedFlags: readonly DeprecatedFlag[] = [
  deprecated('brokers', 'brokers', { repeats: true }),
  deprecated('user', 'user'),
  deprecated('password', 'pass', { instead: `the prompt, "weir profile set pass" or WEIR_PASS${unseen}` }),
  deprecated('sasl-mechanism', 'sasl.mechanism'),
  deprecated('tls-enabled', 'tls.enabled', { isSwitch: true }),
  deprecated('tls-truststore', 'tls.ca'),
  deprecated('tls-cert', 'tls.cert'),
  deprecated('tls-key', 'tls.key'),
  deprecated('api-urls', 'admin.hosts', { aliases: ['hosts', 'admin-url'], repeats: true }),
  deprecated('admin-api-tls-enabled', 'admin.tls.enabled', { isSwitch: true }),
  deprecated('admin-api-tls-truststore', 'admin.tls.ca'),
  deprecated('admin-api-tls-cert', 'admin.tls.cert'),
  deprecated('admin-api-tls-key', 'admin.tls.key'),
  deprecated('client-id', 'cloud.client_id'),
  deprecated('client-secret', 'cloud.client_secret', {
    instead: `the prompt of "weir cloud login", or its flag --client-secret-file FILE${unseen}`,
  }),
];

/** The warning for a deprecated flag. */
export function deprecationWarning(flag: DeprecatedFlag): string {
  return `--${flag.flag} is deprecated: use ${flag.instead ?? `-X ${flag.key}=VALUE`}`;
}

/** Reads `-X` words and deprecated flags as two layers; `-X` is the higher one. */
export async function readFlags(x: readonly string[], uses: readonly DeprecatedUse[]): Promise<readonly Reading[]> {
  return [await readOptionWords(x), readDeprecated(uses)];
}

/**
 * Parses `key=value` words: split at the first `=`, the key in any case, the value taken literally. The last value of
 * a key wins. Errors never repeat the word, because it may contain a secret.
 */
export async function readOptionWords(words: readonly string[], flag = '-X'): Promise<Reading> {
  const draft = newDraft('flag');
  for (const word of words) {
    const pair = splitWord(word);
    const key = pair?.key.toLowerCase() ?? '';
    if (pair === undefined) draft.errors.push(formError(word, flag));
    else if (!isOptionKey(key)) draft.errors.push(await unknownOption(pair.key, flag));
    else if (holdsSecretSetting(key, pair.value)) draft.errors.push(twoSettings(key, `in ${flag}`));
    else putText(draft, key, pair.value, `${flag} ${key}`);
  }
  return draft;
}

/** Splits `key=value` at the first `=`; undefined if there is none, or no key before it. */
export function splitWord(word: string): { key: string; value: string } | undefined {
  const at = word.indexOf('=');
  return at < 1 ? undefined : { key: word.slice(0, at), value: word.slice(at + 1) };
}

/** The secret options that `key=value` words give a value, which other users can see on the command line. */
export function visibleSecrets(words: readonly string[]): readonly OptionKey[] {
  const keys = words.flatMap((word) => {
    const { key = '', value = '' } = splitWord(word) ?? {};
    const setting = settingKeyOf(key);
    return setting !== undefined && maskedText(setting.key, value) !== undefined ? [setting.key] : [];
  });
  return [...new Set(keys)];
}

function formError(word: string, flag: string): CliError {
  const fault = word.startsWith('=') ? 'the key before "=" is empty' : 'there is no "="';
  return configError(`${flag} takes key=value: ${fault}`, {
    target: flag,
    hints: [`write it like this: ${flag} tls.enabled=true`, 'see all keys with: weir -X list'],
  });
}

/** Reads the deprecated flags; the values of a repeated flag form one list. */
function readDeprecated(uses: readonly DeprecatedUse[]): Reading {
  const texts = new Map<DeprecatedFlag, string>();
  for (const { flag: name, value } of uses) {
    const flag = deprecatedFlags.find((candidate) => candidate.flag === name || candidate.aliases.includes(name));
    if (flag === undefined) throw new Error(`no deprecated flag --${name}`);
    const before = texts.get(flag);
    texts.set(flag, flag.repeats && before !== undefined ? `${before},${value}` : value);
  }
  const draft = newDraft('flag');
  for (const [flag, text] of texts) putText(draft, flag.key, text, `--${flag.flag}`);
  return draft;
}
