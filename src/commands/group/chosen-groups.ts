import type { Context } from '../../context.ts';
import { notFoundError } from '../../errors.ts';
import { checkGroupNames } from './group-name.ts';

interface Selection {
  readonly groups: readonly string[];
  readonly regex: boolean;
}

/**
 * The groups that the arguments name or match, sorted.
 * @param what what is to be done, for the error: `delete groups`
 */
export async function chosenGroups(
  context: Context,
  { groups, regex }: Selection,
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
    hints: ['write a regular expression that matches the whole name, such as "name.*"'],
  });
}
