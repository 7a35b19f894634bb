import { command, flag, list as listFlag, toggle } from '../../../cli/command.ts';
import { sections } from '../../../format/sections.ts';
import { acl, aclFilter } from '../../../kafka/cluster/access/acl-rows.ts';
import { leftOut, listOf, row } from '../../../shape/shape.ts';
import { oldFilterFlags, principalFlags, resourceFlags } from './acl-flags.ts';
import { operationFilter, patternTypeFilter } from './acl-kinds.ts';
import { aclTable, filterTable } from './acl-text.ts';
import { plannedFilters } from './filter-plan.ts';

/** The matching ACLs, with the filters only if they were asked for or if one failed. */
const listing = row({ filters: leftOut(listOf(aclFilter)), matches: listOf(acl) });

/** `security acl list` */
export const list = command({
  summary: 'List ACLs',
  description: `Without flags, lists all ACLs. Flags that are left out match everything. With --resource-pattern-type match, the
names are compared as brokers do: an ACL is listed if it applies to a resource of that name, whether it names the
resource, a prefix of it, or "*".

Redpanda 25.2 and newer also have ACLs for the schema registry, which are not listed here; a notice says so.`,
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
  result: listing,
  async run(context, values) {
    const asked = plannedFilters(values);
    const kafka = await context.kafka();
    const { filters, matches } = await kafka.listAcls(asked);
    if ((await kafka.isRedpanda()) === true)
      context.notice('ACLs of the schema registry (Redpanda 25.2 or newer) are not listed: rpk lists them');
    const showsFilters = values.printFilters || filters.some(({ error }) => error !== null);
    return { ...(showsFilters && { filters }), matches };
  },
  show: {
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
