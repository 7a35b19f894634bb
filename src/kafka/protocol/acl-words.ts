import type { Reader, Writer } from './codec.ts';

/** The protocol's words for one field of an ACL, with their numbers. */
export interface AclWords {
  /** Returns the word of a number; `UNKNOWN_<number>` for one that weir does not know. */
  wordOf(code: number): string;
  /** Returns the number of a word, `UNKNOWN_<number>` included; 0 (UNKNOWN) for anything else. */
  codeOf(word: string): number;
}

/** Numbers the words from 1 on; 0 means UNKNOWN everywhere. */
function wordsFrom1(words: readonly string[]): AclWords {
  return {
    wordOf: (code) => words[code - 1] ?? `UNKNOWN_${code}`,
    codeOf(word) {
      const [, unknown] = /^UNKNOWN_(-?\d+)$/.exec(word) ?? [];
      return unknown === undefined ? words.indexOf(word) + 1 : Number(unknown);
    },
  };
}

/** The types of resources that ACLs apply to (`ResourceType` in Kafka). */
export const resourceTypeNames = [
  'ANY',
  'TOPIC',
  'GROUP',
  'CLUSTER',
  'TRANSACTIONAL_ID',
  'DELEGATION_TOKEN',
  'USER',
] as const;

/** How a resource name is compared; `ANY` and `MATCH` are for filters only (KIP-290). */
export const patternTypeNames = ['ANY', 'MATCH', 'LITERAL', 'PREFIXED'] as const;

/** The operations that ACLs allow or deny; `ANY` is for filters only (`AclOperation` in Kafka). */
export const operationNames = [
  'ANY',
  'ALL',
  'READ',
  'WRITE',
  'CREATE',
  'DELETE',
  'ALTER',
  'DESCRIBE',
  'CLUSTER_ACTION',
  'DESCRIBE_CONFIGS',
  'ALTER_CONFIGS',
  'IDEMPOTENT_WRITE',
  'CREATE_TOKENS',
  'DESCRIBE_TOKENS',
  'TWO_PHASE_COMMIT',
] as const;

/** Whether an ACL allows or denies; `ANY` is for filters only. */
export const permissionNames = ['ANY', 'DENY', 'ALLOW'] as const;

/** The numbers of `resourceTypeNames`. */
export const resourceTypes: AclWords = wordsFrom1(resourceTypeNames);

/** The numbers of `patternTypeNames`. */
export const patternTypes: AclWords = wordsFrom1(patternTypeNames);

/** The numbers of `operationNames`. */
export const operations: AclWords = wordsFrom1(operationNames);

/** The numbers of `permissionNames`. */
export const permissions: AclWords = wordsFrom1(permissionNames);

/** One ACL, with the protocol's words. */
export interface AclBinding {
  readonly resourceType: string;
  readonly resourceName: string;
  readonly patternType: string;
  readonly principal: string;
  readonly host: string;
  readonly operation: string;
  readonly permission: string;
}

/** Which ACLs to describe or delete; `ANY` and undefined match everything. */
export interface AclFilter {
  readonly resourceType: string;
  readonly resourceName: string | undefined;
  readonly patternType: string;
  readonly principal: string | undefined;
  readonly host: string | undefined;
  readonly operation: string;
  readonly permission: string;
}

/** Writes a filter, or a binding, whose layout is the same except that its text is never null. */
export function writeAcl(writer: Writer, acl: AclFilter): void {
  writer.int8(resourceTypes.codeOf(acl.resourceType));
  writer.nullableString(acl.resourceName);
  writer.int8(patternTypes.codeOf(acl.patternType));
  writer.nullableString(acl.principal);
  writer.nullableString(acl.host);
  writer.int8(operations.codeOf(acl.operation));
  writer.int8(permissions.codeOf(acl.permission));
}

/** The operations whose numbers are set as bits, as brokers report what a principal may do (KIP-430). */
export function operationsIn(bits: number): readonly string[] {
  return operationNames.filter((_, index) => (bits & (1 << (index + 1))) !== 0);
}

/** The resource of an ACL. */
export type AclResource = Pick<AclBinding, 'resourceType' | 'resourceName' | 'patternType'>;

/** Reads the resource of an ACL. */
export function readAclResource(reader: Reader): AclResource {
  return {
    resourceType: resourceTypes.wordOf(reader.int8()),
    resourceName: reader.string(),
    patternType: patternTypes.wordOf(reader.int8()),
  };
}

/** Reads who may do what, the rest of an ACL. */
export function readAclEntry(reader: Reader): Omit<AclBinding, keyof AclResource> {
  return {
    principal: reader.string(),
    host: reader.string(),
    operation: operations.wordOf(reader.int8()),
    permission: permissions.wordOf(reader.int8()),
  };
}
