import { usageError } from '../../../errors.ts';
import type { AclFilter } from '../../../kafka/cluster/access/acl-rows.ts';
import type { FilterValues } from './acl-flags.ts';
import { resourcesOf, type Side, sidesOf } from './acl-parts.ts';

/** Who a filter selects. */
type Who = Pick<AclFilter, 'principal' | 'host' | 'permission'>;

/** The filters that the flags describe: every combination; what they leave out matches everything. */
export function plannedFilters(values: FilterValues): readonly AclFilter[] {
  const named = resourcesOf(values);
  const resources = named.length === 0 ? [{ resource_type: 'ANY', resource_name: null }] : named;
  const operations = values.operation.length === 0 ? ['ANY'] : [...new Set(values.operation)];
  return whoOf(values).flatMap((who) =>
    resources.flatMap((resource) =>
      operations.map((operation) => ({
        ...who,
        ...resource,
        // The registry has no name; whatever an ACL calls it, it is the same.
        resource_name: resource.resource_name === '' ? null : resource.resource_name,
        resource_pattern_type: values.resourcePatternType,
        operation,
      })),
    ),
  );
}

/** Whether the flags select anything but all ACLs. */
export function isNarrow(filters: readonly AclFilter[]): boolean {
  return filters.some(
    ({ principal, host, resource_type, resource_name, resource_pattern_type, operation, permission }) =>
      [principal, host, resource_name].some((text) => text !== null) ||
      [resource_type, operation, permission].some((word) => word !== 'ANY') ||
      ['LITERAL', 'PREFIXED'].includes(resource_pattern_type),
  );
}

function whoOf(values: FilterValues): readonly Who[] {
  const sides = sidesOf(values).filter(({ principals, hosts }) => principals.length + hosts.length > 0);
  const hasOld = values.permission !== undefined || values.principal.length + values.host.length > 0;
  if (hasOld && sides.length > 0)
    throw usageError('--permission, --principal and --host cannot be combined with the --allow- and --deny- flags');
  if (hasOld) return combined(values.permission ?? 'ANY', values.principal, values.host);
  checkSides(sides);
  if (sides.length === 0) return combined('ANY', [], []);
  return sides.flatMap(({ permission, principals, hosts }) => combined(permission, principals, hosts));
}

function combined(permission: string, principals: readonly string[], hosts: readonly string[]): readonly Who[] {
  const orAny = (names: readonly string[]): readonly (string | null)[] => (names.length === 0 ? [null] : names);
  return orAny(principals).flatMap((principal) => orAny(hosts).map((host) => ({ principal, host, permission })));
}

/** Principals of one side with hosts of the other only: it is not clear which ACLs are meant. */
function checkSides([first, second]: readonly Side[]): void {
  if (first === undefined || second === undefined) return;
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    if (one.hosts.length > 0 || other.principals.length > 0 || one.principals.length === 0) continue;
    const [side, opposite] = [one.permission.toLowerCase(), other.permission.toLowerCase()];
    throw usageError(`--${side}-principal without --${side}-host cannot be combined with --${opposite}-host alone`, {
      hints: [`add --${side}-host, or run the command once for each side`],
    });
  }
}
