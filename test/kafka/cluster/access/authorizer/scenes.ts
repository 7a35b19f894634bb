import fc from 'fast-check';
import type { Acl } from '../../../../../src/kafka/cluster/access/acl-rows.ts';
import { operationNames } from '../../../../../src/kafka/cluster/access/acl-words.ts';
import type { AccessQuestion } from '../../../../../src/kafka/cluster/access/explanation-rows.ts';

/** A set of ACLs and settings, and questions about them. */
export interface Scene {
  readonly allowsUnlisted: boolean;
  readonly superUser: string;
  readonly acls: readonly Acl[];
  readonly questions: readonly (AccessQuestion & { readonly host: string })[];
}

const types = ['TOPIC', 'GROUP', 'CLUSTER', 'TRANSACTIONAL_ID', 'DELEGATION_TOKEN', 'USER'];
// Names that begin with each other, and neighbours in the order in which Kafka searches them.
const names = ['a', 'ab', 'abc', 'abd', 'b', 'a-', '*', 'aa'];
const principals = ['User:ana', 'User:bea', 'Group:ana', 'User:root'];
const hosts = ['10.0.0.1', '10.0.0.2'];
const [, all, ...operations] = operationNames;

const acl = fc.record({
  principal: fc.constantFrom(...principals, 'User:*', 'Group:*'),
  host: fc.constantFrom('*', ...hosts),
  resource_type: fc.constantFrom(...types.slice(0, 2)),
  resource_name: fc.constantFrom(...names),
  resource_pattern_type: fc.constantFrom('LITERAL', 'LITERAL', 'PREFIXED'),
  operation: fc.constantFrom(all, ...operations),
  permission: fc.constantFrom('ALLOW', 'ALLOW', 'ALLOW', 'DENY'),
});

const question = fc.record({
  principal: fc.constantFrom(...principals),
  host: fc.constantFrom(...hosts),
  operation: fc.constantFrom(...operations),
  resource_type: fc.constantFrom(...types),
  resource_name: fc.constantFrom(...names.filter((name) => name !== '*'), 'abcd'),
});

const scene = fc.record({
  allowsUnlisted: fc.boolean(),
  superUser: fc.constantFrom('', 'User:root'),
  acls: fc.uniqueArray(acl, { maxLength: 12, selector: (one) => JSON.stringify(one) }),
  questions: fc.array(question, { minLength: 40, maxLength: 40 }),
});

/** Random scenes, always the same ones. */
export function scenes(): readonly Scene[] {
  return fc.sample(scene, { seed: 20_261_122, numRuns: 60 });
}
