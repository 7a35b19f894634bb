import type { Context } from '../../context.ts';
import { shortList } from '../../format/name-lists.ts';
import { type Acl, keyOfAcl } from '../../kafka/cluster/access/acl-rows.ts';
import { resourceTypeOf } from '../../kafka/cluster/access/acl-words.ts';
import type { Change } from './kind.ts';

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
  readonly before: AclIndex;
  readonly after: AclIndex;
}

/** ACLs by the names of resources, and the beginnings of names, that have some: `TOPIC LITERAL orders`. */
export type AclIndex = ReadonlyMap<string, readonly Acl[]>;

/** Sorts ACLs by their resources, because a cluster may have thousands. */
export function aclIndex(acls: Iterable<Acl>): AclIndex {
  return Map.groupBy(acls, (acl) => patternKey(acl.resource_type, acl.resource_pattern_type, acl.resource_name));
}

function patternKey(type: string, pattern: string, name: string): string {
  return `${type} ${pattern} ${name}`;
}

/** The ACLs that apply to a name. */
function aclsOn(index: AclIndex, type: string, name: string): readonly Acl[] {
  const keys = Array.from({ length: name.length }, (_, at) => patternKey(type, 'PREFIXED', name.slice(0, at + 1)));
  for (const literal of new Set([name, '*'])) keys.push(patternKey(type, 'LITERAL', literal));
  return keys.flatMap((key) => index.get(key) ?? []);
}

/** A resource in words: `topic orders`, or `topic payments.*` for a beginning of names. */
export function resourceText({ resource_type, resource_name, resource_pattern_type }: Acl): string {
  const type = resource_type.toLowerCase().replaceAll('_', ' ');
  if (resourceTypeOf(resource_type)?.onlyName === resource_name) return type;
  if (resource_pattern_type === 'PREFIXED') return `${type} ${resource_name}*`;
  return /.\*$/.test(resource_name) ? `${type} "${resource_name}"` : `${type} ${resource_name}`;
}

/** What changes of one resource create and delete. */
export interface AclChanges {
  readonly created: readonly Acl[];
  readonly deleted: readonly Acl[];
}

/** Adds to a change whether it takes or gives away access, and from or to whom. */
export function withAccessRisk(change: Change, judge: AccessJudge, states: AclStates, changes: AclChanges): Change {
  const of = (acls: readonly Acl[], permission: string) => acls.filter((acl) => acl.permission === permission);
  const [denied, ended] = [of(changes.created, 'DENY'), of(changes.deleted, 'DENY')];
  const reversed = { before: states.after, after: states.before };
  const texts = [
    firstAclText(judge, states, changes.created),
    shiftText(judge, states, [...denied, ...of(changes.deleted, 'ALLOW')], (operations) => `loses ${operations}`),
    grantText(of(changes.created, 'ALLOW')),
    shiftText(judge, reversed, ended, (operations) => `may ${operations} again`),
  ];
  const whys = texts.filter((text) => text !== undefined);
  if (whys.length + denied.length + ended.length === 0) return change;
  const all = change.why === null ? whys : [change.why, ...whys];
  return { ...change, risk: 'access', why: all.length === 0 ? null : all.join('; ') };
}

/** What operations on the cluster allow that only administrators should do. */
const administration: Readonly<Record<string, string>> = {
  ALL: 'do everything with the cluster',
  ALTER: 'change ACLs',
  ALTER_CONFIGS: 'change configs of the cluster',
  CLUSTER_ACTION: 'act as a broker',
};

/** Says which new ALLOWs open a resource to everybody, or the cluster to somebody; undefined if none does. */
function grantText(allowed: readonly Acl[]): string | undefined {
  const rights = allowed.flatMap(({ principal, operation, resource_type }) => {
    const right = resource_type === 'CLUSTER' ? administration[operation] : undefined;
    return right !== undefined || principal === everybody ? [{ principal, right: right ?? operation }] : [];
  });
  const texts = [...Map.groupBy(rights, ({ principal }) => principal)].map(([principal, of]) => {
    return `${nameOf(principal)} may ${of.map(({ right }) => right).join(' and ')}`;
  });
  return shortened(texts);
}

/** Says that these would be the first ACLs of a resource that everybody may use until then (`allow.everyone.if.no.acl.found`). */
function firstAclText({ rules }: AccessJudge, { before }: AclStates, created: readonly Acl[]): string | undefined {
  const [first] = created;
  if (first === undefined || !rules.mayAllowUnlisted) return undefined;
  if (aclsOn(before, first.resource_type, first.resource_name).length > 0) return undefined;
  return 'its first ACL: whoever has none may lose access';
}

/**
 * Who loses or gets what by changes of one resource, in words; undefined if nobody.
 * @param inWords what happens to some operations of a principal
 */
