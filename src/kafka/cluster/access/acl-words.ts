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

/** A type of resources that ACLs apply to. */
export interface ResourceType {
  readonly name: string;
  /** Who keeps its ACLs and checks them: the brokers, or the schema registry of Redpanda 25.2 and newer. */
  readonly subsystem: 'kafka' | 'registry';
  /**
   * The operations that are checked: `AclEntry.supportedOperations` in Kafka, and DELETE on the cluster, with which Kafka
   * deletes any topic; for the registry, those that Redpanda accepts.
   */
  readonly operations: readonly string[];
  /** The name of the only resource of the type; such a name is no prefix. */
  readonly onlyName?: string;
}

/** The types of resources; those of Kafka in the order of their numbers (`ResourceType` in Kafka), which begin with 2. */
const resourceTypeTable: readonly ResourceType[] = [
  {
    name: 'TOPIC',
    subsystem: 'kafka',
    operations: ['READ', 'WRITE', 'CREATE', 'DESCRIBE', 'DELETE', 'ALTER', 'DESCRIBE_CONFIGS', 'ALTER_CONFIGS'],
  },
  {
    name: 'GROUP',
    subsystem: 'kafka',
    operations: ['READ', 'DESCRIBE', 'DELETE', 'DESCRIBE_CONFIGS', 'ALTER_CONFIGS'],
  },
  {
    name: 'CLUSTER',
    subsystem: 'kafka',
    onlyName: 'kafka-cluster',
    operations: [
      'CREATE',
      'DELETE',
      'ALTER',
      'DESCRIBE',
      'DESCRIBE_CONFIGS',
      'ALTER_CONFIGS',
      'CLUSTER_ACTION',
      'IDEMPOTENT_WRITE',
    ],
  },
  { name: 'TRANSACTIONAL_ID', subsystem: 'kafka', operations: ['DESCRIBE', 'WRITE', 'TWO_PHASE_COMMIT'] },
  { name: 'DELEGATION_TOKEN', subsystem: 'kafka', operations: ['DESCRIBE'] },
  { name: 'USER', subsystem: 'kafka', operations: ['CREATE_TOKENS', 'DESCRIBE_TOKENS'] },
  // rpk gives the registry no name; ACLs that were made with the API may have the name "*".
  {
    name: 'REGISTRY',
    subsystem: 'registry',
    onlyName: '',
    operations: ['READ', 'DESCRIBE', 'DESCRIBE_CONFIGS', 'ALTER_CONFIGS'],
  },
  {
    name: 'SUBJECT',
    subsystem: 'registry',
    operations: ['READ', 'WRITE', 'DELETE', 'DESCRIBE', 'DESCRIBE_CONFIGS', 'ALTER_CONFIGS'],
  },
];

/** What is known about a type of resources; undefined for `ANY` and for types that weir does not know. */
export function resourceTypeOf(name: string): ResourceType | undefined {
  return resourceTypeTable.find((type) => type.name === name);
}

/** The names of the types of resources, without `ANY`. */
export const resourceTypeNames: readonly string[] = resourceTypeTable.map(({ name }) => name);

/** Those that Kafka's protocol has numbers for, with `ANY`. */
export const kafkaTypeNames: readonly string[] = [
  'ANY',
  ...resourceTypeTable.filter(({ subsystem }) => subsystem === 'kafka').map(({ name }) => name),
];

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

/** The numbers of `kafkaTypeNames`. */
export const resourceTypes: AclWords = wordsFrom1(kafkaTypeNames);

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
