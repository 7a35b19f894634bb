import { getCommand } from '../../../cli/forms/read.ts';
import { Acl, AclFilterResult } from '../../../kafka/cluster/access/acl-rows.ts';
import { leftOut, listOf, row } from '../../../shape/shape.ts';
import { filterFlags, oldFilterFlags, printFilters } from './acl-flags.ts';
import { aclTable, belowFilters, shownFilters } from './acl-text.ts';
import { plannedFilters } from './filter-plan.ts';

/** `security acl list` */
export const list = getCommand({
  summary: 'List all ACLs, or those that match a filter',
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
    ...filterFlags,
    printFilters,
    ...oldFilterFlags,
  },
  // The filters only if they are asked for or if one failed.
  row: row({ filters: leftOut(listOf(AclFilterResult)), matches: listOf(Acl) }),
  async read(context, values) {
    const filters = plannedFilters(values);
    const kafka = await context.kafka();
    const listing = await kafka.listAcls(filters);
    if ((await kafka.isRedpanda()) === true)
      context.notice('ACLs of the schema registry (Redpanda 25.2 or newer) are not listed: rpk lists them');
    return { ...shownFilters(listing, values.printFilters), matches: listing.matches };
  },
  text: ({ filters, matches }, view) =>
    belowFilters(filters, { title: 'matches', body: aclTable(matches, view) }, view),
});
