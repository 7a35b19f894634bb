import type { Arena } from '../../../../bytes/arena.ts';
import {
  type Constant,
  createMachine,
  growMemory,
  type Machine,
  type ModuleExports,
} from '../../../../bytes/web-assembly.ts';
import { CliError, exitCodes } from '../../../../errors.ts';
import { CompressionError } from '../corrupt.ts';
import type { Blocks, ByteRange, PackRoom, UnpackRoom } from './blocks.ts';
import { type Damage, lz4Damage, snappyDamage } from './blocks.ts';
import { wasmBlocksBase64 } from './wasm-module.ts';

/** The exports of assembly/blocks.ts; its results below zero are `damages`. */
interface Exports extends ModuleExports {
  readonly unpackedAt: Constant;
  readonly packFrom: Constant;
  readonly packedAt: Constant;
  readonly slack: Constant;
  unpackLz4(source: number, sourceEnd: number, targetEnd: number, oldest: number): number;
  unpackSnappy(source: number, sourceEnd: number, targetEnd: number): number;
  packLz4(sourceEnd: number, targetEnd: number): number;
  packSnappy(sourceEnd: number): number;
}

/** The kinds of damage, in the order of the negative results of unpacking. */
const damages: readonly Damage[] = ['literal cut', 'too long', 'copy cut', 'bad copy'];
/**
 * The memory of WebAssembly can grow, but never be released: a block that takes more than this size in bytes gets a
 * machine of its own, whose memory is freed with it.
 */
const keptBytes = 32 * 2 ** 20;
/** The distance in bytes that LZ4's copies reach back at most. */
const windowBytes = 1 << 16;
/** Room to pack 64 KiB, which snappy may enlarge by a sixth. */
const packBytes = 1 << 17;

let opened: Blocks | undefined;

/**
 * Returns the blocks in WebAssembly, which the first call starts. The error names `compression`.
 * @throws CliError if there is no WebAssembly (`node --jitless`)
 */
export function wasmBlocks(compression: string): Blocks {
  opened ??= start(compression);
  return opened;
}

function start(compression: string): Blocks {
  try {
    return createWasmBlocks();
  } catch (cause) {
    throw new CliError(exitCodes.failure, `unable to use ${compression}: this Node.js runs without WebAssembly`, {
      code: 'NO_WEBASSEMBLY',
      hints: ['run Node.js without --jitless', 'use --compression gzip, zstd or none, which need no WebAssembly'],
      cause,
    });
  }
}

/**
 * Creates the blocks in WebAssembly.
 * @throws Error if there is no WebAssembly, or it lacks a feature of the module
 */
export function createWasmBlocks(): Blocks {
  const machine = createMachine<Exports>(wasmBlocksBase64);
  if (!growMemory(machine, machine.run.packedAt.value + packBytes))
    throw new Error('not enough memory for WebAssembly');
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

/** A machine with packed bytes after the room for unpacked ones. */
interface Loaded {
  readonly machine: Machine<Exports>;
  readonly source: number;
  readonly sourceEnd: number;
}

/**
 * Copies packed bytes after the room for `most` unpacked ones.
 * @throws CompressionError if there is not enough memory
 */
function load(machine: Machine<Exports>, { input, start, end }: Source, most: number): Loaded {
  const { unpackedAt, slack } = machine.run;
  const size = end - start;
  const source = unpackedAt.value + most + slack.value;
  const needed = source + size + slack.value;
  const fitting = needed <= keptBytes ? machine : createMachine<Exports>(wasmBlocksBase64);
  if (!growMemory(fitting, needed))
    throw new CompressionError(`not enough memory to decompress a block of ${size} bytes`);
  input.copy(fitting.memory, source, start, end);
  return { machine: fitting, source, sourceEnd: source + size };
}

function leave({ memory, run }: Machine<Exports>, scratch: Arena, length: number): void {
  memory.copy(scratch.bytes, scratch.length, run.unpackedAt.value, run.unpackedAt.value + length);
  scratch.length += length;
}

function damageOf(result: number): Damage {
  return damages[-1 - result] ?? 'bad copy';
}

function unpackLz4(kept: Machine<Exports>, packed: Source, scratch: Arena, room: UnpackRoom): void {
  const most = room.to - scratch.length;
  const { machine, source, sourceEnd } = load(kept, packed, most);
  const unpackedAt = machine.run.unpackedAt.value;
  const history = Math.min(scratch.length - room.oldest, windowBytes);
  if (history > 0) scratch.bytes.copy(machine.memory, unpackedAt - history, scratch.length - history, scratch.length);
  const result = machine.run.unpackLz4(source, sourceEnd, unpackedAt + most, unpackedAt - history);
  if (result < 0) throw lz4Damage(damageOf(result), room);
  leave(machine, scratch, result);
}

function unpackSnappy(kept: Machine<Exports>, packed: Source, scratch: Arena, to: number): void {
  const most = to - scratch.length;
  const { machine, source, sourceEnd } = load(kept, packed, most);
  const result = machine.run.unpackSnappy(source, sourceEnd, machine.run.unpackedAt.value + most);
  if (result < 0) throw snappyDamage(damageOf(result));
  leave(machine, scratch, result);
}

function packLz4(
  { memory, run }: Machine<Exports>,
  { input, start, end }: Source,
  output: Buffer,
  room: PackRoom,
): number {
  const [packFrom, packedAt] = [run.packFrom.value, run.packedAt.value];
  input.copy(memory, packFrom, start, end);
  const size = run.packLz4(packFrom + end - start, packedAt + room.to - room.from);
  if (size === 0) return -1;
  return room.from + memory.copy(output, room.from, packedAt, packedAt + size);
}

function packSnappy(
  { memory, run }: Machine<Exports>,
  { input, start, end }: Source,
  output: Buffer,
  from: number,
): number {
  const [packFrom, packedAt] = [run.packFrom.value, run.packedAt.value];
  input.copy(memory, packFrom, start, end);
  return from + memory.copy(output, from, packedAt, packedAt + run.packSnappy(packFrom + end - start));
}
