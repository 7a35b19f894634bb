import type { Context } from '../../../context.ts';
import { CliError, itemErrorOf, usageError } from '../../../errors.ts';
import {
  type Acl,
  type AclFilter,
  type AclListing,
  type AclOutcome,
  keyOfAcl,
  selects,
  sortedAcls,
} from '../../../kafka/cluster/access/acl-rows.ts';
import { resourceTypeOf } from '../../../kafka/cluster/access/acl-words.ts';

const subsystems = ['kafka', 'registry'] as const;

/** Who keeps ACLs: the brokers, or the schema registry of Redpanda, which has those of its own resources. */
type Subsystem = (typeof subsystems)[number];

/**
 * Lists the ACLs that match any of the filters. Without a resource type, those of the registry of a Redpanda cluster are
 * included if it is known; what cannot be read there is an error of the filters.
 * @param chosen the subsystems to list; none means both
 */
export async function listAcls(
  context: Context,
  filters: readonly AclFilter[],
  chosen: readonly Subsystem[] = [],
): Promise<AclListing> {
  const wanted = chosen.length === 0 ? subsystems : chosen;
  if (!filters.every((filter) => wanted.some((one) => isFor(filter, one))))
    throw usageError(`--subsystem ${wanted.join()} has no such resource`, { target: '--subsystem' });
  const filtersOf = (one: Subsystem) => (wanted.includes(one) ? filters.filter((filter) => isFor(filter, one)) : []);
  const [ofKafka, ofRegistry] = [filtersOf('kafka'), filtersOf('registry')];
  const isAsked = ofKafka.length === 0 || ofRegistry.some(({ resource_type: type }) => type !== 'ANY');
  const [kafka, registry] = await Promise.all([
    ofKafka.length === 0 ? undefined : context.kafka().then((kafka) => kafka.listAcls(ofKafka)),
    ofRegistry.length === 0 ? [] : registryAcls(context, isAsked),
  ]);
  const failure = registry instanceof CliError ? itemErrorOf(registry) : null;
  const found = registry instanceof CliError ? [] : registry;
  const kafkaErrors = new Map(kafka?.filters.map(({ error, ...filter }) => [JSON.stringify(filter), error]));
  return {
    filters: filters.map((filter) => {
      const error = kafkaErrors.get(JSON.stringify(filter)) ?? (ofRegistry.includes(filter) ? failure : null);
      return { ...filter, error };
    }),
    matches: sortedAcls([
      ...(kafka?.matches ?? []),
      ...found.filter((acl) => ofRegistry.some((filter) => selects(filter, acl))),
    ]),
  };
}

function isFor({ resource_type: type }: AclFilter, subsystem: Subsystem): boolean {
  return type === 'ANY' || (resourceTypeOf(type)?.subsystem ?? 'kafka') === subsystem;
}

/** Whether an ACL is one of the registry. */
export function isOfRegistry({ resource_type: type }: Pick<Acl, 'resource_type'>): boolean {
  return resourceTypeOf(type)?.subsystem === 'registry';
}

/**
 * All ACLs of the registry, or why they cannot be read.
 * @param isAsked whether the command names the registry: otherwise none are expected outside of Redpanda
 * @throws CliError if the command names the registry
 */
async function registryAcls(context: Context, isAsked: boolean): Promise<readonly Acl[] | CliError> {
  if (isAsked) return await requireRegistryAcls(context);
  if ((await (await context.kafka()).isRedpanda()) !== true) return [];
  if (!(await hasRegistry(context))) {
    context.notice('ACLs of the schema registry (Redpanda 25.2 or newer) are not included: registry.hosts is not set');
    return [];
  }
  try {
    return await (await context.registry()).aclsIfServed();
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof CliError) return error;
    throw error;
  }
}

/** All ACLs of the registry. @throws CliError (exit 1) if it is a registry that has no such thing */
export async function requireRegistryAcls(context: Context): Promise<readonly Acl[]> {
  return (await context.registry()).acls();
}

/** Deletes the ACLs of a principal that the registry keeps, if it is known and has ACLs at all. */
export async function deleteRegistryAclsOf(context: Context, principal: string): Promise<void> {
  if (!(await hasRegistry(context))) return;
  const registry = await context.registry();
  const acls = (await registry.aclsIfServed()).filter((acl) => acl.principal === principal);
  if (acls.length > 0) await registry.deleteAcls(acls);
}

/** Whether a registry is configured; without, weir would ask whatever listens on this machine. */
async function hasRegistry(context: Context): Promise<boolean> {
  return (await context.config()).setting('registry.hosts').source !== 'default';
}

/** Returns which of the ACLs exist. */
export async function existingAcls(context: Context, acls: readonly Acl[]): Promise<ReadonlySet<Acl>> {
  const ofKafka = acls.filter((acl) => !isOfRegistry(acl));
  const existing = ofKafka.length === 0 ? [] : await (await context.kafka()).existingAcls(ofKafka);
  if (ofKafka.length === acls.length) return new Set(existing);
  const keys = new Set((await requireRegistryAcls(context)).map(keyOfAcl));
  return new Set([...existing, ...acls.filter((acl) => isOfRegistry(acl) && keys.has(keyOfAcl(acl)))]);
}

/** Creates ACLs; returns rows in the order of the call. An ACL that exists is no error. */
export async function createAcls(context: Context, acls: readonly Acl[]): Promise<readonly AclOutcome[]> {
  return await changeAcls(acls, {
    ofKafka: async (rows) => (await context.kafka()).createAcls(rows),
    ofRegistry: async (rows) => (await context.registry()).createAcls(rows),
    signal: context.signal,
  });
}

/** Deletes exactly these ACLs; returns rows in the order of the call. An ACL that is already gone is no error. */
export async function deleteAcls(context: Context, acls: readonly Acl[]): Promise<readonly AclOutcome[]> {
  return await changeAcls(acls, {
    ofKafka: async (rows) => (await context.kafka()).deleteAcls(rows),
    ofRegistry: async (rows) => (await context.registry()).deleteAcls(rows),
    signal: context.signal,
  });
}

/** One change of ACLs, as each subsystem makes it. */
interface AclChange {
  ofKafka(acls: readonly Acl[]): Promise<readonly AclOutcome[]>;
  ofRegistry(acls: readonly Acl[]): Promise<unknown>;
  readonly signal: AbortSignal;
}

async function changeAcls(acls: readonly Acl[], change: AclChange): Promise<readonly AclOutcome[]> {
  const ofKafka = acls.filter((acl) => !isOfRegistry(acl));
  const ofRegistry = acls.filter(isOfRegistry);
  const outcomes = [
    ...(ofKafka.length === 0 ? [] : await change.ofKafka(ofKafka)),
    ...(ofRegistry.length === 0 ? [] : await changeInRegistry(ofRegistry, change)),
  ];
  const byKey = new Map(outcomes.map((outcome) => [keyOfAcl(outcome), outcome]));
  return acls.map((acl) => byKey.get(keyOfAcl(acl)) ?? { ...acl, error: null });
}

/** The registry makes all changes of a request or none. */
async function changeInRegistry(acls: readonly Acl[], change: AclChange): Promise<readonly AclOutcome[]> {
  try {
    await change.ofRegistry(acls);
    return acls.map((acl) => ({ ...acl, error: null }));
  } catch (error) {
    change.signal.throwIfAborted();
    if (!(error instanceof CliError)) throw error;
    return acls.map((acl) => ({ ...acl, error: itemErrorOf(error) }));
  }
}
