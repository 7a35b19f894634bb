import { command, flag, list as listFlag, toggle } from '../../../cli/command.ts';
import { arrayOf, object } from '../../../cli/output/schema.ts';
import { sections } from '../../../format/sections.ts';
import type { AclFilterResult, AclRow } from '../../../kafka/access/acl-rows.ts';
import { oldFilterFlags, principalFlags, resourceFlags } from './acl-flags.ts';
import { operationFilter, patternTypeFilter } from './acl-kinds.ts';
import { aclFields, aclTable, filterSchema, filterTable } from './acl-text.ts';
import { plannedFilters } from './filter-plan.ts';

/** The result of `security acl list`: the filters only if they were asked for or if one failed. */
interface ShownAcls {
  readonly filters?: readonly AclFilterResult[];
  readonly matches: readonly AclRow[];
}

/** `security acl list` */
export const list = command({
  summary: 'List ACLs',
  description: `Without flags, lists all ACLs. Flags that are left out match everything. With --resource-pattern-type match, the
names are compared as brokers do: an ACL is listed if it applies to a resource of that name, whether it names the
resource, a prefix of it, or "*".`,
  examples: [
    ['All ACLs', 'security acl list'],
    ['The ACLs of one user', 'security acl list --allow-principal ana --deny-principal ana'],
    ['Every ACL that applies to a topic', 'security acl list --topic orders --resource-pattern-type match'],
    ['All denials, for a script', "security acl list --deny-host '*' --format json"],
  ],
  aliases: ['ls', 'describe'],
  apis: ['kafka'],
  flags: {
    ...principalFlags,
    operation: listFlag(operationFilter, { splits: true, help: 'operations (default: any)' }),
    ...resourceFlags,
    resourcePatternType: flag(patternTypeFilter, {
      help: 'how names are compared: any, match, literal or prefixed',
      fallback: 'ANY',
      aliases: ['name-pattern'],
    }),
    printFilters: toggle({ short: 'f', help: 'print the filters that the flags describe' }),
    ...oldFilterFlags,
  },
  changes: 'reads',
  async run(context, values): Promise<ShownAcls> {
    const asked = plannedFilters(values);
    const kafka = await context.kafka();
    const { filters, matches } = await kafka.listAcls(asked);
    return values.printFilters || filters.some(({ error }) => error !== null) ? { filters, matches } : { matches };
  },
  output: {
    schema: object({ filters: arrayOf(filterSchema), matches: arrayOf(object(aclFields)) }, ['filters']),
    text: ({ filters, matches }, view) =>
      sections(
        [
          ...(filters === undefined ? [] : [{ title: 'filters', body: filterTable(filters, view) }]),
          { title: 'matches', body: aclTable(matches, view) },
        ],
        view,
      ),
  },
});
