import { booleanSchema, nullable, object, type Schema, string } from '../../cli/output/schema.ts';
import { jsonValue, optionOf } from '../../config/options.ts';
import type { StoredProfile } from '../../config/profile/file.ts';
import { maskedText } from '../../config/resolve/provenance.ts';

/** The result of `profile print`. */
export interface ProfileRow {
  readonly name: string;
  readonly description: string | null;
  readonly protected: boolean;
  /** By key, in the file's order: addresses as a list, booleans as such, the rest as text. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** JSON Schemas of the properties of a profile's row. */
export const profileRowProperties: Readonly<Record<string, Schema>> = {
  name: string,
  description: nullable(string),
  protected: booleanSchema,
  options: { type: 'object', additionalProperties: { type: ['string', 'boolean', 'array'], items: string } },
};

/** JSON Schema of a profile's row. */
export const profileRowSchema: Schema = object(profileRowProperties);

/** A stored profile as a row; secrets are hidden unless `secrets` is true. */
export function profileRow(
  { name, description, protected: isProtected, options }: StoredProfile,
  secrets: boolean,
): ProfileRow {
  const shown = [...options.entries].map(([key, { value }]): [string, unknown] => [
    key,
    optionOf(key).secret ? maskedText(key, value, secrets) : jsonValue(key, value),
  ]);
  return { name, description: description ?? null, protected: isProtected, options: Object.fromEntries(shown) };
}
