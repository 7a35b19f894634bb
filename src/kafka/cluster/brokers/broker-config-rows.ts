import { itemError } from '../../../shape/item-error.ts';
import { described, maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';

/** Whose configs: those of one broker, or the defaults of the whole cluster. */
export type ConfigScope = { readonly broker: number } | 'cluster';

/** Which configs to describe. */
export interface DescribeBrokerConfigsCall {
  /** Undefined: those of every broker. */
  readonly scope: ConfigScope | undefined;
  /** Undefined: all keys. */
  readonly key: string | undefined;
}

/** One config; a broker that cannot be asked has a row with its error and nulls. */
export const BrokerConfig = row({
  broker: described(maybe(whole), 'null for a default of the whole cluster'),
  key: maybe(string),
  value: described(maybe(string), 'null if unset or sensitive'),
  source: described(maybe(string), "the protocol's name, for example DYNAMIC_BROKER_CONFIG"),
  read_only: described(maybe(truth), "whether the config can be changed only in the broker's file"),
  sensitive: maybe(truth),
  error: itemError,
});
export type BrokerConfig = RowOf<typeof BrokerConfig>;

/** A change of one config. */
export interface SetBrokerConfigCall {
  readonly scope: ConfigScope;
  readonly key: string;
  /** Undefined: removes the dynamic value, so that the next source counts. */
  readonly value: string | undefined;
  /** What errors must not repeat, although a broker may. */
  readonly secrets?: readonly string[];
}
