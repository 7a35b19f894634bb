import { flag, type ValuesOf } from '../../cli/command.ts';
import type { Filters } from '../../cloud/api/api.ts';
import type { Context } from '../../context.ts';
import { text } from '../../kinds.ts';
import { idOf, resourceGroups } from './find-id.ts';
import { resourceGroupWord } from './kinds.ts';

/** The flags that narrow a list of networks or clusters. */
export const placeFlags = {
  nameContains: flag(text, { help: 'list only those whose name contains this text' }),
  resourceGroupId: flag(resourceGroupWord, { help: 'list only those of this resource group (id or name)' }),
  region: flag(text, { help: 'list only those in this region' }),
};

/** The filters of a list of networks or clusters, as the API calls them. */
export async function placeFilters(
  context: Context,
  { nameContains, resourceGroupId: group, region }: ValuesOf<typeof placeFlags>,
): Promise<Filters> {
  const resource_group_id = group === undefined ? undefined : await idOf(context, { kinds: [resourceGroups] }, group);
  return { name_contains: nameContains, resource_group_id, region };
}

/** Rows sorted by name, ignoring case, then by id. */
export function byName<R extends { readonly id: string; readonly name: string }>(rows: readonly R[]): readonly R[] {
  const key = ({ id, name }: R): string => `${name.toLowerCase()}\n${id}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
