import type { Context } from '../../context.ts';
import { shortList } from '../../format/name-lists.ts';
import type { Acl } from '../../kafka/cluster/access/acl-rows.ts';
import { resourceTypeOf } from '../../kafka/cluster/access/acl-words.ts';

/** What judges access: a cluster's rules, and the principal that weir is. */
export interface AccessJudge {
  readonly rules: Awaited<ReturnType<Awaited<ReturnType<Context['kafka']>>['accessJudge']>>;
  /** Undefined if weir does not sign in with a name that ACLs have. */
  readonly own: string | undefined;
}

/** Opens the judge of a cluster. */
export async function openJudge(context: Context): Promise<AccessJudge> {
  const user = (await context.config()).get('user');
  return { rules: await (await context.kafka()).accessJudge(), own: user === '' ? undefined : `User:${user}` };
}

/** The ACLs of a cluster before and after a plan. */
export interface AclStates {
  readonly before: AclsByType;
  readonly after: AclsByType;
}

/** ACLs by the type of their resources. */
export interface AclsByType {
  readonly byType: ReadonlyMap<string, readonly Acl[]>;
  /** The names of resources, and the beginnings of names, that have an ACL: `TOPIC LITERAL orders`. */
  readonly resources: ReadonlySet<string>;
}

/** Sorts ACLs by type. */
export function byType(acls: Iterable<Acl>): AclsByType {
  const all = [...acls];
  return {
    byType: Map.groupBy(all, (acl) => acl.resource_type),
    resources: new Set(all.map((acl) => patternKey(acl.resource_type, acl.resource_pattern_type, acl.resource_name))),
  };
}

function patternKey(type: string, pattern: string, name: string): string {
  return `${type} ${pattern} ${name}`;
}

/** Whether an ACL applies to a name. */
function isCovered({ resources }: AclsByType, type: string, name: string): boolean {
  if (resources.has(patternKey(type, 'LITERAL', name)) || resources.has(patternKey(type, 'LITERAL', '*'))) return true;
  for (let length = 1; length <= name.length; length += 1)
    if (resources.has(patternKey(type, 'PREFIXED', name.slice(0, length)))) return true;
  return false;
}

/** Says that these would be the first ACLs of a resource that everybody may use until then (`allow.everyone.if.no.acl.found`). */
export function firstAclText(
  { rules }: AccessJudge,
  { before }: AclStates,
  created: readonly Acl[],
): string | undefined {
  const [first] = created;
  if (first === undefined || !rules.mayAllowUnlisted) return undefined;
  if (isCovered(before, first.resource_type, first.resource_name)) return undefined;
  return 'its first ACL: whoever has none may lose access';
}

/** Who loses what by changed ACLs of one resource, in words; undefined if nobody. */
export function lossText(judge: AccessJudge, states: AclStates, changed: readonly Acl[]): string | undefined {
  const lost = new Map<string, Set<string>>();
  for (const acl of changed)
    for (const { principal, operation } of lossesOf(judge, states, acl))
      lost.set(principal, (lost.get(principal) ?? new Set()).add(operation));
  if (lost.size === 0) return undefined;
  return shortList(
    [...lost].map(([who, what]) => `${who === 'User:*' ? 'everybody' : who} loses ${[...what].join(' and ')}`),
  );
}

/** What a principal could do before and cannot do after. */
interface Loss {
  readonly principal: string;
  readonly operation: string;
}

function lossesOf({ rules }: AccessJudge, { before, after }: AclStates, acl: Acl): readonly Loss[] {
  const { resource_type, resource_name, host } = acl;
  const earlier = before.byType.get(resource_type) ?? [];
  const later = after.byType.get(resource_type) ?? [];
  const operations = acl.operation === 'ALL' ? (resourceTypeOf(resource_type)?.operations ?? []) : [acl.operation];
  const principals = acl.principal === 'User:*' ? ['User:*', ...allowedOn(earlier, acl)] : [acl.principal];
  return principals
    .flatMap((principal) => operations.map((operation) => ({ principal, operation })))
    .filter(({ principal, operation }) => {
      const question = { principal, host: host === '*' ? null : host, operation, resource_type, resource_name };
      return rules.isAllowed(question, earlier) && !rules.isAllowed(question, later);
    });
}

/** Who is named by a permission on the resource of an ACL. */
function allowedOn(
  acls: readonly Acl[],
  { resource_name: name, resource_pattern_type: pattern }: Acl,
): readonly string[] {
  const permissions = acls.filter(
    (acl) => acl.permission === 'ALLOW' && acl.resource_name === name && acl.resource_pattern_type === pattern,
  );
  return [...new Set(permissions.map(({ principal }) => principal))].filter((one) => one !== 'User:*');
}

/** Whether the principal that weir is could not change ACLs any more. */
export function endsOwnRight({ rules, own }: AccessJudge, { before, after }: AclStates): boolean {
  if (own === undefined) return false;
  const resource_name = resourceTypeOf('CLUSTER')?.onlyName ?? '';
  const question = { principal: own, host: null, operation: 'ALTER', resource_type: 'CLUSTER', resource_name };
  const isAllowed = ({ byType: acls }: AclsByType) => rules.isAllowed(question, acls.get('CLUSTER') ?? []);
  return isAllowed(before) && !isAllowed(after);
}
