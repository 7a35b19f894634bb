import { getCommand } from '../../../cli/forms/read.ts';
import { Acl, AclFilterResult } from '../../../kafka/cluster/access/acl-rows.ts';
import { leftOut, listOf, row } from '../../../shape/shape.ts';
import { filterFlags, oldFilterFlags, printFilters, subsystemFlag } from './acl-flags.ts';
import { aclTable, belowFilters, shownFilters } from './acl-text.ts';
import { plannedFilters } from './filter-plan.ts';
import { listAcls } from './subsystems.ts';

/** `security acl list` */
export const list = getCommand({
  summary: 'List all ACLs, or those that match a filter',
  description: `Without flags, lists all ACLs. Flags that are left out match everything. With --resource-pattern-type match, the
names are compared as brokers do: an ACL is listed if it applies to a resource of that name, whether it names the
resource, a prefix of it, or "*".

The schema registry of Redpanda 25.2 and newer has ACLs of its own (types REGISTRY and SUBJECT). They are listed too if
registry.hosts is set.`,
  examples: [
    ['All ACLs', 'security acl list'],
    ['The ACLs of one user', 'security acl list --allow-principal ana --deny-principal ana'],
    ['Every ACL that applies to a topic', 'security acl list --topic orders --resource-pattern-type match'],
    ['Only those of the schema registry of Redpanda', 'security acl list --subsystem registry'],
    ['All denials, for a script', "security acl list --deny-host '*' --format json"],
  ],
  aliases: ['ls', 'describe'],
  apis: ['kafka', 'registry'],
  flags: {
    ...filterFlags,
    printFilters,
    subsystem: subsystemFlag,
    ...oldFilterFlags,
  },
  // The filters only if they are asked for or if one failed.
  row: row({ filters: leftOut(listOf(AclFilterResult)), matches: listOf(Acl) }),
  async read(context, values) {
    const filters = plannedFilters(values);
    const listing = await listAcls(context, filters, values.subsystem);
    return { ...shownFilters(listing, values.printFilters), matches: listing.matches };
  },
  text: ({ filters, matches }, view) =>
    belowFilters(filters, { title: 'matches', body: aclTable(matches, view) }, view),
});
