import { describe, expect, it } from 'vitest';
import { createAnswerMemory } from '../../../../src/kafka/streams/consume/answer-memory.ts';

const mebibyte = 2 ** 20;

describe('the memory of answers', () => {
  it('is reused after it was returned', () => {
    const memory = createAnswerMemory();
    const first = memory.allocate(3 * mebibyte);
    memory.release(first.buffer);
    const second = memory.allocate(3 * mebibyte - 5);
    expect(second.buffer).toBe(first.buffer);
    expect(second.length).toBe(3 * mebibyte - 5);
  });

  it('is new until it was returned', () => {
    const memory = createAnswerMemory();
    expect(memory.allocate(mebibyte).buffer).not.toBe(memory.allocate(mebibyte).buffer);
  });

  it('of a small answer is separate', () => {
    const memory = createAnswerMemory();
    const small = memory.allocate(100);
    expect(small.buffer.byteLength).toBe(100);
    memory.release(small.buffer);
    expect(memory.allocate(100).buffer).not.toBe(small.buffer);
  });

  it('of a very large answer is not kept', () => {
    const memory = createAnswerMemory();
    const large = memory.allocate(40 * mebibyte);
    memory.release(large.buffer);
    expect(memory.allocate(2 * mebibyte).buffer).not.toBe(large.buffer);
  });

  it('that was transferred to another thread is not reused', () => {
    const memory = createAnswerMemory();
    const taken = memory.allocate(mebibyte);
    structuredClone(taken.buffer, { transfer: [taken.buffer as ArrayBuffer] });
    memory.release(taken.buffer);
    expect(memory.allocate(mebibyte).length).toBe(mebibyte);
  });

  it('that is repeatedly returned empty does not displace usable memory', () => {
    const memory = createAnswerMemory();
    const first = memory.allocate(mebibyte);
    for (let at = 0; at < 10; at++) memory.release(new ArrayBuffer(0));
    memory.release(first.buffer);
    expect(memory.allocate(mebibyte).buffer).toBe(first.buffer);
  });

  it('is kept for a few answers only', () => {
    const memory = createAnswerMemory();
    const pieces = Array.from({ length: 6 }, () => memory.allocate(mebibyte));
    for (const piece of pieces) memory.release(piece.buffer);
    const again = new Set(pieces.map(() => memory.allocate(mebibyte).buffer));
    expect(pieces.filter((piece) => again.has(piece.buffer))).toHaveLength(4);
  });

  it('grows with the answers, and memory that is too small is dropped', () => {
    const memory = createAnswerMemory();
    const small = memory.allocate(mebibyte);
    memory.release(small.buffer);
    expect(memory.allocate(4 * mebibyte).length).toBe(4 * mebibyte);
    expect(memory.allocate(mebibyte).buffer).not.toBe(small.buffer);
  });
});
