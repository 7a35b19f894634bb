/** A cluster property, as `GET /v1/cluster_config/schema` describes it, with the rules that the schema does not show. */
export interface Property {
  readonly type: 'boolean' | 'integer' | 'number' | 'string' | 'array';
  readonly items?: 'string' | 'integer';
  readonly description: string;
  readonly fallback: unknown;
  readonly nullable?: true;
  readonly needsRestart?: true;
  readonly isSecret?: true;
  /** Default `user`. */
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

/** The body for a property in the schema. */
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
