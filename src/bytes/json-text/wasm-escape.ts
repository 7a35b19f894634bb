import { type Arena, copyInto, reserve, type ViewedBytes } from '../arena.ts';
import { type Constant, createMachine, growMemory, type Machine, type ModuleExports } from '../web-assembly.ts';
import { wasmEscapeBase64 } from './wasm-module.ts';

/** The exports of assembly/escape.ts. */
interface Exports extends ModuleExports {
  readonly sourceAt: Constant;
  readonly slack: Constant;
  readonly mostPerByte: Constant;
  prepare(): void;
  escapeText(end: number, target: number): number;
}

/**
 * Appends bytes as they appear inside a JSON string. Returns true if all of them are ASCII; otherwise the caller must
 * check whether they are UTF-8.
 */
export type Escape = (arena: Arena, source: ViewedBytes, start: number, length: number) => boolean;

/** Longer text is escaped in pieces of this size in bytes, so that the memory of the module stays small. */
const pieceBytes = 1 << 16;
/** Above this size in bytes `Buffer.copy` is faster than a loop over words. */
const wordBytes = 192;

/**
 * Creates the WebAssembly module, which escapes 16 bytes at once.
 * @throws Error if there is no WebAssembly, or it lacks a feature of the module
 */
export function createWasmEscape(): Escape {
  const machine = createMachine<Exports>(wasmEscapeBase64);
  const { run } = machine;
  const sourceAt = run.sourceAt.value;
  const targetAt = sourceAt + pieceBytes + run.slack.value;
  if (!growMemory(machine, targetAt + pieceBytes * run.mostPerByte.value + run.slack.value)) {
    throw new Error('not enough memory for WebAssembly');
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

/**
 * Returns the size of the next piece, which must not end inside U+2028 or U+2029: the module would not recognize a part
 * of one.
 */
function sizeOfPiece(bytes: Buffer, at: number, end: number): number {
  const to = at + pieceBytes;
  if (to >= end) return end - at;
  if (bytes[to - 1] === separatorLead) return pieceBytes - 1;
  return bytes[to - 2] === separatorLead ? pieceBytes - 2 : pieceBytes;
}
