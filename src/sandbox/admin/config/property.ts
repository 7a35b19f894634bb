/** A cluster property, as `GET /v1/cluster_config/schema` describes it, with the rules that the schema does not show. */
export interface Property {
  readonly type: 'boolean' | 'integer' | 'number' | 'string' | 'array';
  /** The type of the items of a list; of objects, the name that the server's source has for it. */
  readonly items?: 'string' | 'config::throughput_control_group';
  /** Whether one item may stand for the list of it. */
  readonly isOneOrMany?: true;
  readonly description: string;
  readonly fallback: unknown;
  readonly nullable?: true;
  readonly needsRestart?: true;
  readonly isSecret?: true;
  /** Default `user`. A deprecated one is accepted, and shown nowhere (redpanda src/v/config/config_store.h:126). */
  readonly visibility?: 'tunable' | 'deprecated';
  readonly units?: string;
  readonly example?: string;
  readonly words?: readonly string[];
  readonly aliases?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Whether a value needs a valid license. */
  isLicensed?(value: unknown): boolean;
}

type Rules = Partial<Omit<Property, 'type' | 'items' | 'fallback' | 'description'>>;

/** Declares a boolean, false by default. */
export function flag(description: string, rules: Rules = {}): Property {
  return { type: 'boolean', fallback: false, description, ...rules };
}

const scalar =
  <T>(type: 'integer' | 'number' | 'string') =>
  (fallback: T | null, description: string, rules: Rules = {}): Property => ({
    type,
    fallback,
    ...(fallback === null && { nullable: true as const }),
    description,
    ...rules,
  });

/** Declares an integer with its default; null if it has none. */
export const integer = scalar<number>('integer');

/** Declares a number with its default. */
export const number = scalar<number>('number');

/** Declares a text with its default; null if it has none. */
export const text = scalar<string>('string');

/** Declares a list of texts with its default. */
export function texts(fallback: readonly string[], description: string, rules: Rules = {}): Property {
  return { type: 'array', items: 'string', fallback, description, ...rules };
}

/** Declares a list of objects, without any by default. */
export function objects(items: NonNullable<Property['items']>, description: string, rules: Rules = {}): Property {
  return { type: 'array', items, fallback: [], description, ...rules };
}

/** The body for a property in the schema (redpanda src/v/redpanda/admin/cluster_config_schema_util.cc). */
export function showProperty(property: Property) {
  const { type, items, description, nullable, needsRestart, isSecret, visibility, units, example } = property;
  const { words, aliases } = property;
  return {
    type,
    ...(items === undefined ? {} : { items: { type: items } }),
    description,
    nullable: nullable === true,
    needs_restart: needsRestart === true,
    is_secret: isSecret === true,
    visibility: visibility ?? 'user',
    ...(units === undefined ? {} : { units }),
    ...(example === undefined ? {} : { example }),
    ...(words === undefined ? {} : { enum_values: words }),
    ...(aliases === undefined ? {} : { aliases }),
  };
}
