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
    const width = widths.get(character.toLowerCase());
    if (character === '<' || character === '>') isBig = character === '>';
    else if (width !== undefined) steps.push(integerStep(width, isBig, character === character.toLowerCase()));
    else if (character === 'c' || character === '.') steps.push(byteStep);
    else if (character === 's' || character === '$') {
      steps.push(character === 's' ? restStep : endStep);
      hasEnded = true;
    } else if (character !== 'x') return { reason: `unknown unpack character "${character}"`, index };
  }
  return (arena, { bytes }, start, length) => {
    const unread: Unread = { bytes, at: start, end: start + Math.max(length, 0) };
    for (const step of steps) step(arena, unread);
  };
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
