import { usageError } from '../../../errors.ts';
import type { PrincipalValues, ResourceValues } from './acl-flags.ts';
import { clusterName } from './acl-kinds.ts';

/** A resource of the flags; the name is null for any name of the type. */
export interface NamedResource {
  readonly resource_type: string;
  readonly resource_name: string | null;
}

/**
 * The resources that the flags name, each once.
 * @throws CliError when the deprecated flags are combined with the others, or lack a name
 */
export function resourcesOf(values: ResourceValues): readonly NamedResource[] {
  const named: readonly (readonly [string, readonly string[]])[] = [
    ['TOPIC', values.topic],
    ['GROUP', values.group],
    ['TRANSACTIONAL_ID', values.transactionalId],
    ['CLUSTER', values.cluster ? [clusterName] : []],
    ['DELEGATION_TOKEN', values.delegationToken],
    ['USER', values.userPrincipal],
  ];
  const resources = named.flatMap(([resource_type, names]) =>
    [...new Set(names)].map((resource_name) => ({ resource_type, resource_name })),
  );
  const old = oldResources(values);
  if (old.length === 0) return resources;
  if (resources.length === 0) return old;
  throw usageError('--resource and --resource-name cannot be combined with --topic, --group, --cluster and so on');
}

function oldResources({ resource, resourceName }: ResourceValues): readonly NamedResource[] {
  if (resource === undefined && resourceName.length === 0) return [];
  if (resource === 'CLUSTER') return [{ resource_type: 'CLUSTER', resource_name: clusterName }];
  const names = resourceName.length === 0 ? [null] : resourceName;
  return names.map((resource_name) => ({ resource_type: resource ?? 'ANY', resource_name }));
}

/** The principals and hosts that the flags name for one permission. */
export interface Side {
  readonly permission: 'ALLOW' | 'DENY';
  readonly principals: readonly string[];
  readonly hosts: readonly string[];
}

/** Both sides of the flags; a side may be empty. */
export function sidesOf(values: PrincipalValues): readonly Side[] {
  return [
    {
      permission: 'ALLOW',
      principals: [...new Set([...values.allowPrincipal, ...values.allowRole])],
      hosts: [...new Set(values.allowHost)],
    },
    {
      permission: 'DENY',
      principals: [...new Set([...values.denyPrincipal, ...values.denyRole])],
      hosts: [...new Set(values.denyHost)],
    },
  ];
}
