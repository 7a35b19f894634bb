import { flag, list, toggle, type ValuesOf } from '../../../cli/command.ts';
import { text } from '../../../kinds.ts';
import {
  clientHost,
  groupResource,
  operationFilter,
  patternTypeFilter,
  permissionFilter,
  principal,
  resourceName,
  resourceType,
  role,
  subjectResource,
  subsystem,
  topicResource,
} from './acl-kinds.ts';

/** The flags that name resources. */
export const resourceFlags = {
  topic: list(topicResource, { splits: true, help: 'topics; "*" is every topic' }),
  group: list(groupResource, { splits: true, help: 'groups; "*" is every group' }),
  transactionalId: list(resourceName, { splits: true, help: 'transactional ids; "*" is every one' }),
  cluster: toggle({ help: 'the cluster itself' }),
  delegationToken: list(resourceName, { splits: true, help: 'ids of delegation tokens; "*" is every one' }),
  userPrincipal: list(principal, { splits: true, help: 'users whose delegation tokens others may create or describe' }),
  registryGlobal: toggle({ help: 'the schema registry as a whole (Redpanda 25.2 or newer)' }),
  registrySubject: list(subjectResource, {
    splits: true,
    help: 'subjects of the schema registry (Redpanda 25.2 or newer); "*" is every subject',
  }),
  resource: flag(resourceType, { hidden: true, help: 'deprecated: use --topic, --group, --cluster and so on' }),
  resourceName: list(resourceName, { splits: true, hidden: true, help: 'deprecated: use --topic, --group and so on' }),
} as const;

/** The flags that name principals and hosts. */
export const principalFlags = {
  allowPrincipal: list(principal, { splits: true, help: 'principals that are allowed; "*" is every user' }),
  denyPrincipal: list(principal, { splits: true, help: 'principals that are denied; "*" is every user' }),
  allowRole: list(role, { splits: true, help: 'roles (Redpanda) that are allowed' }),
  denyRole: list(role, { splits: true, help: 'roles (Redpanda) that are denied' }),
  allowHost: list(clientHost, {
    splits: true,
    help: 'IP addresses that the allowed principals connect from (default: *)',
  }),
  denyHost: list(clientHost, {
    splits: true,
    help: 'IP addresses that the denied principals connect from (default: *)',
  }),
} as const;

/** The flags that select ACLs. */
export const filterFlags = {
  ...principalFlags,
  operation: list(operationFilter, { splits: true, help: 'operations (default: any)' }),
  ...resourceFlags,
  resourcePatternType: flag(patternTypeFilter, {
    help: 'how names are compared: any, match, literal or prefixed',
    fallback: 'ANY',
    aliases: ['name-pattern'],
  }),
} as const;

/** The flag of both verbs that select ACLs. */
export const printFilters = toggle({ short: 'f', help: 'print the filters that the flags describe' });

/** Whose ACLs to list. */
export const subsystemFlag = list(subsystem, {
  splits: true,
  help: 'only the ACLs of the brokers (kafka), or of the schema registry (registry)',
});

/** rpk's old spelling of filters, hidden. */
export const oldFilterFlags = {
  permission: flag(permissionFilter, { hidden: true, help: 'deprecated: use --allow-principal or --deny-principal' }),
  principal: list(principal, {
    splits: true,
    hidden: true,
    help: 'deprecated: use --allow-principal or --deny-principal',
  }),
  host: list(text, { splits: true, hidden: true, help: 'deprecated: use --allow-host or --deny-host' }),
} as const;

/** The values of `resourceFlags`. */
export type ResourceValues = ValuesOf<typeof resourceFlags>;

/** The values of `principalFlags`. */
export type PrincipalValues = ValuesOf<typeof principalFlags>;

/** The values of the flags of `security acl list` and `security acl delete` that select ACLs. */
export type FilterValues = ValuesOf<typeof filterFlags & typeof oldFilterFlags>;
