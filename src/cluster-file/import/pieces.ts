import { compareText } from '../../format/order.ts';
import { type Acl, keyOfAcl } from '../../kafka/cluster/access/acl-rows.ts';
import { operationNames, resourceTypeNames, resourceTypeOf } from '../../kafka/cluster/access/acl-words.ts';
import { at, either, type FieldsOf, listOf, mapped, type Row, row, string, unless, whole } from '../../shape/shape.ts';
import type { EntryPiece, Piece, Way } from './resource.ts';

/** An entry with a name; fields without a value are left out. */
export function piece(section: string, name: string, fields: Readonly<Record<string, unknown>>): EntryPiece {
  return { section, name, entry: withValues(fields) };
}

function withValues(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** Configs as text, as a cluster file has them; null sets nothing. */
export function configsOf(
  configs: Readonly<Record<string, unknown>> | null,
): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(withValues(configs ?? {})).map(([key, value]) => [key, String(value)] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)));
}

/** A number of partitions or replicas; -1 stands for the default of the cluster. */
export function unlessDefault(count: unknown): unknown {
  return count === -1 ? undefined : count;
}

/** Why the address and the credentials of a cluster are not read. */
export const connection = 'how to connect belongs in a profile';

/** Why no password is read: it is not in a cluster file. */
export const setPassword = 'set it in the variable that the file names';

/** A user with SCRAM credentials. */
export function userPiece(name: string, mechanism: string, iterations?: unknown): EntryPiece {
  return piece('users', name, { mechanisms: [mechanism.toUpperCase()], iterations });
}

/** The quotas of an entity; nothing if there are none. */
export function quotaPieces(
  entity: Readonly<Record<string, string | undefined>>,
  quotas: Readonly<Record<string, unknown>>,
): readonly Piece[] {
  const given = withValues(quotas);
  if (Object.keys(given).length === 0) return [];
  const whose = withValues(entity);
  return [{ section: 'quotas', name: JSON.stringify(whose), entry: { ...whose, ...given } }];
}

/** Where the parts of an ACL are in a format. */
interface RuleFields {
  readonly type: string;
  readonly name: string;
  readonly pattern: string;
  readonly host: string;
  readonly permission: string;
  readonly operations: string;
}

const oneOrMore = either(
  mapped(string, (one) => [one]),
  listOf(string),
);

/** The row of an ACL, with the fields of a format. */
export function ruleRow(fields: RuleFields) {
  return row({
    type: at(fields.type, string),
    name: at(fields.name, unless('', string)),
    pattern: at(fields.pattern, unless('literal', string)),
    host: at(fields.host, unless('*', string)),
    permission: at(fields.permission, unless('allow', string)),
    operations: at(fields.operations, oneOrMore),
  });
}

type RuleRow = ReturnType<typeof ruleRow>;

/** An ACL in the words of a format. */
export type Rule = RuleRow extends Row<infer F> ? FieldsOf<F> : never;

const [, ...operationWords] = operationNames;

/** The ACLs of a rule: one for each operation. */
export function aclPieces(principal: string, rule: Rule, way: Way = []): readonly Piece[] {
  const type = wordOf(resourceTypeNames, rule.type);
  const pattern = wordOf(['LITERAL', 'PREFIXED'], rule.pattern.replace(/^prefix$/i, 'prefixed'));
  const permission = wordOf(['ALLOW', 'DENY'], rule.permission);
  const lost = (what: string, why: string): readonly Piece[] => [{ lost: `ACL with ${what}`, why, way }];
  if (type === undefined) return lost(`the resource type ${rule.type}`, 'weir does not know it');
  if (pattern === undefined)
    return lost(`the pattern type ${rule.pattern}`, 'Kafka has literal and prefixed names only');
  if (permission === undefined) return lost(`the permission ${rule.permission}`, 'expected allow or deny');
  if (rule.operations.length === 0) return lost('no operations', 'it does nothing');
  const isAnyRegistry = type === 'REGISTRY' && rule.name === '*';
  const resource_name = isAnyRegistry ? rule.name : (resourceTypeOf(type)?.onlyName ?? rule.name);
  return rule.operations.flatMap((text) => {
    const operation = wordOf(operationWords, text);
    if (operation === undefined) return lost(`the operation ${text}`, 'weir does not know it');
    const acl: Acl = {
      principal,
      host: rule.host,
      resource_type: type,
      resource_name,
      resource_pattern_type: pattern,
      operation,
      permission,
    };
    return [{ section: 'acls', name: keyOfAcl(acl), entry: acl, way }];
  });
}

/** The ACLs of several rules in a list. */
export function aclPiecesOf(principal: string, rules: readonly Rule[], way: Way): readonly Piece[] {
  return rules.flatMap((rule, index) => aclPieces(principal, rule, [...way, index]));
}

/** The word of Kafka that a text means, whatever its case and separators: `DescribeConfigs`, `describe-configs`. */
function wordOf(words: readonly string[], text: string): string | undefined {
  const bare = (one: string) => one.replace(/[^a-z]/gi, '').toUpperCase();
  return words.find((word) => bare(word) === bare(text));
}

/** The fields of a schema in a format. */
interface Schema {
  readonly level?: string | null | undefined;
  readonly type?: string | null | undefined;
  readonly schema?: string | undefined;
  readonly references?: readonly Reference[];
}

/** The row of a reference to another schema, with the fields that all formats have. */
export function referenceRow(subject = 'subject') {
  return row({ name: string, subject: at(subject, string), version: either(whole, string) });
}

type Reference = ReturnType<typeof referenceRow> extends Row<infer F> ? FieldsOf<F> : never;

/** The schema of a subject. */
export function schemaPiece(subject: string, { level, type, references = [], ...text }: Schema): EntryPiece {
  return piece('schemas', subject, {
    level: level?.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(),
    type: type?.toUpperCase(),
    ...text,
    references:
      references.length === 0
        ? undefined
        : references.map(({ name, subject: other, version }) => ({ [name]: other, version: versionOf(version) })),
  });
}

function versionOf(version: string | number): string | number {
  if (String(version) === '-1') return 'latest';
  return /^\d+$/.test(String(version)) ? Number(version) : version;
}
