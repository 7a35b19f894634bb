import { CliError, withHints } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import type { Client } from '../../protocol/client/client.ts';
import {
  answered,
  itemErrorOf,
  type Outcome,
  orderedQuestionOf,
  type Question,
} from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { createAcls as createAclsApi } from '../../protocol/wire/apis/create-acls.ts';
import { deleteAcls as deleteAclsApi } from '../../protocol/wire/apis/delete-acls.ts';
import { describeAcls } from '../../protocol/wire/apis/describe-acls.ts';
import { aclRows, creationOf, filterOf, filterOfAll, keyOfAcl, sortedAcls } from './acl-order.ts';
import type { AclFilterRow, AclListing, AclOutcome, AclRow } from './acl-rows.ts';

/**
 * ACLs in one request: the controller writes the changes of a request at once, and Kafka refuses more than 10,000
 * records.
 */
const mostInCreation = 2000;

/** For each ACL to delete, the controller goes through all ACLs: of ten thousands, 2000 would take longer than a request may. */
const mostInDeletion = 200;

const creation = orderedQuestionOf({
  api: createAclsApi,
  what: (acl: AclRow) => `create an ACL for ${acl.principal}`,
  request: (items) => ({ creations: items.map((item) => creationOf(item)) }),
  rows: ({ results }) => results,
});

/** Creates ACLs; returns rows in the order of the call. An ACL that exists is no error. */
export async function createAcls(client: Client, acls: readonly AclRow[]): Promise<AclOutcome[]> {
  const rows = await askInParts(client, { question: creation, items: acls, most: mostInCreation });
  const created = rows.filter(({ error }) => error === null);
  await untilVisible(client, async () => (await existingAcls(client, created)).size === created.length);
  return rows;
}

/** Returns which of the ACLs exist. */
export async function existingAcls(client: Client, acls: readonly AclRow[]): Promise<ReadonlySet<AclRow>> {
  if (acls.length === 0) return new Set();
  const { matches } = await listAcls(client, [filterOfAll(acls)]);
  const keys = new Set(matches.map(keyOfAcl));
  return new Set(acls.filter((acl) => keys.has(keyOfAcl(acl))));
}

/** A change of ACLs, with the most that one request may contain. */
interface Change<Row> {
  readonly question: Question<AclRow, Row>;
  readonly items: readonly AclRow[];
  readonly most: number;
}

/** Makes a change with one request after the other. @throws CliError that says how far it got when it is stopped */
async function askInParts<Row>(client: Client, { question, items, most }: Change<Row>): Promise<AclOutcome[]> {
  const outcomes: Outcome<AclRow, Row>[] = [];
  try {
    for (let at = 0; at < items.length; at += most)
      outcomes.push(...(await client.ask(question, items.slice(at, at + most))));
  } catch (error) {
    const done = outcomes.filter((outcome) => outcome.error === undefined).length;
    if (!(error instanceof CliError) || done === 0) throw error;
    throw withHints(error, [`already done: ${done} of ${count(items.length, 'ACL')}`]);
  }
  return answered(outcomes).map((outcome) => ({ ...outcome.item, error: itemErrorOf(outcome) }));
}

function listingOf(filter: AclFilterRow) {
  return orderedQuestionOf({
    api: describeAcls,
    what: (_: AclFilterRow) => 'list ACLs',
    request: () => filterOf(filter),
    rows: (response) => [response],
  });
}

/** Lists the ACLs that match any of the filters, each with a request of its own. @throws CliError when every filter fails */
export async function listAcls(client: Client, filters: readonly AclFilterRow[]): Promise<AclListing> {
  const asked = filters.map((filter) => client.ask(listingOf(filter), [filter]));
  const outcomes = (await Promise.all(asked)).flat();
  const [first] = outcomes;
  if (first?.error !== undefined && outcomes.every(({ error }) => error !== undefined)) throw first.error;
  return {
    filters: outcomes.map((outcome) => ({ ...outcome.item, error: itemErrorOf(outcome) })),
    matches: sortedAcls(outcomes.flatMap(({ row, error }) => (error ? [] : (row?.resources ?? []).flatMap(aclRows)))),
  };
}

const deletion = orderedQuestionOf({
  api: deleteAclsApi,
  what: (acl: AclRow) => `delete an ACL of ${acl.principal}`,
  request: (items) => ({ filters: items.map((item) => filterOf(item)) }),
  // A filter that names one ACL matches at most that one.
  rows: ({ filterResults }) =>
    filterResults.map((result) => [result, ...result.matchingAcls].find((one) => one.errorCode !== 0) ?? result),
});

/** Deletes exactly these ACLs; returns rows in the order of the call. An ACL that is already gone is no error. */
export async function deleteAcls(client: Client, acls: readonly AclRow[]): Promise<AclOutcome[]> {
  const rows = await askInParts(client, { question: deletion, items: acls, most: mostInDeletion });
  const deleted = rows.filter(({ error }) => error === null);
  await untilVisible(client, async () => (await existingAcls(client, deleted)).size === 0);
  return rows;
}
