import type { OptionKey, OptionValue } from './options.ts';

/** A layer that a value can come from, highest first in the order of `sources`. */
export type Source = 'flag' | 'env' | 'profile' | 'broker' | 'default';

/** The five layers, highest first. */
export const sources: readonly Source[] = ['flag', 'env', 'profile', 'broker', 'default'];

/** A value and where it stood. */
export interface Sourced<T> {
  readonly value: T;
  readonly source: Source;
  /** For example `-X brokers`, `WEIR_BROKERS`, `/home/me/.config/weir/weir.yaml:12 (profile prod)`. */
  readonly origin: string;
}

/** One option as resolved. */
export interface Setting<T> extends Sourced<T> {
  readonly key: OptionKey;
  /** What it shadowed, highest first. */
  readonly overrides: readonly Sourced<T>[];
}

/** The profile in use. */
export interface SelectedProfile {
  readonly name: string;
  readonly description: string | undefined;
  /** Destructive commands ask for the typed name; scripts need `--yes`. */
  readonly protected: boolean;
}

/** The resolved configuration: one setting per option, immutable. */
export interface Config {
  readonly profile: SelectedProfile | undefined;
  /** Lines to warn of once (unknown `WEIR_` names, mixed sources, a readable file with secrets). */
  readonly warnings: readonly string[];
  /** Lines for `-v` (addresses that fall back to localhost). */
  readonly remarks: readonly string[];
  get<K extends OptionKey>(key: K): OptionValue<K>;
  setting<K extends OptionKey>(key: K): Setting<OptionValue<K>>;
  /** All settings in the table's order. */
  readonly settings: readonly Setting<unknown>[];
}
