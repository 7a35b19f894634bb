import type { Arena } from '../../../../../src/bytes/arena.ts';
import type {
  BlockUnpackers,
  ByteRange,
  UnpackRoom,
} from '../../../../../src/kafka/records/batches/compression/blocks.ts';
import { type Damage, lz4Damage, snappyDamage } from '../../../../../src/kafka/records/batches/compression/blocks.ts';

/** Reads compressed bytes one by one; past the end it sets `overran` and returns 0. */
interface Reader {
  at: number;
  overran: boolean;
  byte(): number;
}

function readerOf(input: Buffer, { start, end }: ByteRange): Reader {
  return {
    at: start,
    overran: false,
    byte() {
      if (this.at >= end) this.overran = true;
      else return input[this.at++] as number;
      return 0;
    },
  };
}

function littleEndian(reader: Reader, bytes: number): number {
  return Array.from({ length: bytes }, () => reader.byte()).reduce((sum, byte, index) => sum + byte * 256 ** index, 0);
}

function repeat(scratch: Arena, distance: number, length: number): void {
  for (let count = 0; count < length; count++) {
    scratch.bytes[scratch.length] = scratch.bytes[scratch.length - distance] as number;
    scratch.length++;
  }
}

function literal(scratch: Arena, reader: Reader, length: number): void {
  for (let count = 0; count < length; count++) scratch.bytes[scratch.length++] = reader.byte();
}

/** Slow and simple decompression, written from the formats' descriptions, with which WebAssembly must agree. */
export const slowBlocks: BlockUnpackers = {
  unpackSnappy(input, range, scratch, to) {
    const before = scratch.length;
    const fail = (damage: Damage): never => {
      scratch.length = before;
      throw snappyDamage(damage);
    };
    const reader = readerOf(input, range);
    while (reader.at < range.end) {
      const tag = reader.byte();
      const room = to - scratch.length;
      if ((tag & 3) === 0) {
        const value = tag >> 2;
        const length = 1 + (value < 60 ? value : littleEndian(reader, value - 59));
        if (reader.overran) fail('literal cut');
        if (length > range.end - reader.at || length > room) fail('too long');
        literal(scratch, reader, length);
        continue;
      }
      const isNear = (tag & 3) === 1;
      const length = isNear ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2);
      const distance = isNear ? (tag >> 5) * 256 + reader.byte() : littleEndian(reader, (tag & 3) === 2 ? 2 : 4);
      if (reader.overran) fail('copy cut');
      if (distance === 0 || distance > scratch.length - before || length > room) fail('bad copy');
      repeat(scratch, distance, length);
    }
  },
  unpackLz4(input, range, scratch, room: UnpackRoom) {
    const before = scratch.length;
    const fail = (damage: Damage): never => {
      scratch.length = before;
      throw lz4Damage(damage, room);
    };
    const reader = readerOf(input, range);
    const lengthFrom = (short: number): number => {
      let length = short;
      for (let more = short === 15 ? 255 : 0; more === 255; ) length += more = reader.byte();
      return length;
    };
    while (reader.at < range.end) {
      const token = reader.byte();
      const count = lengthFrom(token >> 4);
      if (count > range.end - reader.at) fail('literal cut');
      if (count > room.to - scratch.length) fail('too long');
      literal(scratch, reader, count);
      if (reader.at >= range.end) return;
      const distance = littleEndian(reader, 2);
      if (reader.overran) fail('copy cut');
      const length = 4 + lengthFrom(token & 15);
      if (distance === 0 || distance > scratch.length - room.oldest) fail('bad copy');
      if (length > room.to - scratch.length) fail('too long');
      repeat(scratch, distance, length);
    }
    fail('copy cut');
  },
};
