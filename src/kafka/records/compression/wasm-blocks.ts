import type { Arena } from '../arena.ts';
import type { Blocks, ByteRange, PackRoom, UnpackRoom } from './blocks.ts';
import { type Damage, lz4Damage, snappyDamage } from './damage.ts';
import { plainBlocks } from './plain-blocks.ts';
import { wasmBlocksBase64 } from './wasm-module.ts';

/** What assembly/blocks.ts exports; its results below zero are `damages`. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly unpackedAt: Constant;
  readonly packFrom: Constant;
  readonly packedAt: Constant;
  readonly slack: Constant;
  unpackLz4(source: number, sourceEnd: number, targetEnd: number, oldest: number): number;
  unpackSnappy(source: number, sourceEnd: number, targetEnd: number): number;
  packLz4(sourceEnd: number, targetEnd: number): number;
  packSnappy(sourceEnd: number): number;
}

interface Constant {
  readonly value: number;
}

/** What is used of WebAssembly, which TypeScript declares for browsers only. */
interface WebAssemblyGlobal {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: unknown };
  };
}

/** By the negative result of an unpacking. */
const damages: readonly Damage[] = ['literal cut', 'too long', 'copy cut', 'bad copy'];
/** Larger blocks go the plain way: memory of WebAssembly can grow, but never be given back. */
const mostBytes = 16 * 2 ** 20;
const pageBytes = 1 << 16;
/** LZ4's copies reach no further back. */
const windowBytes = 1 << 16;

/** The module at work: its memory is shared by all calls, each of which copies its bytes in and out. */
interface Machine {
  readonly run: Exports;
  /** All of its memory; another one after it has grown. */
  memory: Buffer;
  readonly unpackedAt: number;
  readonly packFrom: number;
  readonly packedAt: number;
  readonly slack: number;
}

/**
 * The blocks in WebAssembly.
 * @throws Error where there is no WebAssembly, or it lacks what the module needs
 */
export function openWasmBlocks(): Blocks {
  const { WebAssembly } = globalThis as unknown as WebAssemblyGlobal;
  const module = new WebAssembly.Module(Buffer.from(wasmBlocksBase64, 'base64'));
  const run = new WebAssembly.Instance(module).exports as Exports;
  const machine: Machine = {
    run,
    memory: Buffer.alloc(0),
    unpackedAt: run.unpackedAt.value,
    packFrom: run.packFrom.value,
    packedAt: run.packedAt.value,
    slack: run.slack.value,
  };
  // Room to pack 64 KiB, of which snappy may make a sixth more.
  if (!hold(machine, machine.packedAt + 2 * pageBytes)) throw new Error('there is no memory for WebAssembly');
  return {
    unpackLz4: (input, range, scratch, room) => unpackLz4(machine, { input, ...range }, scratch, room),
    unpackSnappy: (input, range, scratch, to) => unpackSnappy(machine, { input, ...range }, scratch, to),
    packLz4: (input, range, output, room) => packLz4(machine, { input, ...range }, output, room),
    packSnappy: (input, range, output, from) => packSnappy(machine, { input, ...range }, output, from),
  };
}

interface Source extends ByteRange {
  readonly input: Buffer;
}

/** Makes the memory that large; false when there is not as much. */
function hold(machine: Machine, bytes: number): boolean {
  const { memory } = machine.run;
  const missing = bytes - machine.memory.length;
  if (missing <= 0) return true;
  try {
    memory.grow(Math.ceil(missing / pageBytes));
  } catch {
    return false;
  }
  machine.memory = Buffer.from(memory.buffer);
  return true;
}

/** Puts packed bytes behind the room for `most` unpacked ones; where they begin, or -1 when that is too much. */
function enter(machine: Machine, { input, start, end }: Source, most: number): number {
  const size = end - start;
  if (size > mostBytes || most > mostBytes) return -1;
  const source = machine.unpackedAt + most + machine.slack;
  if (!hold(machine, source + size + machine.slack)) return -1;
  input.copy(machine.memory, source, start, end);
  return source;
}

function leave(machine: Machine, scratch: Arena, length: number): void {
  machine.memory.copy(scratch.bytes, scratch.length, machine.unpackedAt, machine.unpackedAt + length);
  scratch.length += length;
}

function damageOf(result: number): Damage {
  return damages[-1 - result] ?? 'bad copy';
}

function unpackLz4(machine: Machine, packed: Source, scratch: Arena, room: UnpackRoom): void {
  const { unpackedAt, run } = machine;
  const most = room.to - scratch.length;
  const source = enter(machine, packed, most);
  if (source < 0) {
    plainBlocks.unpackLz4(packed.input, packed, scratch, room);
    return;
  }
  const history = Math.min(scratch.length - room.oldest, windowBytes);
  if (history > 0) scratch.bytes.copy(machine.memory, unpackedAt - history, scratch.length - history, scratch.length);
  const sourceEnd = source + packed.end - packed.start;
  const result = run.unpackLz4(source, sourceEnd, unpackedAt + most, unpackedAt - history);
  if (result < 0) throw lz4Damage(damageOf(result), room);
  leave(machine, scratch, result);
}

function unpackSnappy(machine: Machine, packed: Source, scratch: Arena, to: number): void {
  const most = to - scratch.length;
  const source = enter(machine, packed, most);
  if (source < 0) {
    plainBlocks.unpackSnappy(packed.input, packed, scratch, to);
    return;
  }
  const result = machine.run.unpackSnappy(source, source + packed.end - packed.start, machine.unpackedAt + most);
  if (result < 0) throw snappyDamage(damageOf(result));
  leave(machine, scratch, result);
}

function packLz4(machine: Machine, { input, start, end }: Source, output: Buffer, room: PackRoom): number {
  const { memory, packFrom, packedAt, run } = machine;
  input.copy(memory, packFrom, start, end);
  const size = run.packLz4(packFrom + end - start, packedAt + room.to - room.from);
  if (size === 0) return -1;
  return room.from + memory.copy(output, room.from, packedAt, packedAt + size);
}

function packSnappy(machine: Machine, { input, start, end }: Source, output: Buffer, from: number): number {
  const { memory, packFrom, packedAt, run } = machine;
  input.copy(memory, packFrom, start, end);
  return from + memory.copy(output, from, packedAt, packedAt + run.packSnappy(packFrom + end - start));
}