function shiftText(
  judge: AccessJudge,
  states: AclStates,
  changed: readonly Acl[],
  inWords: (operations: string) => string,
): string | undefined {
  const shifts = new Map<string, Shift>();
  const keyOf = (principal: string, resource: string) => JSON.stringify([principal, resource]);
  for (const shift of changed.flatMap((acl) => shiftsOf(judge, states, acl))) {
    const key = keyOf(shift.principal, shift.resource);
    const operations = new Set([...(shifts.get(key)?.operations ?? []), ...shift.operations]);
    shifts.set(key, { ...shift, operations });
  }
  const [whole = ''] = changed.map(resourceText);
  // What everybody loses, or someone loses on the whole resource, is not repeated for each that it covers.
  const texts = [...shifts.values()].flatMap((shift) => {
    const { principal, resource, operations } = shift;
    const wider = [keyOf(everybody, whole), keyOf(everybody, resource), keyOf(principal, whole)]
      .map((key) => shifts.get(key))
      .filter((other) => other !== shift);
    const own = [...operations].filter((operation) => !wider.some((other) => other?.operations.has(operation)));
    const text = `${nameOf(principal)} ${inWords(own.join(' and '))}`;
    return own.length === 0 ? [] : [resource === whole ? text : `${text} on ${resource}`];
  });
  return shortened(texts);
}

const everybody = 'User:*';
const mostNamed = 3;

function nameOf(principal: string): string {
  return principal === everybody ? 'everybody' : principal;
}

/** The first texts, and how many there are more; undefined for none. */
function shortened(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : shortList(texts, mostNamed);
}

/** What a principal could do on a resource before and cannot do after. */
interface Shift {
  readonly principal: string;
  readonly resource: string;
  readonly operations: ReadonlySet<string>;
}

function shiftsOf({ rules }: AccessJudge, { before, after }: AclStates, acl: Acl): readonly Shift[] {
  const operations = acl.operation === 'ALL' ? (resourceTypeOf(acl.resource_type)?.operations ?? []) : [acl.operation];
  return subjectsOf(before, acl).flatMap((subject) => {
    const { principal, host, resource_type, resource_name } = subject;
    const asked = { principal, host: host === '*' ? null : host, resource_type, resource_name };
    const [earlier, later] = [aclsAbout(before, subject), aclsAbout(after, subject)];
    const lost = operations.filter(
      (operation) =>
        rules.isAllowed({ ...asked, operation }, earlier) && !rules.isAllowed({ ...asked, operation }, later),
    );
    return lost.length === 0 ? [] : [{ principal, resource: resourceText(subject), operations: new Set(lost) }];
  });
}

/** The ACLs that decide about a principal; one of others if it has none, because then a resource is not without ACLs. */
function aclsAbout(index: AclIndex, { resource_type, resource_name, principal }: Acl): readonly Acl[] {
  const all = aclsOn(index, resource_type, resource_name);
  const own = all.filter((acl) => acl.principal === principal || acl.principal === everybody);
  return own.length === 0 ? all.slice(0, 1) : own;
}

/** Whom a changed ACL may take a right on what: what it names, and what a DENY has in common with each ALLOW. */
function subjectsOf(before: AclIndex, acl: Acl): readonly Acl[] {
  if (acl.permission === 'ALLOW') return [acl];
  const wider = aclsOn(before, acl.resource_type, acl.resource_name).map((other) => ({ other, resource: acl }));
  const narrower = aclsCoveredBy(before, acl).map((other) => ({ other, resource: other }));
  const subjects = new Map([[keyOfAcl(acl), acl]]);
  for (const { other, resource } of [...wider, ...narrower]) {
    const principal = common(acl.principal, other.principal, everybody);
    const host = common(acl.host, other.host, '*');
    if (other.permission !== 'ALLOW' || principal === undefined || host === undefined) continue;
    const { resource_name, resource_pattern_type } = resource;
    const subject = { ...acl, principal, host, resource_name, resource_pattern_type };
    subjects.set(keyOfAcl(subject), subject);
  }
  return [...subjects.values()];
}

/** What two names have in common, of which `all` stands for every name. */
function common(one: string, other: string, all: string): string | undefined {
  if (one === all) return other;
  return other === all || other === one ? one : undefined;
}

/** The ACLs on resources that the one of a beginning of names, or of all names, covers. */
function aclsCoveredBy(index: AclIndex, { resource_type, resource_name, resource_pattern_type }: Acl): readonly Acl[] {
  const isPrefix = resource_pattern_type === 'PREFIXED';
  if (!isPrefix && resource_name !== '*') return [];
  return [...index.values()].flatMap((acls) => {
    const [first] = acls;
    const covers =
      first?.resource_type === resource_type && (!isPrefix || first.resource_name.startsWith(resource_name));
    return covers ? acls : [];
  });
}

/** Whether the principal that weir is could not change ACLs any more. */
export function endsOwnRight({ rules, own }: AccessJudge, { before, after }: AclStates): boolean {
  if (own === undefined) return false;
  const resource_name = resourceTypeOf('CLUSTER')?.onlyName ?? '';
  const question = { principal: own, host: null, operation: 'ALTER', resource_type: 'CLUSTER', resource_name };
  const isAllowed = (index: AclIndex) => rules.isAllowed(question, aclsOn(index, 'CLUSTER', resource_name));
  return isAllowed(before) && !isAllowed(after);
}
