import { shown } from './parse-number.ts';
import { inputError, isSpace, type JsonScan, needMore, type ReadStep, type Run } from './parse-run.ts';
import { type FieldName, storeOwn } from './parse-text.ts';

const quote = 0x22;
const backslash = 0x5c;

/**
 * Finds the end of the JSON value at the current position; undefined while input is missing. Only the structure is
 * followed; the complete value is validated later.
 */
export function scanJson(run: Run): number | undefined {
  const scan = run.scan ?? { depth: 0, inString: false, isEscaped: false, inWord: false, at: run.at };
  const last = run.end - run.base;
  while (scan.at < last) {
    const end = scanByte(run, scan, run.bytes[run.base + scan.at] as number);
    if (end !== undefined) {
      run.scan = undefined;
      return end;
    }
    scan.at++;
  }
  if (scan.inWord && run.isEnded) {
    run.scan = undefined;
    return scan.at;
  }
  run.scan = scan;
  return void needMore(run, 'inside a JSON value');
}

/** Returns the end of the value if this byte determines it. */
function scanByte(run: Run, scan: JsonScan, byte: number): number | undefined {
  if (scan.inString) return scanInString(scan, byte);
  if (scan.inWord) return isWordByte(byte) ? undefined : scan.at;
  if (byte === quote) scan.inString = true;
  else if (byte === 0x7b || byte === 0x5b) scan.depth++;
  else if (byte === 0x7d || byte === 0x5d) return scanClosing(run, scan, byte);
  else if (scan.depth === 0 && !isSpace(byte)) {
    if (!isWordByte(byte)) throw notJson(run, scan, byte);
    scan.inWord = true;
  }
  return undefined;
}

function scanClosing(run: Run, scan: JsonScan, byte: number): number | undefined {
  scan.depth--;
  if (scan.depth < 0) throw notJson(run, scan, byte);
  return scan.depth === 0 ? scan.at + 1 : undefined;
}

function scanInString(scan: JsonScan, byte: number): number | undefined {
  if (scan.isEscaped) scan.isEscaped = false;
  else if (byte === backslash) scan.isEscaped = true;
  else if (byte === quote) {
    scan.inString = false;
    if (scan.depth === 0) return scan.at + 1;
  }
  return undefined;
}

function notJson(run: Run, scan: JsonScan, byte: number): Error {
  run.at = scan.at;
  return inputError(run, `expected a JSON value, found ${shown(byte)}`);
}

/** Whether the byte is a letter, digit, sign or point, of which `true`, `null` and numbers consist. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x45
  );
}

/** Creates a step that reads one JSON value and stores it without its white space. */
export function jsonStep(name: FieldName): ReadStep {
  return (run) => {
    const end = scanJson(run);
    if (end === undefined) return false;
    const bytes = run.bytes.subarray(run.base + run.at, run.base + end);
    checkJson(run, bytes.toString());
    storeOwn(run.fields[name], compactJson(bytes));
    run.at = end;
    return true;
  };
}

/** Parses a complete value. @throws CliError if it is not valid JSON */
export function checkJson(run: Run, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw inputError(run, 'the value is not valid JSON');
  }
}

/** Removes the white space between the tokens of a value and keeps everything else as it is. */
export function compactJson(bytes: Buffer): Buffer {
  const compact = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) inString = !inString;
    else if (!inString && isSpace(byte)) continue;
    compact[length++] = byte;
    // A quote after it does not end the string.
    if (byte === backslash) compact[length++] = bytes[++at] as number;
  }
  return compact.subarray(0, length);
}
