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

/** The operations whose numbers are set as bits, as brokers report what a principal may do (KIP-430). */
export function operationsIn(bits: number): readonly string[] {
  return operationNames.filter((_, index) => (bits & (1 << (index + 1))) !== 0);
}
