import { add, type Unit } from './unit.ts';

/** Symbols as the generated code finds them. */
interface PackedSymbols {
  readonly packed: DataView;
  readonly sizes: Uint8Array;
}

/** Symbols up to this size with quotes are moved in words. */
const mostMoved = 48;

/** Returns the distance of symbols in their table. */
function strideOf(longest: number): number {
  return Math.ceil(longest / 8) * 8;
}

function longestOf(texts: readonly Uint8Array[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0);
}

/** Puts symbols one after another at equal distances, so that each is moved in words of eight bytes. */
function packSymbols(texts: readonly Uint8Array[]): PackedSymbols {
  const sizes = Uint8Array.from(texts, ({ length }) => Math.min(length, 255));
  const longest = longestOf(texts);
  const stride = strideOf(longest);
  if (longest > mostMoved) return { packed: new DataView(new ArrayBuffer(0)), sizes };
  const bytes = new Uint8Array(stride * texts.length);
  for (const [index, text] of texts.entries()) bytes.set(text, index * stride);
  return { packed: new DataView(bytes.buffer), sizes };
}

/** Adds the code that writes symbol `b` of the table with that index. */
export function addSymbol(unit: Unit, texts: readonly Uint8Array[], index: number): void {
  const longest = longestOf(texts);
  unit.room += longest + 16;
  if (longest > mostMoved) {
    add(unit, `out.set(symbols[${index}][b], to); to += symbols[${index}][b].length;`);
    return;
  }
  const stride = strideOf(longest);
  for (let at = 0; at < stride; at += 8) {
    const from = stride === 8 ? 'b << 3' : `b * ${stride} + ${at}`;
    add(unit, `view.setBigUint64(to + ${at}, packed${index}.getBigUint64(${from}, true), true);`);
  }
  add(unit, `to += sizes${index}[b];`);
}

/** Returns the declarations of the tables that `addSymbol` refers to, which are in `tables`. */
function declareSymbols(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `const { packed: packed${index}, sizes: sizes${index} } = tables[${index}];\n`,
  ).join('');
}

/** Generated functions and the data that they refer to. */
export interface Generated {
  /** Functions, of which `u0` decodes a whole payload. */
  readonly code: string;
  readonly literals: readonly Uint8Array[];
  /** The symbols of each enum with their quotes. */
  readonly symbols: readonly (readonly Uint8Array[])[];
}

/**
 * Compiles generated code, which uses the functions of the library and `fields`, and returns its function `u0`;
 * undefined if Node.js was told not to generate code.
 */
export function compile<Run>(
  library: object,
  { code, literals, symbols }: Generated,
  fields?: unknown,
): Run | undefined {
  const body = `'use strict';
const { ${Object.keys(library).join(', ')} } = library;
${declareSymbols(symbols.length)}${code}return u0;`;
  try {
    const create = new Function('library', 'literals', 'symbols', 'tables', 'fields', body);
    return create(library, literals, symbols, symbols.map(packSymbols), fields);
  } catch (error) {
    if (error instanceof EvalError) return undefined;
    throw error;
  }
}
