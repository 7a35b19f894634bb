import { CliError, withHints } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { addressText } from '../../../format/ip-address.ts';
import type { Client } from '../../protocol/client/client.ts';
import {
  answered,
  itemErrorOf,
  type Outcome,
  orderedQuestionOf,
  type Question,
} from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import type { RequestOf, ResponseOf } from '../../protocol/wire/api.ts';
import { createAcls as createAclsApi } from '../../protocol/wire/apis/create-acls.ts';
import { deleteAcls as deleteAclsApi } from '../../protocol/wire/apis/delete-acls.ts';
import { describeAcls } from '../../protocol/wire/apis/describe-acls.ts';
import { type Acl, type AclFilter, type AclListing, type AclOutcome, keyOfAcl, sortedAcls } from './acl-rows.ts';
import { operations, patternTypes, permissions, resourceTypes } from './acl-words.ts';

/**
 * ACLs in one request: the controller writes the changes of a request at once, and Kafka refuses more than 10,000
 * records.
 */
const mostInCreation = 2000;

/** For each ACL to delete, the controller goes through all ACLs: of ten thousands, 2000 would take longer than a request may. */
const mostInDeletion = 200;

const creation = orderedQuestionOf({
  api: createAclsApi,
  what: (acl: Acl) => `create an ACL for ${acl.principal}`,
  request: (items) => ({ creations: items.map((item) => creationOf(item)) }),
  rows: ({ results }) => results,
});

/** Creates ACLs; returns rows in the order of the call. An ACL that exists is no error. */
export async function createAcls(client: Client, acls: readonly Acl[]): Promise<AclOutcome[]> {
  const rows = await askInParts(client, { question: creation, items: acls, most: mostInCreation });
  const created = rows.filter(({ error }) => error === null);
  await untilVisible(client, async () => (await visibleAcls(client, created)).size === created.length);
  return rows;
}

/** Returns which of the ACLs exist. */
export async function existingAcls(client: Client, acls: readonly Acl[]): Promise<ReadonlySet<Acl>> {
  return await listedAcls(client, acls, keyOfAcl);
}

/** Returns which of the ACLs are listed: Redpanda writes an address in another form than it was given. */
async function visibleAcls(client: Client, acls: readonly Acl[]): Promise<ReadonlySet<Acl>> {
  return await listedAcls(client, acls, (acl) => keyOfAcl({ ...acl, host: addressText(acl.host) }));
}

async function listedAcls(client: Client, acls: readonly Acl[], keyOf: (acl: Acl) => string) {
  if (acls.length === 0) return new Set<Acl>();
  const { matches } = await listAcls(client, [filterOfAll(acls)]);
  const keys = new Set(matches.map(keyOf));
  return new Set(acls.filter((acl) => keys.has(keyOf(acl))));
}

/** A change of ACLs, with the most that one request may contain. */
interface Change<Row> {
  readonly question: Question<Acl, Row>;
  readonly items: readonly Acl[];
  readonly most: number;
}

/** Makes a change with one request after the other. @throws CliError that says how far it got when it is stopped */
async function askInParts<Row>(client: Client, { question, items, most }: Change<Row>): Promise<AclOutcome[]> {
  const outcomes: Outcome<Acl, Row>[] = [];
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

function listingOf(filter: AclFilter) {
  return orderedQuestionOf({
    api: describeAcls,
    what: (_: AclFilter) => 'list ACLs',
    request: () => filterOf(filter),
    rows: (response) => [response],
  });
}

/**
 * Lists the ACLs that match any of the filters, each with a request of its own.
 * @param tries `once` for no retries
 * @throws CliError when every filter fails
 */
export async function listAcls(client: Client, filters: readonly AclFilter[], tries?: 'once'): Promise<AclListing> {
  const asked = filters.map((filter) => client.ask(listingOf(filter), [filter], tries));
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
  what: (acl: Acl) => `delete an ACL of ${acl.principal}`,
  request: (items) => ({ filters: items.map((item) => filterOf(item)) }),
  // A filter that names one ACL matches at most that one.
  rows: ({ filterResults }) =>
    filterResults.map((result) => [result, ...result.matchingAcls].find((one) => one.errorCode !== 0) ?? result),
});

/** Deletes exactly these ACLs; returns rows in the order of the call. An ACL that is already gone is no error. */
export async function deleteAcls(client: Client, acls: readonly Acl[]): Promise<AclOutcome[]> {
  const rows = await askInParts(client, { question: deletion, items: acls, most: mostInDeletion });
  const deleted = rows.filter(({ error }) => error === null);
  await untilVisible(client, async () => (await visibleAcls(client, deleted)).size === 0);
  return rows;
}

/** The ACLs of a resource as rows. */
function aclRows({
  resourceType,
  resourceName,
  patternType,
  acls,
}: ResponseOf<typeof describeAcls>['resources'][number]): Acl[] {
  return acls.map(({ principal, host, operation, permissionType }) => ({
    principal,
    host,
    resource_type: resourceTypes.wordOf(resourceType),
    resource_name: resourceName,
    resource_pattern_type: patternTypes.wordOf(patternType),
    operation: operations.wordOf(operation),
    permission: permissions.wordOf(permissionType),
  }));
}

/** The ACL of a row, to create it. */
export function creationOf(row: Acl): RequestOf<typeof createAclsApi>['creations'][number] {
  return {
    resourceType: resourceTypes.codeOf(row.resource_type),
    resourceName: row.resource_name,
    resourcePatternType: patternTypes.codeOf(row.resource_pattern_type),
    principal: row.principal,
    host: row.host,
    operation: operations.codeOf(row.operation),
    permissionType: permissions.codeOf(row.permission),
  };
}

/** The filter of a row; the row of an ACL is a filter that matches no other. */
export function filterOf(row: AclFilter): RequestOf<typeof describeAcls> {
  return {
    resourceTypeFilter: resourceTypes.codeOf(row.resource_type),
    resourceNameFilter: row.resource_name ?? undefined,
    patternTypeFilter: patternTypes.codeOf(row.resource_pattern_type),
    principalFilter: row.principal ?? undefined,
    hostFilter: row.host ?? undefined,
    operation: operations.codeOf(row.operation),
    permissionType: permissions.codeOf(row.permission),
  };
}

/** The narrowest filter that matches all of the ACLs. */
function filterOfAll(rows: readonly Acl[]): AclFilter {
  const only = <Key extends keyof Acl>(key: Key): string | null => {
    const [first, ...others] = new Set(rows.map((row) => row[key]));
    return first === undefined || others.length > 0 ? null : first;
  };
  return {
    principal: only('principal'),
    host: only('host'),
    resource_type: only('resource_type') ?? 'ANY',
    resource_name: only('resource_name'),
    resource_pattern_type: only('resource_pattern_type') ?? 'ANY',
    operation: only('operation') ?? 'ANY',
    permission: only('permission') ?? 'ANY',
  };
}
