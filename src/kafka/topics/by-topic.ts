/** Groups items by topic, the layout that most requests use. */
export function groupByTopic<Item extends { readonly topic: string }>(
  items: Iterable<Item>,
): readonly (readonly [topic: string, items: readonly Item[]])[] {
  return [...Map.groupBy(items, ({ topic }) => topic)];
}
