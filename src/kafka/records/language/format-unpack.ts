import { type Arena, appendAscii, appendByte } from '../../../bytes/arena.ts';
import type { WriteText } from './format-text.ts';

/** The unread part of a field. */
interface Unread {
  readonly bytes: Buffer;
  at: number;
  readonly end: number;
}

type UnpackStep = (arena: Arena, unread: Unread) => void;

/** An invalid specification: the reason, and the index of the invalid character. */
export interface UnpackProblem {
  readonly reason: string;
  readonly index: number;
}

const widths: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['h', 2],
  ['i', 4],
  ['q', 8],
]);

/**
 * Compiles an unpack specification, for example `>hIs` (big-endian, signed 16 bits, unsigned 32 bits, the rest as it
 * is), into a writer; fields are printed without separators.
 */
export function compileUnpack(spec: string): WriteText | UnpackProblem {
  const steps: UnpackStep[] = [];
  let isBig = false;
  let hasEnded = false;
  for (const [index, character] of [...spec].entries()) {
    if (hasEnded) return { reason: 'nothing may follow "s" or "$"', index };
    if (character === '<' || character === '>') isBig = character === '>';
    if (ignored.has(character)) continue;
    const step = stepOf(character, isBig);
    if (step === undefined) return { reason: `unknown unpack character "${character}"`, index };
    steps.push(step);
    hasEnded = step === restStep || step === endStep;
  }
  return (arena, { bytes }, start, length) => {
    const unread: Unread = { bytes, at: start, end: start + Math.max(length, 0) };
    for (const step of steps) step(arena, unread);
  };
}

/** The byte order applies to what follows; `x` reads nothing. */
const ignored: ReadonlySet<string> = new Set(['<', '>', 'x']);

function stepOf(character: string, isBig: boolean): UnpackStep | undefined {
  const width = widths.get(character.toLowerCase());
  if (width !== undefined) return integerStep(width, isBig, character === character.toLowerCase());
  return { c: byteStep, '.': byteStep, s: restStep, $: endStep }[character];
}

function integerStep(width: number, isBig: boolean, isSigned: boolean): UnpackStep {
  return (arena, unread) => {
    const have = unread.end - unread.at;
    if (have < width) {
      appendAscii(arena, `%!(have ${have} bytes, need ${width})`);
      unread.at = unread.end;
      return;
    }
    const view = unread.bytes.subarray(unread.at, unread.at + width);
    const hex = (isBig ? view : Buffer.from(view).reverse()).toString('hex');
    const value = BigInt(`0x${hex}`);
    appendAscii(arena, (isSigned ? BigInt.asIntN(width * 8, value) : value).toString());
    unread.at += width;
  };
}

function byteStep(arena: Arena, unread: Unread): void {
  if (unread.at < unread.end) appendByte(arena, unread.bytes[unread.at++] as number);
  else appendAscii(arena, '%!c(no bytes available)');
}

function restStep(arena: Arena, unread: Unread): void {
  for (; unread.at < unread.end; unread.at++) appendByte(arena, unread.bytes[unread.at] as number);
}

function endStep(arena: Arena, unread: Unread): void {
  if (unread.at < unread.end) appendAscii(arena, '%!$(not end-of-input)');
}
