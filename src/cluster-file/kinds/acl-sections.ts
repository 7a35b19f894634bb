import { isIP } from 'node:net';
import { excerpt } from '../../format/excerpt.ts';
import type { Acl } from '../../kafka/cluster/access/acl-rows.ts';
import { operationNames, resourceTypeOf } from '../../kafka/cluster/access/acl-words.ts';
import { always, described, either, filled, leftOut, type RowOf, type Shape, string } from '../../shape/shape.ts';
import { checked, type Fault, fields, items, nearestOf, parsed } from '../file/fields.ts';
import { removalFault, removalFields } from '../file/removal.ts';

/** A principal: `TYPE:NAME`, or the name of a user. */
const principal: Shape<string> = described(
  parsed(filled, (text) => (/^[A-Z][A-Za-z]*:/.test(text) ? text : `User:${text}`)),
  'TYPE:NAME, for example User:ana or RedpandaRole:readers, or the name of a user',
);

const host: Shape<string> = described(filled, 'the IP address of the clients (default: *)');

const [, ...operationWords] = operationNames;

const operation: Shape<string> = parsed(string, (text) => {
  const word = text.toUpperCase().replace(/[-.]/g, '_');
  if (operationWords.some((one) => one === word)) return word;
  const words = operationWords.map((one) => one.toLowerCase());
  throw new Error(
    `unknown operation ${JSON.stringify(excerpt(text))}; ${nearestOf(text, words)}the operations are ${words.join(', ')}`,
  );
});

/** One of something, or a list. */
function oneOrMore(item: Shape<string>): Shape<readonly string[]> {
  const list = items(item);
  return {
    take: (value) => (Array.isArray(value) ? list.take(value) : list.take([value])),
    schema: () => ({ anyOf: [item.schema(), list.schema()] }),
  };
}

const operations = oneOrMore(operation);

/** The name of a resource, or the beginning of names. A name that ends with a star is written so that nobody takes it for such. */
const resource = parsed(either(filled, fields({ prefixed: filled }), fields({ literal: filled })), (given) => {
  if (typeof given !== 'string' || !endsWithStar(given)) return given;
  const start = given.slice(0, -1);
  throw new Error(
    `for all names that begin with ${start}, write {prefixed: ${start}}; for this name, {literal: ${given}}`,
  );
});

function endsWithStar(name: string): boolean {
  return name.length > 1 && name.endsWith('*');
}

/** The types of resources, by the field that names one. */
const resourceFields = {
  topic: 'TOPIC',
  group: 'GROUP',
  transactional_id: 'TRANSACTIONAL_ID',
  delegation_token: 'DELEGATION_TOKEN',
  user: 'USER',
  cluster: 'CLUSTER',
  subject: 'SUBJECT',
  registry: 'REGISTRY',
} as const;

/** Whether a file can have an ACL: types that a newer broker has are left out. */
export function isKnown({ resource_type: type, operation: word }: Acl): boolean {
  const types: readonly string[] = Object.values(resourceFields);
  return types.includes(type) && operationWords.some((one) => one === word);
}

const aclFields = fields({
  principal,
  host: leftOut(host),
  allow: leftOut(described(operations, 'operations that are allowed')),
  deny: leftOut(described(operations, 'operations that are denied')),
  topic: leftOut(resource),
  group: leftOut(resource),
  transactional_id: leftOut(resource),
  delegation_token: leftOut(resource),
  user: leftOut(described(resource, 'a user whose delegation tokens others may create or describe')),
  cluster: leftOut(always(true)),
  subject: leftOut(described(resource, 'a subject of the schema registry of Redpanda (25.2 or newer)')),
  registry: leftOut(
    described(
      either(always(true), always('*')),
      'the schema registry of Redpanda as a whole; "*" for an ACL that has this name, as those of its API may',
    ),
  ),
  ...removalFields,
});

/** An entry of `acls`. */
export type AclEntry = RowOf<typeof aclFields>;

const removalRow = fields(removalFields);

const aclShape = checked(aclFields, aclFault);

/** `acls` */
export const aclsShape = described(items(aclShape), 'access control lists');

