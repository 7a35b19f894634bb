import type { ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { deleteGroups as deleteGroupsApi } from '../../protocol/wire/apis/delete-groups.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { reached } from './group-error.ts';
import { findGroups, type GroupState, hasMembers } from './group-states.ts';

/** Deletes groups; returns the error of each, in their order. @throws CliError if no broker can be reached */
export async function deleteGroups(client: Client, groups: readonly string[]): Promise<{ error: ItemError | null }[]> {
  return reached(await client.ask(deletion, groups)).map((outcome) => ({ error: itemErrorOf(outcome) }));
}

/** Checks that groups exist and have no members; returns what their deletion would fail with, in their order. */
export async function checkDeletable(client: Client, groups: readonly string[]) {
  return (await findGroups(client, groups)).map((group) => ({ group: group.group, error: wouldFail(group) }));
}

function wouldFail(group: GroupState): ItemError | null {
  return group.error ?? (hasMembers(group) ? kafkaItemError(codes.NON_EMPTY_GROUP) : null);
}

const deletion = questionOf({
  api: deleteGroupsApi,
  what: (group: string) => `delete group "${group}"`,
  target: (group: string) => ({ group }),
  keyOf: (group: string) => group,
  request: (items: readonly string[]) => ({ groupsNames: items }),
  rows: ({ results }) => results.map((row) => [row.groupId, row] as const),
});
