import { command, dryRun, flag, list, toggle } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { notFoundError, usageError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { sections } from '../../../format/sections.ts';
import { type AclListing, type AclRow, aclFilter, deletedAcl } from '../../../kafka/cluster/access/acl-rows.ts';
import { leftOut, listOf, row, truth } from '../../../shape/shape.ts';
import { oldFilterFlags, principalFlags, resourceFlags } from './acl-flags.ts';
import { operationFilter, patternTypeFilter } from './acl-kinds.ts';
import { aclOutcomeTable, aclTable, filterTable } from './acl-text.ts';
import { type FilterValues, isNarrow, plannedFilters } from './filter-plan.ts';

/** The deleted ACLs, with the filters only if they were asked for or if one failed. */
const deletions = row({
  filters: leftOut(listOf(aclFilter)),
  deletions: listOf(row({ ...deletedAcl.fields, dry_run: truth })),
});

/** `security acl delete` */
export const deleteCommand = command({
  summary: 'Delete ACLs',
  description: `Deletes the ACLs that match the flags. Flags that are left out match everything; without any flag that selects ACLs,
--all is needed. The matches are read once and shown before the confirmation prompt: only those are deleted. If nothing
matches, the exit code is 3.`,
  examples: [
    ['The ACLs of one user', 'security acl delete --allow-principal ana --deny-principal ana'],
    [
      'Show which ACLs of a topic would be deleted',
      'security acl delete --topic orders --resource-pattern-type literal --dry-run',
    ],
    [
      'One permission, without a prompt',
      'security acl delete --allow-principal ana --operation read --topic orders --yes',
    ],
  ],
  apis: ['kafka'],
  flags: {
    ...principalFlags,
    operation: list(operationFilter, { splits: true, help: 'operations (default: any)' }),
    ...resourceFlags,
    resourcePatternType: flag(patternTypeFilter, {
      help: 'how names are compared: any, match, literal or prefixed',
      fallback: 'ANY',
      aliases: ['name-pattern'],
    }),
    all: toggle({ help: 'delete all ACLs of the cluster' }),
    printFilters: toggle({ short: 'f', help: 'print the filters that the flags describe' }),
    dryRun: dryRun({ short: 'd' }),
    ...oldFilterFlags,
  },
  changes: 'destroys',
  result: deletions,
  plan: chosenAcls,
  confirm(_context, _values, { matches }) {
    const name = count(matches.length, 'ACL');
    return { preview: preview(matches), question: `Delete ${name}`, name };
  },
  async run(context, values, { filters, matches }) {
    const kafka = await context.kafka();
    const rows = values.dryRun ? matches.map((acl) => ({ ...acl, error: null })) : await kafka.deleteAcls(matches);
    const deleted = rows.map(({ error, ...acl }) => ({ ...acl, dry_run: values.dryRun, error }));
    const showsFilters = values.printFilters || filters.some(({ error }) => error !== null);
    return { ...(showsFilters && { filters }), deletions: deleted };
  },
  show: {
    text: ({ filters, deletions: deleted }, view) =>
      sections(
        [
          ...(filters === undefined ? [] : [{ title: 'filters', body: filterTable(filters, view) }]),
          {
            title: 'deletions',
            body: aclOutcomeTable(deleted, view, 'would be deleted'),
          },
        ],
        view,
      ),
  },
});

async function chosenAcls(context: Context, values: FilterValues & { readonly all: boolean }): Promise<AclListing> {
  const filters = plannedFilters(values);
  if (values.all === isNarrow(filters)) throw unclear(values.all);
  const kafka = await context.kafka();
  const listing = await kafka.listAcls(filters);
  if (listing.matches.length > 0 || listing.filters.some(({ error }) => error !== null)) return listing;
  throw notFoundError('unable to delete ACLs: no ACL matches the flags', {
    hints: ['see all ACLs with: weir security acl list'],
  });
}

function unclear(all: boolean) {
  if (all) return usageError('--all cannot be combined with flags that select ACLs', { target: '--all' });
  return usageError('unable to delete ACLs: no flag selects any', {
    hints: ['add --topic, --allow-principal or others, or --all to delete all ACLs'],
  });
}

/** The longest preview, in ACLs. */
const mostShown = 100;

function preview(matches: readonly AclRow[]): string {
  const more = matches.length - mostShown;
  const view = { noHeaders: false, columns: undefined, color: false };
  return `${aclTable(matches.slice(0, mostShown), view)}${more > 0 ? `and ${more} more\n` : ''}\n`;
}