function aclFault(entry: AclEntry): string | Fault | undefined {
  const named = Object.keys(resourceFields).filter((field) => field in entry);
  if (named.length === 0) return `name a resource: ${Object.keys(resourceFields).join(', ')}`;
  if (named.length > 1) return `name one resource, not ${named.join(' and ')}`;
  if ((entry.allow === undefined) === (entry.deny === undefined)) return 'name operations to allow, or to deny';
  return unknownToRegistry(entry) ?? entryRemovalFault(entry);
}

/** Says what is wrong with the removal of an entry, whose other fields say what is removed. */
function entryRemovalFault({ absent, because }: RowOf<typeof removalRow>): string | undefined {
  return removalFault({ ...(absent !== undefined && { absent }), ...(because !== undefined && { because }) });
}

/**
 * What the registry refuses, with all other ACLs of the request: operations that it never checks, and principals and hosts
 * that it cannot read (26: src/v/pandaproxy/schema_registry/requests/acls.cc, src/v/security/acl.cc).
 */
function unknownToRegistry(entry: AclEntry): string | Fault | undefined {
  const { principal: whose, host: from = '*' } = entry;
  const { resource_type: type } = resourceOf(entry);
  const { subsystem, operations: known = [] } = resourceTypeOf(type) ?? {};
  if (subsystem !== 'registry') return undefined;
  if ((entry.allow ?? entry.deny ?? []).some((word) => word !== 'ALL' && !known.includes(word)))
    return `the operations on a ${type.toLowerCase()} are ${['ALL', ...known].join(', ').toLowerCase()}`;
  if (!/^(?:User|Group|RedpandaRole):./.test(whose) || /^(?:Group|RedpandaRole):\*$/.test(whose))
    return { way: ['principal'], why: 'the schema registry takes User:NAME, User:*, Group:NAME and RedpandaRole:NAME' };
  if (from === '*' || isIP(from) !== 0) return undefined;
  return { way: ['host'], why: 'the schema registry takes IP addresses and *, no names of hosts' };
}

const grantFields = ['produce', 'consume', 'group', 'transactional_id'] as const;
type GrantField = (typeof grantFields)[number];

const presets: Readonly<Record<GrantField, { readonly type: string; readonly operations: readonly string[] }>> = {
  produce: { type: 'TOPIC', operations: ['DESCRIBE', 'WRITE'] },
  consume: { type: 'TOPIC', operations: ['DESCRIBE', 'READ'] },
  group: { type: 'GROUP', operations: ['READ'] },
  transactional_id: { type: 'TRANSACTIONAL_ID', operations: ['DESCRIBE', 'WRITE'] },
};

const names = oneOrMore(filled);

const grantRow = fields({
  principal,
  host: leftOut(host),
  produce: leftOut(described(names, 'topics to produce to: WRITE and DESCRIBE')),
  consume: leftOut(described(names, 'topics to consume: READ and DESCRIBE')),
  group: leftOut(described(names, 'groups to consume in: READ')),
  transactional_id: leftOut(described(names, 'transactional ids to produce with: WRITE and DESCRIBE')),
  ...removalFields,
});

/** An entry of `grants`. */
export type GrantEntry = RowOf<typeof grantRow>;

/** `grants` */
export const grantsShape = described(
  items(
    checked(grantRow, (entry) =>
      grantFields.some((field) => entry[field] !== undefined)
        ? entryRemovalFault(entry)
        : `name ${grantFields.join(', ')}`,
    ),
  ),
  'what principals may do, in common terms; a * ends the beginning of names. Each becomes ACLs, which the plan shows',
);

/** The ACLs of an entry of `acls`. */
export function aclsOf(entry: AclEntry): readonly Acl[] {
  const permission = entry.allow === undefined ? 'DENY' : 'ALLOW';
  const target = resourceOf(entry);
  return (entry.allow ?? entry.deny ?? []).map((one) => ({
    principal: entry.principal,
    host: entry.host ?? '*',
    ...target,
    operation: one,
    permission,
  }));
}

type Resource = Pick<Acl, 'resource_type' | 'resource_name' | 'resource_pattern_type'>;

function resourceOf(entry: AclEntry): Resource {
  for (const [field, resource_type] of Object.entries(resourceFields)) {
    const given = entry[field as keyof typeof resourceFields];
    if (given === undefined) continue;
    if (typeof given === 'object' && 'prefixed' in given)
      return { resource_type, resource_name: given.prefixed, resource_pattern_type: 'PREFIXED' };
    const name = typeof given === 'object' ? given.literal : given;
    const resource_name = name === true ? (resourceTypeOf(resource_type)?.onlyName ?? '') : name;
    return { resource_type, resource_name, resource_pattern_type: 'LITERAL' };
  }
  throw new Error('an entry without a resource'); // `aclFault` refuses it
}

