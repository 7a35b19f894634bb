import type { ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { itemErrorOf, type Located, questionOf } from '../../protocol/client/question.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { deleteGroups as deleteGroupsApi } from '../../protocol/wire/apis/delete-groups.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { type FoundGroup, findGroups, hasMembers } from './found-groups.ts';
import { reached } from './group-error.ts';
import type { DeletedGroupRow, DeleteGroupsCall } from './group-rows.ts';

/** Deletes groups, or checks in a dry run that they exist and have no members; returns rows sorted by name. */
export async function deleteGroups(client: Client, { groups, dryRun }: DeleteGroupsCall): Promise<DeletedGroupRow[]> {
  const names = [...new Set(groups)].sort();
  if (dryRun) return (await findGroups(client, names)).map((found) => deletedRow(found.group, wouldFail(found), true));
  const outcomes = reached(await client.ask(deletion, names));
  return outcomes.map((outcome) => deletedRow(outcome.item, itemErrorOf(outcome), false));
}

function deletedRow(group: string, error: ItemError | null, dryRun: boolean): DeletedGroupRow {
  return { group, status: error === null ? 'OK' : 'ERROR', dry_run: dryRun, error };
}

function wouldFail(found: FoundGroup): ItemError | null {
  return found.error ?? (hasMembers(found) ? kafkaItemError(codes.NON_EMPTY_GROUP) : null);
}

const deletion = questionOf({
  api: deleteGroupsApi,
  what: (group: string) => `delete group "${group}"`,
  target: (group: string) => ({ group }),
  keyOf: (group: string) => group,
  request: (items: readonly Located<string>[]) => ({ groupsNames: items.map(({ item }) => item) }),
  rows: ({ results }) => results.map((row) => [row.groupId, row] as const),
});
