import { command, dryRun, toggle } from '../../../cli/command.ts';
import { type Column, errorAlways, tableOf } from '../../../cli/forms/columns.ts';
import { type Outcome, outcomeCell, outcomeFields, withOutcome } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { notFoundError, usageError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { Acl, AclFilterResult, type AclListing } from '../../../kafka/cluster/access/acl-rows.ts';
import { leftOut, listOf, row, truth } from '../../../shape/shape.ts';
import { type FilterValues, filterFlags, oldFilterFlags, printFilters } from './acl-flags.ts';
import { aclColumns, belowFilters, shownFilters } from './acl-text.ts';
import { isNarrow, plannedFilters } from './filter-plan.ts';
import { deleteAcls, listAcls } from './subsystems.ts';

/** `security acl delete` */
export const deleteCommand = command({
  summary: 'Delete the ACLs that match a filter',
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
  apis: ['kafka', 'registry'],
  flags: {
    ...filterFlags,
    all: toggle({ help: 'delete all ACLs of the cluster and of its schema registry' }),
    printFilters,
    dryRun: dryRun({ short: 'd' }),
    ...oldFilterFlags,
  },
  changes: 'destroys',
  // The filters only if they are asked for or if one failed.
  result: row({
    filters: leftOut(listOf(AclFilterResult)),
    deletions: listOf(row({ ...Acl.fields, ...outcomeFields })),
    dry_run: truth,
  }),
  plan: chosenAcls,
  confirm(_context, _values, { matches }) {
    const name = count(matches.length, 'ACL');
    return { preview: preview(matches), question: `Delete ${name}`, name };
  },
  dryRun: (_context, values, { matches, ...listing }) => ({
    ...shownFilters({ ...listing, matches }, values.printFilters),
    deletions: matches.map((one) => withOutcome({ ...one, error: null }, true)),
    dry_run: true,
  }),
  async run(context, values, listing) {
    const rows = await deleteAcls(context, listing.matches);
    return {
      ...shownFilters(listing, values.printFilters),
      deletions: rows.map((one) => withOutcome(one, false)),
      dry_run: false,
    };
  },
  show: {
    text({ filters, deletions, dry_run: isDryRun }, view) {
      const columns: readonly Column<Acl & Outcome>[] = [...aclColumns, isDryRun ? wouldDelete : errorAlways()];
      return belowFilters(filters, { title: 'deletions', body: tableOf(deletions, columns, view) }, view);
    },
  },
});

const wouldDelete: Column<Acl & Outcome> = ['status', (one) => outcomeCell(one, { would: 'be deleted' })];

async function chosenAcls(context: Context, values: FilterValues & { readonly all: boolean }): Promise<AclListing> {
  const filters = plannedFilters(values);
  if (values.all === isNarrow(filters)) throw unclear(values.all);
  const listing = await listAcls(context, filters);
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

function preview(matches: readonly Acl[]): string {
  const more = matches.length - mostShown;
  return `${tableOf(matches.slice(0, mostShown), aclColumns)}${more > 0 ? `and ${more} more\n` : ''}`;
}
