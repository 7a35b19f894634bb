import { type Arena, copyInto, reserve, type ViewedBytes } from '../../records/arena.ts';
import { type Constant, hold, type Machine, type ModuleExports, openMachine } from '../../records/web-assembly.ts';
import { wasmEscapeBase64 } from './wasm-module.ts';

/** What assembly/escape.ts exports. */
interface Exports extends ModuleExports {
  readonly sourceAt: Constant;
  readonly slack: Constant;
  readonly mostPerByte: Constant;
  prepare(): void;
  escapeText(end: number, target: number): number;
}

/**
 * Appends bytes as they stand inside a JSON string. True when all of them are ASCII; else whether they are UTF-8 is for
 * the caller to find out.
 */
export type Escape = (arena: Arena, source: ViewedBytes, start: number, length: number) => boolean;

/** More bytes than these are escaped in pieces, so that the memory of the module stays small. */
const pieceBytes = 1 << 16;
/** Above this a call of `Buffer.copy` takes less time than a loop over words. */
const wordBytes = 192;

/**
 * Escaping in WebAssembly, 16 bytes at once.
 * @throws Error where there is no WebAssembly, or it lacks what the module needs
 */
export function openWasmEscape(): Escape {
  const machine = openMachine<Exports>(wasmEscapeBase64);
  const { run } = machine;
  const sourceAt = run.sourceAt.value;
  const targetAt = sourceAt + pieceBytes + run.slack.value;
  if (!hold(machine, targetAt + pieceBytes * run.mostPerByte.value + run.slack.value)) {
    throw new Error('there is no memory for WebAssembly');
  }
  run.prepare();
  const escapePiece = pieceEscaper(machine, sourceAt, targetAt);
  return (arena, source, start, length) => {
    if (length <= pieceBytes) return escapePiece(arena, source, start, length);
    const end = start + length;
    let isAscii = true;
    for (let at = start; at < end; ) {
      const size = sizeOfPiece(source.bytes, at, end);
      isAscii = escapePiece(arena, source, at, size) && isAscii;
      at += size;
    }
    return isAscii;
  };
}

function pieceEscaper({ run, memory, view }: Machine<Exports>, sourceAt: number, targetAt: number): Escape {
  const entry: Arena = { bytes: memory, view, length: 0 };
  return (arena, source, start, length) => {
    if (length > wordBytes) source.bytes.copy(memory, sourceAt, start, start + length);
    else {
      entry.length = sourceAt;
      copyInto(entry, source.view, start, length);
    }
    const result = run.escapeText(sourceAt + length, targetAt);
    const written = result < 0 ? ~result : result;
    reserve(arena, written);
    if (written > wordBytes) arena.length += memory.copy(arena.bytes, arena.length, targetAt, targetAt + written);
    else copyInto(arena, view, targetAt, written);
    return result >= 0;
  };
}

/** The first byte of U+2028 and U+2029. */
const separatorLead = 0xe2;

/** A piece must not end inside U+2028 or U+2029, which it could not tell from other characters. */
function sizeOfPiece(bytes: Buffer, at: number, end: number): number {
  const to = at + pieceBytes;
  if (to >= end) return end - at;
  if (bytes[to - 1] === separatorLead) return pieceBytes - 1;
  return bytes[to - 2] === separatorLead ? pieceBytes - 2 : pieceBytes;
}
