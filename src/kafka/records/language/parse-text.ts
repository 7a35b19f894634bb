import {
  available,
  before,
  type FieldBytes,
  type Fields,
  inputError,
  needMore,
  quoted,
  type ReadStep,
  type Run,
} from './parse-run.ts';

/** The field that a text verb fills. */
export type FieldName = keyof Fields;

/** The encoding of a field in the input. */
export type Encoding = 'raw' | 'hex' | 'base64';

/** Where a field ends. */
export type Extent =
  /** After the number of bytes that a size verb gave before. */
  | { readonly size: string }
  /** At the first occurrence of a literal, which is skipped. */
  | { readonly until: Buffer }
  /** At the end of the input. */
  | { readonly toEnd: true };

/** Creates a step that reads a text field. */
export function textStep(name: FieldName, encoding: Encoding, extent: Extent): ReadStep {
  const store = stores[encoding];
  if ('size' in extent) return sizedStep(name, store, extent.size);
  if ('until' in extent) return untilStep(name, store, extent.until);
  return (run) => {
    if (!run.isEnded) return needMore(run);
    const length = available(run);
    store(run, run.fields[name], length);
    run.at += length;
    return true;
  };
}

type Store = (run: Run, field: FieldBytes, length: number) => void;

const stores: Readonly<Record<Encoding, Store>> = { raw: storeRaw, hex: storeHex, base64: storeBase64 };

/** Sets a field to the next `length` bytes of the input. */
export function storeRaw(run: Run, field: FieldBytes, length: number): void {
  field.own = undefined;
  field.start = run.at;
  field.length = length;
}

function storeHex(run: Run, field: FieldBytes, length: number): void {
  const text = encodedText(run, length);
  const wrong = text.search(/[^0-9a-fA-F]/);
  if (wrong >= 0) throw inputError(run, `invalid hex digit ${JSON.stringify(text[wrong])}`);
  if (text.length % 2 !== 0) throw inputError(run, 'odd number of hex digits');
  storeOwn(field, Buffer.from(text, 'hex'));
}

function storeBase64(run: Run, field: FieldBytes, length: number): void {
  const text = encodedText(run, length).replace(/[\r\n]/g, '');
  const decoded = decodeBase64(text);
  if (decoded === undefined) throw inputError(run, 'invalid base64');
  storeOwn(field, decoded);
}

/** Decodes padded base64 in the standard alphabet; undefined for anything else. */
export function decodeBase64(text: string): Buffer | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}

/** Sets a field to bytes that are not part of the input. */
export function storeOwn(field: FieldBytes, bytes: Buffer): void {
  field.own = bytes;
  field.start = 0;
  field.length = bytes.length;
}

function encodedText(run: Run, length: number): string {
  const start = run.base + run.at;
  return run.bytes.toString('latin1', start, start + length);
}

function sizedStep(name: FieldName, store: Store, verb: string): ReadStep {
  return (run) => {
    const size = run.numbers[verb] ?? 0;
    if (available(run) < size) return needMore(run);
    store(run, run.fields[name], size);
    run.at += size;
    return true;
  };
}

function untilStep(name: FieldName, store: Store, literal: Buffer): ReadStep {
  const only = literal[0] ?? 0;
  const back = literal.length - 1;
  return (run) => {
    const { bytes, base } = run;
    const from = base + Math.max(run.searched, run.at);
    const index = back === 0 ? bytes.indexOf(only, from) : bytes.indexOf(literal, from);
    if (index < 0 || index + back >= run.end) {
      const cut = cutLiteral(run, literal);
      if (cut < 0) {
        run.searched = Math.max(run.end - base - back, run.at);
        return needMore(run, before(literal));
      }
      const rest = available(run);
      store(run, run.fields[name], rest - cut);
      run.at += rest;
      return true;
    }
    const length = index - base - run.at;
    store(run, run.fields[name], length);
    run.at += length + literal.length;
    return true;
  };
}

const lineEnds: readonly Buffer[] = [Buffer.from('\n'), Buffer.from('\r\n')];

/** Returns the lengths, longest first, at which the input may cut a literal: only its final line end may be missing. */
function cutLengths(literal: Buffer): readonly number[] {
  return lineEnds.filter((end) => literal.subarray(-end.length).equals(end)).map((end) => literal.length - end.length);
}

/**
 * Returns how many bytes of a literal are at the end of the input, where the last line may lack its line end; -1 for
 * none.
 */
function cutLiteral(run: Run, literal: Buffer): number {
  if (!run.isEnded || available(run) <= 0) return -1;
  const rest = run.bytes.subarray(run.base + run.at, run.end);
  const cut = cutLengths(literal).find(
    (length) => length <= rest.length && rest.subarray(rest.length - length).equals(literal.subarray(0, length)),
  );
  return cut ?? -1;
}

/** Creates a step that reads exactly these bytes; the last line of the input may lack its line end. */
export function literalStep(literal: Buffer): ReadStep {
  const cuts = cutLengths(literal);
  return (run) => {
    const start = run.base + run.at;
    const have = Math.min(literal.length, available(run));
    const read = run.bytes.subarray(start, start + have);
    if (!literal.subarray(0, have).equals(read)) {
      const differing = read.findIndex((byte, index) => byte !== literal[index]);
      throw inputError(run, `expected ${quoted(literal)}, found ${quoted(read.subarray(0, differing + 1))}`);
    }
    const isCut = run.isEnded && cuts.includes(have);
    if (have < literal.length && !isCut) return needMore(run, before(literal));
    run.at += have;
    return true;
  };
}
