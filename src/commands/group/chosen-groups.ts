import type { Context } from '../../context.ts';
import { notFoundError } from '../../errors.ts';
import { checkGroupNames } from '../group-name.ts';
import { partialHint, wholeNameHint } from '../not-found.ts';

/** The groups that a command line selects. */
interface GroupChoice {
  readonly groups: readonly string[];
  /** Whether `groups` are regular expressions that match whole names. */
  readonly regex: boolean;
}

/**
 * Returns the names of the selected groups, sorted.
 * @param what what fails if no group matches, for example `delete groups`
 */
export async function chosenGroups(
  context: Context,
  { groups, regex }: GroupChoice,
  what: string,
): Promise<readonly string[]> {
  if (!regex) {
    checkGroupNames(groups);
    return [...new Set(groups)].sort();
  }
  const kafka = await context.kafka();
  const names = await kafka.matchGroups(groups);
  if (names.length > 0) return names;
  throw notFoundError(`unable to ${what}: no group matches ${groups.join(' ')}`, {
    hints: [(await partialHint(context, 'group', groups)) ?? wholeNameHint],
  });
}
