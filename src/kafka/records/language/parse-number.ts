import { type NumberLayout, numberLayouts } from './number-layouts.ts';
import { available, inputError, needMore, type ReadStep, type Run } from './parse-run.ts';

type ReadNumber = (run: Run) => number | undefined;

/** Returns the reader for a modifier of a number verb; a reader returns undefined while input is missing. */
export function numberReader(modifier: string): ReadNumber | undefined {
  const layout = numberLayouts.get(modifier);
  return layout && readerOf(layout);
}

function readerOf(layout: NumberLayout): ReadNumber | undefined {
  if (layout.as === 'decimal') return readAscii;
  if (layout.as === 'bool') return readBool;
  if (layout.as === 'binary') return binary(layout.bytes, layout.isBig);
  return layout.digits === undefined ? undefined : fixedHex(layout.digits);
}

/** Lists the modifiers of number verbs in input layouts, for errors and help. */
export function inputNumberModifiers(): readonly string[] {
  return [...numberLayouts.keys()].filter((word) => numberReader(word) !== undefined);
}

/** Creates a step that stores a number under its verb; `most` is the maximum. */
export function numberStep(verb: string, read: ReadNumber, most: number): ReadStep {
  return (run) => {
    const value = read(run);
    if (value === undefined) return false;
    if (value > most) throw inputError(run, `%${verb} is ${value}, above the maximum of ${most}`);
    run.numbers[verb] = value;
    return true;
  };
}

type ReadTimestamp = (run: Run) => number | bigint | undefined;

/** Returns the reader for a modifier of `%d`: as for any number, but decimal digits and 64-bit formats are signed. */
export function timestampReader(modifier: string): ReadTimestamp | undefined {
  const layout = numberLayouts.get(modifier);
  if (layout?.as === 'decimal') return readSigned;
  if (layout?.as === 'hex' && layout.digits === 16) return readHex64;
  if (layout?.as === 'binary' && layout.bytes === 8) return binary64(layout.isBig);
  return numberReader(modifier);
}

/** Creates a step that stores the timestamp; one within headers is read and ignored. */
export function timestampStep(read: ReadTimestamp, isHeader: boolean): ReadStep {
  return (run) => {
    const value = read(run);
    if (value === undefined) return false;
    if (!isHeader) run.timestamp = value;
    return true;
  };
}

/** Parses a timestamp from decimal digits, as a number if that is exact; undefined beyond 64 bits. */
export function timestampOf(digits: string): number | bigint | undefined {
  const value = BigInt(digits);
  return BigInt.asIntN(64, value) === value ? short(value) : undefined;
}

function short(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function readSigned(run: Run): number | bigint | undefined {
  const isNegative = run.bytes[run.base + run.at] === minus && available(run) > 0;
  if (isNegative) run.at++;
  const start = run.base + run.at;
  let value: number | undefined;
  try {
    value = readAscii(run);
  } finally {
    // When there is more input, the number is read again from its sign.
    if (isNegative && value === undefined) run.at--;
  }
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value)) return isNegative && value !== 0 ? -value : value;
  const digits = run.bytes.toString('latin1', start, run.base + run.at);
  const exact = timestampOf(isNegative ? `-${digits}` : digits);
  if (exact === undefined) throw inputError(run, '%d exceeds 64 bits');
  return exact;
}

function readHex64(run: Run): number | bigint | undefined {
  const start = run.base + run.at;
  if (fixedHex(16)(run) === undefined) return undefined;
  return short(BigInt.asIntN(64, BigInt(`0x${run.bytes.toString('latin1', start, start + 16)}`)));
}

function binary64(isBig: boolean): ReadTimestamp {
  return (run) => {
    if (available(run) < 8) return void needMore(run);
    const start = run.base + run.at;
    run.at += 8;
    return short(isBig ? run.bytes.readBigInt64BE(start) : run.bytes.readBigInt64LE(start));
  };
}

const minus = 0x2d;

function readAscii(run: Run): number | undefined {
  const { bytes, end } = run;
  const start = run.base + run.at;
  let at = start;
  while (at < end && ((bytes[at] as number) - 48) >>> 0 < 10) at++;
  if (at === end && !run.isEnded) return void needMore(run);
  if (at === start)
    throw inputError(
      run,
      at === end
        ? 'expected a number, found the end of the input'
        : `expected a number, found ${shown(bytes[at] as number)}`,
    );
  if (at - start > 20) throw inputError(run, 'the number has more than 20 digits');
  run.at += at - start;
  return Number(bytes.toString('latin1', start, at));
}

/** Formats a byte for errors. */
export function shown(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`;
}

function fixedHex(digits: number): ReadNumber {
  return (run) => {
    if (available(run) < digits) return void needMore(run);
    const start = run.base + run.at;
    const text = run.bytes.toString('latin1', start, start + digits);
    if (!/^[0-9a-fA-F]+$/.test(text))
      throw inputError(run, `expected ${digits} hex digits, found ${JSON.stringify(text)}`);
    run.at += digits;
    return Number(BigInt(`0x${text}`));
  };
}

function binary(size: number, isBig: boolean): ReadNumber {
  return (run) => {
    if (available(run) < size) return void needMore(run);
    const start = run.base + run.at;
    run.at += size;
    let value = 0;
    for (let index = 0; index < size; index++) {
      value = value * 256 + (run.bytes[isBig ? start + index : start + size - 1 - index] as number);
    }
    return value;
  };
}

const words = ['true', 'false'].map((word) => Buffer.from(word));

function readBool(run: Run): number | undefined {
  const start = run.base + run.at;
  const match = words.find((word) => run.bytes.subarray(start, Math.min(start + word.length, run.end)).equals(word));
  if (match !== undefined) {
    run.at += match.length;
    return match.length === 4 ? 1 : 0;
  }
  const rest = run.bytes.subarray(start, run.end);
  if (words.some((word) => word.subarray(0, rest.length).equals(rest))) return void needMore(run);
  throw inputError(run, 'expected "true" or "false"');
}
