import { count } from './count.ts';

/** Up to ten names, and how many more there are. */
export function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}

/** How many items, and their names: `2 groups (billing, reports)`. */
export function countAndNames(noun: string, names: readonly string[]): string {
  return `${count(names.length, noun)} (${shortList(names)})`;
}

/** `one` for a single item, otherwise `several`: `its` or `their`. */
export function inNumber(items: readonly unknown[], one: string, several: string): string {
  return items.length === 1 ? one : several;
}
