import { flag, list } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { tableOf } from '../../../cli/forms/columns.ts';
import { notNeededIf } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { Acl, sortedAcls } from '../../../kafka/cluster/access/acl-rows.ts';
import { principalFlags, resourceFlags } from './acl-flags.ts';
import { operation, patternType } from './acl-kinds.ts';
import { aclColumns } from './acl-text.ts';
import { doubtsAbout, plannedAcls } from './creation-plan.ts';
import { createAcls, existingAcls, isOfRegistry } from './subsystems.ts';

/** `security acl create` */
export const create = change({
  summary: 'Create ACLs, which allow or deny principals operations on resources',
  description: `Creates one ACL for every combination of principal, host, resource and operation. An ACL that exists already is
not an error. A principal without a type, such as ana, is the user User:ana. A distinguished name, such as
User:CN=ana,OU=sales, is one principal, with its commas.

--registry-global and --registry-subject are resources of the schema registry of Redpanda 25.2 and newer, which keeps these
ACLs itself and checks them if the property schema_registry_enable_authorization is true.

With --resource-pattern-type prefixed, the names are prefixes. A denial always wins over a permission. To check the
result for one principal, use weir security acl explain.

On a Kafka cluster with allow.everyone.if.no.acl.found=true, everybody may use a resource until it has its first ACL. A
warning says so, with --dry-run as well.`,
  examples: [
    [
      'Let a user read a topic in a group',
      'security acl create --allow-principal ana --operation read --topic orders --group billing',
    ],
    [
      'All operations on all topics that begin with "app-"',
      'security acl create --allow-principal app --operation all --topic app- --resource-pattern-type prefixed',
    ],
    [
      'Deny writes from one address',
      'security acl create --deny-principal ana --deny-host 10.0.0.9 --operation write --topic orders',
    ],
    [
      'Let a user read the schemas of a topic, from the registry of Redpanda',
      'security acl create --allow-principal ana --operation read --registry-subject orders-value',
    ],
    [
      'Show the ACLs that would be created',
      'security acl create --allow-principal ana --operation read,describe --topic orders,payments --dry-run',
    ],
  ],
  apis: ['kafka', 'registry'],
  flags: {
    ...principalFlags,
    operation: list(operation, { splits: true, help: 'operations to allow or deny' }),
    ...resourceFlags,
    resourcePatternType: flag(patternType, {
      help: 'whether the names are whole names (literal) or prefixes (prefixed)',
      fallback: 'LITERAL',
      aliases: ['name-pattern'],
    }),
  },
  changes: 'creates',
  guarded: 'if it denies something, because that can stop producers and consumers',
  noun: 'ACL',
  item: Acl,
  async plan(context, values) {
    const acls = sortedAcls(plannedAcls(values));
    for (const doubt of doubtsAbout(acls)) context.warn(doubt);
    const existing = await existingOf(context, acls, values.dryRun);
    const doubt = existing && (await lockedOut(context, acls, existing));
    if (doubt !== undefined) context.warn(doubt);
    return acls.map((one) => ({ ...one, status: notNeededIf(existing?.has(one) ?? false) }));
  },
  asks(acls) {
    const denials = acls.filter(({ permission }) => permission === 'DENY');
    const principals = [...new Set(denials.map(({ principal }) => principal))];
    if (denials.length === 0) return null;
    return {
      question: `Create ${count(denials.length, 'ACL')} that ${denials.length === 1 ? 'denies' : 'deny'} something to ${principals.join(', ')}`,
      name: principals.length === 1 ? String(principals[0]) : count(principals.length, 'principal'),
      preview: tableOf(denials, aclColumns),
    };
  },
  apply: createAcls,
  columns: aclColumns,
  would: 'be created',
  notNeeded: 'already exists',
  ends: 'error',
});

/** The exit codes of what a cluster answers. */
const answers: ReadonlySet<number> = new Set([exitCodes.failure, exitCodes.auth, exitCodes.conflict]);

/** Says whose first ACL is created: it takes the resource away from all who may use what has no ACL. */
async function lockedOut(
  context: Context,
  acls: readonly Acl[],
  existing: ReadonlySet<Acl>,
): Promise<string | undefined> {
  const ofKafka = acls.filter((acl) => !isOfRegistry(acl));
  const firsts = ofKafka.length === 0 ? [] : await (await context.kafka()).firstAcls(ofKafka, existing);
  if (firsts.length === 0) return undefined;
  const names = firsts.map(({ resource_type: type, resource_name: name, resource_pattern_type: pattern }) => {
    const word = type.toLowerCase().replaceAll('_', ' ');
    if (type === 'CLUSTER') return 'the cluster';
    return pattern === 'PREFIXED' ? `${word}s that begin with ${name}` : `${word} ${name}`;
  });
  return (
    `no ACL applies to ${names.join(', ')} yet: if allow.everyone.if.no.acl.found is true, ` +
    'principals without an ACL lose access'
  );
}

/** Which of the ACLs exist; undefined where the cluster does not say: its answer to the creation tells why. */
async function existingOf(
  context: Context,
  acls: readonly Acl[],
  isDryRun: boolean,
): Promise<ReadonlySet<Acl> | undefined> {
  try {
    return await existingAcls(context, acls);
  } catch (error) {
    const isAnswer = error instanceof CliError && answers.has(error.exitCode);
    if (isDryRun || !isAnswer) throw error;
    return undefined;
  }
}
