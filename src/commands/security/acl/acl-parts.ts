import { usageError } from '../../../errors.ts';
import { resourceTypeOf } from '../../../kafka/cluster/access/acl-words.ts';
import type { PrincipalValues, ResourceValues } from './acl-flags.ts';

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
    ['CLUSTER', onlyOne('CLUSTER', values.cluster)],
    ['DELEGATION_TOKEN', values.delegationToken],
    ['USER', values.userPrincipal],
    ['REGISTRY', onlyOne('REGISTRY', values.registryGlobal)],
    ['SUBJECT', values.registrySubject],
  ];
  const resources = named.flatMap(([resource_type, names]) =>
    [...new Set(names)].map((resource_name) => ({ resource_type, resource_name })),
  );
  const old = oldResources(values);
  if (old.length === 0) return resources;
  if (resources.length === 0) return old;
  throw usageError('--resource and --resource-name cannot be combined with --topic, --group, --cluster and so on');
}

/** The name of the only resource of a type, if its flag is given. */
function onlyOne(type: string, isNamed: boolean): readonly string[] {
  return isNamed ? [resourceTypeOf(type)?.onlyName ?? ''] : [];
}

function oldResources({ resource, resourceName }: ResourceValues): readonly NamedResource[] {
  if (resource === undefined && resourceName.length === 0) return [];
  if (resource === 'CLUSTER') return [{ resource_type: resource, resource_name: onlyOne(resource, true)[0] ?? null }];
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
