import type { NamedFile } from '../files/locations.ts';
import type { OptionKey, OptionValue, SecretWay } from './options.ts';

/** A source that a value can come from. */
export type Source = 'flag' | 'env' | 'profile' | 'broker' | 'default';

/** The five sources, highest first. */
export const sources: readonly Source[] = ['flag', 'env', 'profile', 'broker', 'default'];

/** A value and where it came from. */
export interface Sourced<T> {
  readonly value: T;
  readonly source: Source;
  /** For example `-X brokers`, `WEIR_BROKERS`, `/home/me/.config/weir/weir.yaml:12 (profile prod)`. */
  readonly origin: string;
  /** Where the value is; for a secret option whose value is not in the source itself, which is then empty here. */
  readonly from?: SecretSource;
}

/** Where the value of a secret option is. */
export interface SecretSource {
  readonly way: SecretWay;
  /** The command, the file or the name of the entry. */
  readonly text: string;
}

/** One resolved option. */
export interface Setting<T> extends Sourced<T> {
  readonly key: OptionKey;
  /** The values it overrides, highest source first. */
  readonly overrides: readonly Sourced<T>[];
}

/** The profile in use. */
export interface SelectedProfile {
  readonly name: string;
  readonly description: string | undefined;
  /** Whether destructive commands ask the user to type the name (scripts need `--yes`). */
  readonly protected: boolean;
  /** The file that has the profile. */
  readonly file: NamedFile;
  /** Flags and variables are about another profile, as for one side of a copy. */
  readonly isAlone?: boolean;
}

/** The resolved configuration: an immutable value for every option. */
export interface Config {
  readonly profile: SelectedProfile | undefined;
  /** The names of the profiles, if none of them is selected. */
  readonly unselected: readonly string[];
  /** Warnings to print once: unknown `WEIR_` variables, ignored programs, secrets in a file that others can read. */
  readonly warnings: readonly string[];
  /** Lines printed with `-v`, for example about addresses that fall back to localhost. */
  readonly remarks: readonly string[];
  get<K extends OptionKey>(key: K): OptionValue<K>;
  setting<K extends OptionKey>(key: K): Setting<OptionValue<K>>;
  /** All settings, in the order of the option table. */
  readonly settings: readonly Setting<unknown>[];
}
