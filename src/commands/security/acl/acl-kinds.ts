import {
  kafkaTypeNames,
  operationNames,
  patternTypeNames,
  resourceTypeNames,
  resourceTypeOf,
} from '../../../kafka/cluster/access/acl-words.ts';
import { type Kind, oneOf } from '../../../kinds.ts';
import { isDistinguishedName } from '../../distinguished-name.ts';

/** A word of the protocol, read without regard to case and to `_`, `-` and `.`, and returned in upper case. */
function aclWord(name: string, words: readonly string[], others: Readonly<Record<string, string>> = {}): Kind<string> {
  const choices = words.map((word) => word.toLowerCase());
  const byPlain = new Map([...words.map((word) => [plain(word), word] as const), ...Object.entries(others)]);
  return {
    name,
    hint: name.toUpperCase().replaceAll(' ', '-'),
    choices,
    parse(value) {
      const word = byPlain.get(plain(value));
      if (word === undefined) throw new Error(`not one of ${choices.join(', ')}`);
      return word;
    },
    show: (value) => value.toLowerCase(),
    json: (value) => value,
  };
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[_.-]/g, '');
}

const [, ...operationsOfAcls] = operationNames;

/** An operation that an ACL can name. */
export const operation = aclWord('operation', operationsOfAcls);

/** An operation in a filter; `any` matches all of them. */
export const operationFilter = aclWord('operation', operationNames);

/** How the name of a resource is compared. */
export const patternType = aclWord('pattern type', ['LITERAL', 'PREFIXED'], { prefix: 'PREFIXED' });

/** The same in a filter, with `any` and `match`. */
export const patternTypeFilter = aclWord('pattern type', patternTypeNames, { prefix: 'PREFIXED' });

/** The type of a resource, for the deprecated flag `--resource`. */
export const resourceType = aclWord('resource type', kafkaTypeNames);

/** The permission in a filter, for the deprecated flag `--permission`. */
export const permissionFilter = aclWord('permission', ['ANY', 'ALLOW', 'DENY']);

/** Who keeps ACLs: the brokers, or the schema registry of Redpanda, which has those of its own resources. */
export const subsystem = oneOf('subsystem', ['kafka', 'registry']);

/** A principal: `TYPE:NAME`, or a name, which gets the type `User`. */
export const principal: Kind<string> = {
  name: 'principal',
  hint: 'PRINCIPAL',
  completes: 'user',
  parse(value) {
    const [, type, name] = /^(?:([A-Z][A-Za-z]*):)?(.*)$/s.exec(value) ?? [];
    if (name === undefined || name === '') throw new Error('the name is empty');
    return `${type ?? 'User'}:${name}`;
  },
  isWhole: (value) => isDistinguishedName(value),
  show: (value) => value,
};

/** A role, which is a principal of the type `RedpandaRole`. */
export const role: Kind<string> = {
  name: 'role',
  hint: 'ROLE',
  completes: 'role',
  parse: (value) => `RedpandaRole:${notEmpty(value.replace(/^RedpandaRole:/, ''))}`,
  show: (value) => value,
};

/** The name of a resource, or a host; brokers compare it as text. */
export const resourceName: Kind<string> = {
  name: 'resource name',
  hint: 'NAME',
  parse: notEmpty,
  show: (value) => value,
};

/** The name of a topic as a resource. */
export const topicResource: Kind<string> = { ...resourceName, completes: 'topic' };

/** The name of a group as a resource. */
export const groupResource: Kind<string> = { ...resourceName, completes: 'group' };

/** The name of a subject of the schema registry as a resource. */
export const subjectResource: Kind<string> = { ...resourceName, completes: 'subject' };

/** The IP address of clients, or `*` for all of them. */
export const clientHost: Kind<string> = { ...resourceName, name: 'host', hint: 'HOST' };

const [, , ...plainOperations] = operationNames;

/** An operation that brokers check. */
export const checkedOperation = aclWord('operation', plainOperations);

/** A resource with its type. */
export interface OneResource {
  readonly resource_type: string;
  readonly resource_name: string;
}

const oneType = aclWord('resource type', resourceTypeNames);
const resourceForms =
  'use topic:NAME, group:NAME, transactional-id:NAME, delegation-token:NAME, user:NAME, cluster, subject:NAME or registry';

/** One resource: `TYPE:NAME`, or the type alone where there is only one, such as `cluster`. */
export const oneResource: Kind<OneResource> = {
  name: 'resource',
  hint: 'RESOURCE',
  parse(value) {
    const [, word = '', name = ''] = /^([^:]*):?(.*)$/s.exec(value) ?? [];
    if (!resourceTypeNames.some((one) => plain(one) === plain(word))) throw new Error(resourceForms);
    const resource_type = oneType.parse(word);
    const { onlyName } = resourceTypeOf(resource_type) ?? {};
    if (onlyName !== undefined) return { resource_type, resource_name: onlyName };
    if (name === '') throw new Error(resourceForms);
    if (name === '*') throw new Error('name one resource, not "*"');
    return { resource_type, resource_name: resource_type === 'USER' ? principal.parse(name) : name };
  },
  show: ({ resource_type, resource_name }) => `${resource_type.toLowerCase()}:${resource_name}`,
};

function notEmpty(value: string): string {
  if (value === '') throw new Error('it is empty');
  return value;
}
