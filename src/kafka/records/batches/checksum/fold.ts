import {
  type Constant,
  createMachine,
  growMemory,
  type Machine,
  type ModuleExports,
} from '../../../../bytes/web-assembly.ts';
import { power } from './polynomial.ts';
import { wasmFoldBase64 } from './wasm-module.ts';

/** The exports of assembly/fold.ts. */
interface Exports extends ModuleExports {
  readonly tables: Constant;
  readonly state: Constant;
  readonly input: Constant;
  fold(end: number): void;
}

/** Blocks of this size are folded, in bytes. */
export const blockBytes = 128;
/** As many bytes are copied into the module at once as stay in the first-level cache, with those that they come from. */
const portionBytes = 16_384;

/**
 * Folds whole blocks of `bytes[start, end)` into one, which has the same checksum: a polynomial of 1024 bits. `seed` is
 * the checksum so far, not inverted.
 * @returns the block, valid until the next call
 */
export type Fold = (bytes: Uint8Array, start: number, end: number, seed: number) => Uint8Array;

/**
 * Creates a fold in WebAssembly, which has no carry-less multiplication, but looks up 16 bytes in a table of 16 at once.
 * The byte at place i of a block is added to byte i / 32 of the polynomial i % 32: one with the powers 256 (3 - j) + 7 - c
 * for bit c of byte j, which are independent of each other modulo the polynomial of the checksum, so that all polynomials
 * have this form, and need not be put in another order to be multiplied by the same constant, x^1024.
 * @throws Error if there is no WebAssembly
 */
export function createFold(): Fold {
  const machine = createMachine<Exports>(wasmFoldBase64);
  const { run } = machine;
  const [state, input] = [run.state.value, run.input.value];
  if (!growMemory(machine, input + portionBytes)) throw new Error('not enough memory for WebAssembly');
  machine.memory.set(productTables(), run.tables.value);
  return (bytes, start, end, seed) => foldAll(machine, { state, input }, { bytes, start, end, seed });
}

interface Work {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly seed: number;
}

function foldAll(
  { memory, view, run }: Machine<Exports>,
  { state, input }: { readonly state: number; readonly input: number },
  { bytes, start, end, seed }: Work,
): Uint8Array {
  memory.fill(0, state, state + blockBytes);
  for (let at = start; at < end; at += portionBytes) {
    const until = Math.min(end, at + portionBytes);
    memory.set(bytes.subarray(at, until), input);
    if (at === start) view.setInt32(input, view.getInt32(input, true) ^ seed, true);
    run.fold(input + until - at);
  }
  return memory.subarray(state, state + blockBytes);
}

/** The power of x for a bit of a polynomial, of 32: the bits of a byte are in descending order. */
function powerOf(bit: number): number {
  return 256 * (3 - (bit >> 3)) + 7 - (bit & 7);
}

/** For each byte of a polynomial and each half of it, 16 entries of each byte of the product. */
function productTables(): Uint8Array {
  const inverse = inverseOf(Array.from({ length: 32 }, (_, bit) => power(powerOf(bit))));
  const images = Array.from({ length: 32 }, (_, bit) => inForm(power(8 * blockBytes + powerOf(bit)), inverse));
  const tables = new Uint8Array(512);
  for (let at = 0; at < tables.length; at++) {
    const [source, target, half] = [(at >> 7) * 8 + ((at >> 6) & 1) * 4, (at >> 4) & 3, at & 15];
    for (let bit = 0; bit < 4; bit++)
      if (half & (1 << bit)) tables[at] = (tables[at] as number) ^ ((images[source + bit] as number) >>> (8 * target));
  }
  return tables;
}

/** Returns for each bit of a remainder the powers, as bits, of which it is the sum. */
function inverseOf(powers: readonly number[]): readonly number[] {
  const rows = powers.map((rest, bit) => ({ rest, sum: 1 << bit }));
  for (let bit = 0; bit < 32; bit++) {
    const withBit = rows.findIndex(({ rest }, at) => at >= bit && (rest >>> bit) & 1);
    [rows[bit], rows[withBit]] = [rows[withBit] as Row, rows[bit] as Row];
    const pivot = rows[bit] as Row;
    for (const row of rows) if (row !== pivot && (row.rest >>> bit) & 1) Object.assign(row, added(row, pivot));
  }
  return rows.map(({ sum }) => sum);
}

interface Row {
  rest: number;
  sum: number;
}

function added(one: Row, other: Row): Row {
  return { rest: one.rest ^ other.rest, sum: one.sum ^ other.sum };
}

function inForm(remainder: number, inverse: readonly number[]): number {
  return inverse.reduce((sum, part, bit) => ((remainder >>> bit) & 1 ? sum ^ part : sum), 0);
}
