/** Groups what belongs to partitions by topic, as most requests want it. */
export function groupByTopic<Item extends { readonly topic: string }>(
  items: Iterable<Item>,
): readonly (readonly [topic: string, items: readonly Item[]])[] {
  return [...Map.groupBy(items, ({ topic }) => topic)];
}
