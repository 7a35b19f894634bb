import { CliError, rephrased } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';

/** The most topics that an error names besides the first. */
const mostNamed = 5;

/**
 * Does something for each topic at once.
 * @throws the first error; one about its topic also names the other topics with the same error
 */
export async function forTopics<Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const settled = await Promise.allSettled(items.map(work));
  const failed = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (failed.length > 0) throw sharedError(failed);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** The first of the errors, with the names of the other topics that have the same one. */
export function sharedError(errors: readonly unknown[]): unknown {
  const [first] = errors;
  if (!(first instanceof CliError) || first.target === undefined) return first;
  const others = new Set<string>();
  for (const error of errors) {
    if (error instanceof CliError && error.code === first.code && error.target !== undefined) others.add(error.target);
  }
  others.delete(first.target);
  if (others.size === 0) return first;
  const names = [...others].slice(0, mostNamed).map((name) => `"${name}"`);
  const more = others.size > mostNamed ? ', …' : '';
  const which = others.size === 1 ? 'topic' : `${grouped(others.size)} other topics:`;
  return rephrased(first, `${first.message} (the same for ${which} ${names.join(', ')}${more})`, {
    hints: first.hints,
  });
}
