import type { StoredProfile } from '../../config/profile/file.ts';
import { shownValue } from '../../config/settings/provenance.ts';
import { optionJson } from '../../config/settings/setting-rows.ts';
import { described, mapOf, maybe, type RowOf, row, string, truth } from '../../shape/shape.ts';

/** A profile as it is stored. */
export const Profile = row({
  name: string,
  description: maybe(string),
  protected: truth,
  options: described(mapOf(optionJson), 'by key, in the order of the file'),
});
export type Profile = RowOf<typeof Profile>;

/** A stored profile as a row; secrets are hidden unless `secrets` is true. */
export function profileRow(
  { name, description, protected: isProtected, options }: StoredProfile,
  secrets: boolean,
): Profile {
  const shown = [...options.entries].map(([key, { value }]): [string, unknown] => [
    key,
    shownValue(key, value, secrets),
  ]);
  return { name, description: description ?? null, protected: isProtected, options: Object.fromEntries(shown) };
}
