import type { CliError } from '../errors.ts';
import {
  anything,
  at,
  described,
  fitting,
  maybe,
  orElse,
  type RowOf,
  row,
  type Shape,
  string,
  truth,
  whole,
} from '../shape/shape.ts';

/** The value of a property as JSON has it; a bigint is an integer that a number cannot hold exactly. */
export type ConfigValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ConfigValue[]
  | { readonly [key: string]: ConfigValue };

/** The value of a property. */
export const configValue = described(anything as Shape<ConfigValue>, 'of the type of the property');

/** The property that identifies the cluster: it is not a setting, and no file carries it to another cluster. */
export const clusterId = 'cluster_id';

/**
 * Where a cluster has its objects, which two clusters must not share: Redpanda itself does not restore these properties in
 * another cluster (redpanda commit 1b95a07c: gets_restored::no in src/v/config/configuration.cc),
 * and refuses `cloud_storage_enabled` without them.
 */
export const objectStorage =
  /^cloud_storage_(?:bucket|region|api_endpoint|azure_\w+|backend|cluster_name|credentials_\w+|cache_size|trust_file|enabled)$/;

/** What the API shows instead of a secret that is set. */
export const hiddenSecret = '[secret]';

/** What the schema says about a property. */
export const propertyDetails = row({
  /** `boolean`, `integer`, `number`, `string` or `array`; servers may have others. */
  type: string,
  /** The type of the items of an array; null for other types. */
  items: at('items.type', maybe(string)),
  description: orElse(string, ''),
  nullable: orElse(truth, false),
  needs_restart: orElse(truth, false),
  is_secret: orElse(truth, false),
  /** `user`, `tunable` (rarely changed) or `deprecated` (without effect). */
  visibility: orElse(string, 'user'),
  units: maybe(string),
  example: maybe(string),
  /** The only valid values; empty if there are others. */
  enum_values: fitting(string),
  /** Other names that the server accepts. */
  aliases: fitting(string),
});

/** A property of the cluster, as its schema describes it. */
export type Property = RowOf<typeof propertyDetails> & { readonly name: string };

/** The properties of a cluster by name. */
export type ConfigSchema = ReadonlyMap<string, Property>;

/** The configuration of a cluster as its controller has it. */
export interface Configuration {
  /** Every value in use, with defaults; secrets that are set are `hiddenSecret`. */
  readonly values: ReadonlyMap<string, ConfigValue>;
  /** The names of the properties that are set; the others have their defaults. */
  readonly set: ReadonlySet<string>;
}

/** The configuration that one broker runs with. */
export const ConfigStatus = row({
  id: at('node_id', whole),
  config_version: whole,
  /** Whether a changed property takes effect only after a restart of the broker. */
  needs_restart: at('restart', truth),
  /** Properties whose values the broker does not accept. */
  invalid: fitting(string),
  /** Properties that the broker does not know. */
  unknown: fitting(string),
});
export type ConfigStatus = RowOf<typeof ConfigStatus>;

/** A change of the configuration; all of it is made, or nothing. */
export interface ConfigChange {
  readonly upsert: ReadonlyMap<string, ConfigValue>;
  /** Properties that get their defaults. */
  readonly remove: readonly string[];
  /** What errors must not repeat of it. */
  readonly secrets?: readonly string[];
  /** Makes the change without checks. */
  readonly force?: boolean;
}

/** What came of a change. */
export type ConfigOutcome =
  /** The version of the configuration that has the change; the old one if it changes nothing. */
  | { readonly version: number }
  /** The server refuses some properties, so that nothing was changed. */
  | { readonly version: null; readonly reasons: ReadonlyMap<string, string>; readonly error: CliError };

/** The brokers that do not have a version of the configuration (default: the latest one that a broker has). */
export function behind(
  rows: readonly ConfigStatus[],
  version = Math.max(...rows.map(({ config_version: own }) => own)),
): readonly ConfigStatus[] {
  return rows.filter(({ config_version: own }) => own < version);
}

/** The name of a wait for a version of the configuration, in messages. */
export function distributionOf(version: number | undefined): string {
  return `the distribution of ${version === undefined ? 'the configuration' : `configuration version ${version}`}`;
}
