import { missingError, usageError } from '../../../errors.ts';
import type { Acl } from '../../../kafka/cluster/access/acl-rows.ts';
import { resourceTypeOf } from '../../../kafka/cluster/access/acl-words.ts';
import type { PrincipalValues, ResourceValues } from './acl-flags.ts';
import { type NamedResource, resourcesOf, sidesOf } from './acl-parts.ts';

/** The flags of `security acl create`. */
export interface CreationValues extends ResourceValues, PrincipalValues {
  readonly operation: readonly string[];
  readonly resourcePatternType: string;
}

/**
 * The ACLs that the flags describe: every principal from every host, every resource and every operation.
 * @throws CliError (exit 2) when the flags describe none
 */
export function plannedAcls(values: CreationValues): readonly Acl[] {
  const sides = sidesOf(values);
  for (const { permission, principals, hosts } of sides) {
    const side = permission.toLowerCase();
    if (hosts.length > 0 && principals.length === 0)
      throw usageError(`--${side}-host needs --${side}-principal or --${side}-role`, { target: `--${side}-host` });
  }
  const resources = resourcesOf(values).map((resource) => patternOf(resource, values.resourcePatternType));
  const operations = [...new Set(values.operation)];
  const missing = [
    ...(sides.every(({ principals }) => principals.length === 0) ? ['--allow-principal (or --deny-principal)'] : []),
    ...(operations.length === 0 ? ['--operation'] : []),
    ...(resources.length === 0 ? ['--topic (or another resource)'] : []),
  ];
  if (missing.length > 0)
    throw missingError(missing.join(', '), ['for example --allow-principal ana --operation read --topic orders']);
  return sides.flatMap(({ permission, principals, hosts }) =>
    principals.flatMap((principal) =>
      (hosts.length === 0 ? ['*'] : hosts).flatMap((host) =>
        resources.flatMap((resource) =>
          operations.map((operation) => ({ principal, host, ...resource, operation, permission })),
        ),
      ),
    ),
  );
}

function patternOf({ resource_type, resource_name }: NamedResource, patternType: string) {
  if (resource_type === 'ANY') throw usageError('an ACL needs one type of resource', { target: '--resource' });
  if (resource_name === null) throw usageError('--resource needs --resource-name', { target: '--resource' });
  const hasOnlyName = resourceTypeOf(resource_type)?.onlyName !== undefined;
  return { resource_type, resource_name, resource_pattern_type: hasOnlyName ? 'LITERAL' : patternType };
}

/** Whether an operation is checked on a type of resource; true for types that weir does not know. */
export function isChecked(resourceType: string, operation: string): boolean {
  return operation === 'ALL' || (resourceTypeOf(resourceType)?.operations.includes(operation) ?? true);
}

/** Says that an operation means nothing for a type of resource. */
export function uncheckedText(resourceType: string, operation: string): string {
  const who =
    resourceTypeOf(resourceType)?.subsystem === 'registry' ? 'the schema registry never checks' : 'brokers never check';
  return `${who} ${operation} on a ${resourceType} resource`;
}

/** Warnings about ACLs that do not do what they seem to. */
export function doubtsAbout(acls: readonly Acl[]): readonly string[] {
  const doubts = new Set<string>();
  for (const { resource_type, resource_name, resource_pattern_type, operation, host } of acls) {
    if (!isChecked(resource_type, operation)) doubts.add(uncheckedText(resource_type, operation));
    if (resource_pattern_type === 'PREFIXED' && resource_name === '*')
      doubts.add('the prefix "*" matches only names that begin with "*"; a literal "*" matches every name');
    if (resource_pattern_type === 'LITERAL' && /^.+\*$/s.test(resource_name) && resource_type !== 'USER')
      doubts.add(
        `"${resource_name}" matches only that name; for all names that begin with "${resource_name.slice(0, -1)}", ` +
          'leave out the "*" and add --resource-pattern-type prefixed',
      );
    if (resource_pattern_type === 'LITERAL' && /[-._]$/.test(resource_name) && resource_type !== 'USER')
      doubts.add(
        `"${resource_name}" matches only that name; for all names that begin with it, add --resource-pattern-type prefixed`,
      );
    if (host !== '*' && !/^[\d.]+$|:/.test(host))
      doubts.add(`host "${host}" is not an IP address; Kafka compares hosts with the IP address of a client`);
  }
  return [...doubts];
}
