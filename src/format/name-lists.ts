import { count } from './count.ts';

/** The first names, and how many more there are. @param most how many are named */
export function shortList(names: readonly string[], most = 10): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** How many items, and their names: `2 groups (billing, reports)`. */
export function countAndNames(noun: string, names: readonly string[]): string {
  return `${count(names.length, noun)} (${shortList(names)})`;
}

/** `one` for a single item, otherwise `several`: `its` or `their`. */
export function inNumber(items: readonly unknown[], one: string, several: string): string {
  return items.length === 1 ? one : several;
}
