/** How a number is laid out in a record layout (`-f`). */
export type NumberLayout =
  | { readonly as: 'decimal' }
  | { readonly as: 'bool' }
  /** With a fixed number of digits, or as many as it needs, which no input layout can read. */
  | { readonly as: 'hex'; readonly digits: number | undefined }
  | { readonly as: 'binary'; readonly bytes: number; readonly isBig: boolean };

const hex = (digits?: number): NumberLayout => ({ as: 'hex', digits });
const binary = (bytes: number, isBig: boolean): NumberLayout => ({ as: 'binary', bytes, isBig });

/** The layouts by the modifiers of number verbs, such as `hex16` or `big32`. */
export const numberLayouts: ReadonlyMap<string, NumberLayout> = new Map([
  ['ascii', { as: 'decimal' }],
  ['number', { as: 'decimal' }],
  ['hex', hex()],
  ['hex64', hex(16)],
  ['hex32', hex(8)],
  ['hex16', hex(4)],
  ['hex8', hex(2)],
  ['hex4', hex(1)],
  ['big64', binary(8, true)],
  ['big32', binary(4, true)],
  ['big16', binary(2, true)],
  ['big8', binary(1, true)],
  ['little64', binary(8, false)],
  ['little32', binary(4, false)],
  ['little16', binary(2, false)],
  ['little8', binary(1, false)],
  ['byte', binary(1, true)],
  ['bool', { as: 'bool' }],
]);
