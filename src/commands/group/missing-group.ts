import { nearest } from '../../config/nearest.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, type ItemError, withHints } from '../../errors.ts';

const seeGroups = 'see the groups with: weir group list';

/** Finds the groups that exist, for suggestions; none if they cannot be listed. */
async function existing(context: Context): Promise<readonly string[]> {
  try {
    const kafka = await context.kafka();
    const rows = await kafka.listGroups({ states: [], types: [] });
    return rows.flatMap(({ group }) => group ?? []);
  } catch {
    return []; // the group is missing all the same
  }
}

/** Adds hints to the error of a group that does not exist: a group that was probably meant, and `more`. */
export async function adviseGroup(error: unknown, context: Context, more: readonly string[] = []): Promise<unknown> {
  if (!(error instanceof CliError) || error.code !== 'GROUP_ID_NOT_FOUND' || error.target === undefined) return error;
  const meant = await nearest(error.target, await existing(context));
  return withHints(error, [`${meant === undefined ? '' : `did you mean "${meant}"? `}${seeGroups}`, ...more]);
}

/** Suggests a group for each row of one that does not exist. */
export async function suggestGroups(
  context: Context,
  rows: readonly { readonly group: string; readonly error: ItemError | null }[],
): Promise<void> {
  const missing = rows.filter(({ error }) => error?.exit_code === exitCodes.notFound);
  if (missing.length === 0) return;
  const names = await existing(context);
  for (const { group } of missing) {
    const meant = await nearest(group, names);
    if (meant !== undefined) context.noticeAfter(`hint: no group "${group}" exists; did you mean "${meant}"?`);
  }
}
