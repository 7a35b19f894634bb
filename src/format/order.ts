/** Compares texts by their code units, as `sort()` does: the order of names in every list. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The order of things by their names. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareText(a.name, b.name);
}
