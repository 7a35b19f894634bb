import { isIP, isIPv6 } from 'node:net';
import type { ReadRequestOf } from '../../../kafka/protocol/wire/api.ts';
import { createAcls } from '../../../kafka/protocol/wire/apis/create-acls.ts';
import { deleteAcls } from '../../../kafka/protocol/wire/apis/delete-acls.ts';
import { describeAcls } from '../../../kafka/protocol/wire/apis/describe-acls.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { type Handler, handler } from '../serve/handler.ts';
import { isTopicName } from '../topics/new-topics.ts';

type Creation = ReadRequestOf<typeof createAcls>['creations'][number];
type Filter = Omit<ReadRequestOf<typeof describeAcls>, 'throttleTimeMs'>;
type Acls = Map<string, Creation>;

/** The numbers that filters have for any value, and for what a name matches. */
const any = 1;
const match = 2;
const patternLiteral = 3;
const patternPrefixed = 4;
const topicType = 2;
const clusterType = 4;
const lastResourceType = 5;
const lastOperation = 12;

/**
 * The handlers of ACLs as Redpanda 26.1 has them: server.cc:1963, handlers/delete_acls.cc, describe_acls.cc and
 * details/security.h. They are kept and compared, and allow or deny nothing.
 */
export function createAclHandlers(): readonly Handler[] {
  const acls: Acls = new Map();
  return [describeHandler(acls), createHandler(acls), deleteHandler(acls)];
}

function describeHandler(acls: Acls): Handler {
  return handler(describeAcls, {
    handle(_context, filter) {
      const errorMessage = faultOfFilter(filter);
      if (errorMessage !== undefined) return { errorCode: codes.INVALID_REQUEST, errorMessage, resources: [] };
      const found = [...acls.values()].filter((acl) => matches(filter, acl));
      const byResource = Map.groupBy(found, (acl) =>
        JSON.stringify([acl.resourceType, acl.resourceName, acl.resourcePatternType]),
      );
      const resources = [...byResource.values()].flatMap((rows) =>
        rows.slice(0, 1).map(({ resourceType, resourceName, resourcePatternType: patternType }) => ({
          resourceType,
          resourceName,
          patternType,
          acls: rows,
        })),
      );
      return { errorCode: codes.NONE, errorMessage: undefined, resources };
    },
    refuse: (_request, errorCode) => ({ errorCode, errorMessage: undefined, resources: [] }),
  });
}

function createHandler(acls: Acls): Handler {
  return handler(createAcls, {
    handle: (_context, { creations }) => ({
      results: creations.map((given) => {
        const acl = { ...given, host: addressText(given.host) };
        const errorMessage = faultOf(acl);
        if (errorMessage !== undefined) return { errorCode: codes.INVALID_REQUEST, errorMessage };
        acls.set(JSON.stringify(Object.values(acl)), acl);
        return { errorCode: codes.NONE, errorMessage };
      }),
    }),
    refuse: ({ creations }, errorCode) => ({ results: creations.map(() => ({ errorCode, errorMessage: undefined })) }),
  });
}

function deleteHandler(acls: Acls): Handler {
  return handler(deleteAcls, {
    handle: (_context, { filters }) => ({
      filterResults: filters.map((filter) => {
        const errorMessage = faultOfFilter(filter);
        if (errorMessage !== undefined) return { errorCode: codes.INVALID_REQUEST, errorMessage, matchingAcls: [] };
        const deleted = [...acls].filter(([, acl]) => matches(filter, acl));
        for (const [key] of deleted) acls.delete(key);
        const matchingAcls = deleted.map(([, { resourcePatternType: patternType, ...acl }]) => ({
          errorCode: codes.NONE,
          errorMessage,
          patternType,
          ...acl,
        }));
        return { errorCode: codes.NONE, errorMessage, matchingAcls };
      }),
    }),
    refuse: ({ filters }, errorCode) => ({
      filterResults: filters.map(() => ({ errorCode, errorMessage: undefined, matchingAcls: [] })),
    }),
  });
}

/** What is wrong with an ACL; undefined if it can be created. */
function faultOf(acl: Creation): string | undefined {
  const { resourceType: type, resourceName: name, resourcePatternType: pattern, operation, permissionType } = acl;
  if (name === '') return 'Empty resource name';
  const fault =
    faultOfNumber('resource type', type, [topicType, lastResourceType]) ??
    faultOfNumber('resource pattern type', pattern, [patternLiteral, patternPrefixed]);
  if (fault !== undefined) return fault;
  if (type === clusterType && name !== 'kafka-cluster') return `Invalid cluster name: ${name}`;
  if (type === topicType && name !== '*' && !isTopicName(name)) return `${name} is not the name of a topic`;
  return (
    faultOfPrincipal(acl.principal) ??
    faultOfHost(acl.host) ??
    faultOfNumber('operation', operation, [2, lastOperation]) ??
    faultOfNumber('permission', permissionType, [2, 3])
  );
}

function faultOfFilter({ principalFilter: principal, ...filter }: Filter): string | undefined {
  return (
    faultOfNumber('resource type', filter.resourceTypeFilter, [any, lastResourceType]) ??
    faultOfNumber('resource pattern type', filter.patternTypeFilter, [any, patternPrefixed]) ??
    (principal === undefined ? undefined : faultOfPrincipal(principal)) ??
    faultOfNumber('operation', filter.operation, [any, lastOperation]) ??
    faultOfNumber('permission', filter.permissionType, [any, 3])
  );
}

function faultOfNumber(what: string, value: number, [least, most]: readonly [number, number]): string | undefined {
  return value >= least && value <= most ? undefined : `Invalid ${what}: ${value}`;
}

function faultOfPrincipal(principal: string): string | undefined {
  const [, type, name] = /^(User|Group|RedpandaRole):(.*)$/s.exec(principal) ?? [];
  if (type === undefined || name === '') return `Invalid principal name: {${principal}}`;
  return name === '*' && type !== 'User' ? `Illegal wildcard principal: {${principal}}` : undefined;
}

/** Addresses are kept, and not their texts. */
function addressText(host: string): string {
  return isIPv6(host) ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host;
}

/** Only Kafka takes the names of hosts (details/security.h:43). */
function faultOfHost(host: string): string | undefined {
  return host === '*' || isIP(host) !== 0 ? undefined : `Invalid host ${host}: it is no IP address`;
}

function matches(filter: Filter, acl: Creation): boolean {
  const isAny = (wanted: number, value: number) => wanted === any || wanted === value;
  const isOpen = (wanted: string | undefined, value: string) => wanted === undefined || wanted === value;
  return (
    isAny(filter.resourceTypeFilter, acl.resourceType) &&
    matchesName(filter, acl) &&
    isOpen(filter.principalFilter, acl.principal) &&
    isOpen(filter.hostFilter && addressText(filter.hostFilter), acl.host) &&
    isAny(filter.operation, acl.operation) &&
    isAny(filter.permissionType, acl.permissionType)
  );
}

function matchesName(
  { resourceNameFilter: wanted, patternTypeFilter: type }: Filter,
  { resourceName: name, resourcePatternType: pattern }: Creation,
): boolean {
  if (type !== any && type !== match && type !== pattern) return false;
  if (wanted === undefined || wanted === name) return true;
  if (type !== match) return false;
  return pattern === patternPrefixed ? wanted.startsWith(name) : name === '*';
}
