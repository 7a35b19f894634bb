import type { CliError } from '../../errors.ts';
import type { Setting, Sourced } from '../config.ts';
import { configError, type Layer } from '../layer.ts';
import { keysOfSecret, type OptionKey, type SecretKey, secretKeys, secretPartOf } from '../options.ts';

/*
 * A secret option has four keys: `pass` is the value itself; `pass.command`, `pass.file` and `pass.keychain` say where it
 * is. They are one setting: the highest source that gives any of them decides, and each source may give one.
 */

/** A value that a layer gives one of the keys of a secret option. */
interface SecretValue extends Sourced<unknown> {
  readonly key: OptionKey;
}

function givenIn({ source, entries }: Layer, key: SecretKey): readonly SecretValue[] {
  return keysOfSecret(key).flatMap((one) => {
    const entry = entries.get(one);
    return entry === undefined ? [] : [{ ...entry, key: one, source }];
  });
}

/** Replaces the settings of the secret options by those that follow from all of their keys. */
export function applySecretRule(settings: Map<OptionKey, Setting<unknown>>, layers: readonly Layer[]): void {
  for (const key of secretKeys) {
    const setting = settings.get(key);
    const [first, ...rest] = layers.flatMap((layer) => givenIn(layer, key)).map(asSecret);
    if (setting === undefined || first === undefined) continue;
    const byDefault = setting.source === 'default' ? setting : setting.overrides.at(-1);
    const { value, source, origin } = byDefault ?? setting;
    settings.set(key, { key, ...first, overrides: [...rest, { value, source, origin }] });
  }
}

/** A value as one of the secret option: where its value is, if the key says that. */
function asSecret({ key, ...given }: SecretValue): Sourced<unknown> {
  const way = secretPartOf(key)?.way;
  // An empty command, file or entry overrides lower sources like an empty value.
  if (way === undefined || given.value === '') return given;
  return { ...given, value: '', from: { way, text: String(given.value) } };
}

/** The errors for sources that give a secret option more than one value. */
export function findDoubleSecrets(layers: readonly Layer[]): readonly CliError[] {
  return layers.flatMap((layer) =>
    secretKeys.flatMap((key) => {
      const [first, second] = givenIn(layer, key);
      if (first === undefined || second === undefined) return [];
      return [
        configError(`${first.key} (${first.origin}) and ${second.key} (${second.origin}) exclude each other`, {
          target: first.key,
          hints: ['keep one of them'],
        }),
      ];
    }),
  );
}

/** Whether a source gives a secret option a value, or says where it is. */
export function isGiven({ value, from }: Setting<unknown>): boolean {
  return value !== '' || from !== undefined;
}

/** The values of `below`, with those of `above` in their place; one key of a secret option replaces all of them. */
export function overlaid<T>(below: ReadonlyMap<OptionKey, T>, above: ReadonlyMap<OptionKey, T>): Map<OptionKey, T> {
  const replaced = new Set([...above.keys()].flatMap((key) => otherKeys(key)));
  return new Map([...[...below].filter(([key]) => !replaced.has(key)), ...above]);
}

/** The other keys of the secret option that a key belongs to; empty for other options. */
export function otherKeys(key: string): readonly OptionKey[] {
  const part = secretPartOf(key);
  return part === undefined ? [] : keysOfSecret(part.key).filter((one) => one !== key);
}
