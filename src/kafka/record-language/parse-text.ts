import { available, type FieldBytes, type Fields, inputError, needMore, type ReadStep, type Run } from './parse-run.ts';

/** Which field a text verb fills. */
export type FieldName = keyof Fields;

/** How the bytes of a field stand in the input. */
export type Encoding = 'raw' | 'hex' | 'base64';

/** Where a field ends. */
export type Extent =
  /** So many bytes as a size verb said before. */
  | { readonly size: string }
  /** At the first occurrence of a literal, which is stepped over. */
  | { readonly until: Buffer }
  /** At the end of the input. */
  | { readonly toEnd: true };

/** A step that reads a text field. */
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

function storeRaw(run: Run, field: FieldBytes, length: number): void {
  field.own = undefined;
  field.start = run.at;
  field.length = length;
}

function storeHex(run: Run, field: FieldBytes, length: number): void {
  const text = encodedText(run, length);
  const wrong = text.search(/[^0-9a-fA-F]/);
  if (wrong >= 0) throw inputError(run, `${JSON.stringify(text[wrong])} is not a hex digit`);
  if (text.length % 2 !== 0) throw inputError(run, 'the hex text has an odd number of digits');
  storeOwn(field, Buffer.from(text, 'hex'));
}

function storeBase64(run: Run, field: FieldBytes, length: number): void {
  const text = encodedText(run, length).replace(/[\r\n]/g, '');
  const decoded = decodeBase64(text);
  if (decoded === undefined) throw inputError(run, 'the text is not base64');
  storeOwn(field, decoded);
}

/** Padded base64 in the standard alphabet; undefined for anything else. */
export function decodeBase64(text: string): Buffer | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}

/** Gives a field bytes of its own. */
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

const newline = 0x0a;

function untilStep(name: FieldName, store: Store, literal: Buffer): ReadStep {
  const only = literal[0] ?? 0;
  const isLine = literal.length === 1 && only === newline;
  const back = literal.length - 1;
  return (run) => {
    const { bytes, base } = run;
    const from = base + Math.max(run.searched, run.at);
    const found = back === 0 ? bytes.indexOf(only, from) : bytes.indexOf(literal, from);
    if (found < 0 || found + back >= run.end) {
      // A last line without its newline is a line.
      const rest = available(run);
      if (isLine && run.isEnded && rest > 0) {
        store(run, run.fields[name], rest);
        run.at += rest;
        return true;
      }
      run.searched = Math.max(run.end - base - back, run.at);
      return needMore(run);
    }
    const length = found - base - run.at;
    store(run, run.fields[name], length);
    run.at += length + literal.length;
    return true;
  };
}

/** A step that reads exactly these bytes. */
export function literalStep(literal: Buffer): ReadStep {
  return (run) => {
    const start = run.base + run.at;
    const have = Math.min(literal.length, available(run));
    const read = run.bytes.subarray(start, start + have);
    if (!literal.subarray(0, have).equals(read)) {
      throw inputError(run, `${quoted(literal)} is expected, not ${quoted(read)}`);
    }
    if (have < literal.length) return needMore(run);
    run.at += literal.length;
    return true;
  };
}

function quoted(bytes: Buffer): string {
  return JSON.stringify(bytes.toString());
}

/** The longest text that a regular expression may take. */
const regexBytes = 4096;

/** A step that reads what a regular expression matches at the place; bytes are its characters. */
export function regexStep(name: FieldName, regex: RegExp): ReadStep {
  return (run) => {
    // More input could make the match longer: wait until that is excluded.
    if (available(run) < regexBytes && !run.isEnded) return needMore(run);
    const start = run.base + run.at;
    const text = run.bytes.toString('latin1', start, Math.min(start + regexBytes, run.end));
    regex.lastIndex = 0;
    const match = regex.exec(text);
    if (match === null) throw inputError(run, `nothing matches /${regex.source}/`);
    storeRaw(run, run.fields[name], match[0].length);
    run.at += match[0].length;
    return true;
  };
}
