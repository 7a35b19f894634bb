import { flag, type ValuesOf } from '../../cli/command.ts';
import type { Filters } from '../../cloud/api/api.ts';
import { text } from '../../kinds.ts';

/** The flags that narrow a list of networks or clusters. */
export const placeFlags = {
  nameContains: flag(text, { help: 'list only those whose name contains this text' }),
  resourceGroupId: flag(text, { help: 'list only those of this resource group' }),
  region: flag(text, { help: 'list only those in this region' }),
};

/** The filters of a list of networks or clusters, as the API calls them. */
export function placeFilters({ nameContains, resourceGroupId, region }: ValuesOf<typeof placeFlags>): Filters {
  return { name_contains: nameContains, resource_group_id: resourceGroupId, region };
}

/** Rows sorted by name, ignoring case, then by id. */
export function byName<R extends { readonly id: string; readonly name: string }>(rows: readonly R[]): readonly R[] {
  const key = ({ id, name }: R): string => `${name.toLowerCase()}\n${id}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