/** The ACLs of an entry of `grants`. */
export function grantedAcls(entry: GrantEntry): readonly Acl[] {
  return grantFields.flatMap((field) =>
    (entry[field] ?? []).flatMap((name) =>
      presets[field].operations.map((one) => ({
        principal: entry.principal,
        host: entry.host ?? '*',
        resource_type: presets[field].type,
        ...patternOf(name),
        operation: one,
        permission: 'ALLOW',
      })),
    ),
  );
}

function patternOf(name: string): Omit<Resource, 'resource_type'> {
  return name.length > 1 && name.endsWith('*')
    ? { resource_name: name.slice(0, -1), resource_pattern_type: 'PREFIXED' }
    : { resource_name: name, resource_pattern_type: 'LITERAL' };
}

type Section = Record<string, unknown>;

/** The sections that describe ACLs: grants where they are exactly those of a preset, and entries for the others. */
export function sectionsOf(acls: readonly Acl[]) {
  const grants = new Map<string, Section>();
  const entries: Section[] = [];
  for (const group of Map.groupBy(acls, holderKey).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const whose = { principal: first.principal, ...(first.host !== '*' && { host: first.host }) };
    const presetsOfGroup = fittingPresets(group);
    if (presetsOfGroup.length === 0) {
      entries.push({ ...whose, ...entryOf(first, group) });
      continue;
    }
    const holder = JSON.stringify([first.principal, first.host]);
    const grant: Section = grants.get(holder) ?? { ...whose };
    for (const field of presetsOfGroup) grant[field] = [...((grant[field] ?? []) as string[]), grantName(first)];
    grants.set(holder, grant);
  }
  return {
    ...(grants.size > 0 && { grants: [...grants.values()].map(inOrder) }),
    ...(entries.length > 0 && { acls: entries }),
  };
}

/** The same for ACLs of one holder on one resource, with the same permission. */
function holderKey(acl: Acl): string {
  return JSON.stringify([
    acl.principal,
    acl.host,
    acl.resource_type,
    acl.resource_name,
    acl.resource_pattern_type,
    acl.permission,
  ]);
}

/** The presets that give exactly these operations together; none if there are none. */
function fittingPresets(acls: readonly Acl[]): readonly GrantField[] {
  const [first] = acls;
  if (first === undefined || first.permission !== 'ALLOW' || !isNamedAlike(first)) return [];
  const given = new Set(acls.map((acl) => acl.operation));
  const fitting = grantFields.filter(
    (field) => presets[field].type === first.resource_type && presets[field].operations.every((one) => given.has(one)),
  );
  const covered = new Set(fitting.flatMap((field) => presets[field].operations));
  return covered.size === given.size ? fitting : [];
}

/** Whether a grant would name the resource as it is: a literal `a*` would be the beginning of names. */
function isNamedAlike(acl: Acl): boolean {
  const { resource_name, resource_pattern_type } = patternOf(grantName(acl));
  return resource_name === acl.resource_name && resource_pattern_type === acl.resource_pattern_type;
}

function grantName({ resource_name: name, resource_pattern_type: pattern }: Acl): string {
  return pattern === 'PREFIXED' ? `${name}*` : name;
}

function inOrder(grant: Section): Section {
  const order = ['principal', 'host', ...grantFields];
  return Object.fromEntries(
    order.flatMap((field) => (grant[field] === undefined ? [] : [[field, shortened(grant[field])] as const])),
  );
}

function shortened(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function entryOf(first: Acl, acls: readonly Acl[]): Section {
  const [field = ''] = Object.entries(resourceFields).find(([, type]) => type === first.resource_type) ?? [];
  return {
    [first.permission.toLowerCase()]: shortened(acls.map((acl) => acl.operation.toLowerCase())),
    [field]: namedResource(first),
  };
}

function namedResource({ resource_type: type, resource_name: name, resource_pattern_type: pattern }: Resource) {
  if (pattern === 'PREFIXED') return { prefixed: name };
  if (endsWithStar(name)) return { literal: name };
  return name === resourceTypeOf(type)?.onlyName ? true : name;
}
