import fc from 'fast-check';
import { expect, it } from 'vitest';
import { progressBy, storedOf } from '../../../../src/kafka/carry/redrive/progress.ts';
import { createSettledOffsets } from '../../../../src/kafka/carry/redrive/settled-offsets.ts';

const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), from: fc.nat(60), length: fc.nat(12) }),
  fc.record({ kind: fc.constant('cut' as const), from: fc.nat(60), length: fc.nat(1) }),
  fc.record({ kind: fc.constant('remove' as const), from: fc.nat(60), length: fc.nat(1) }),
  fc.record({ kind: fc.constant('store' as const), from: fc.nat(1), length: fc.nat(1) }),
);

it('a set of settled offsets has what was added and not cut or removed, also after it was stored and read', () => {
  const item = { topic: 'dlq', partition: 3 };
  fc.assert(
    fc.property(fc.nat(20), fc.array(step, { maxLength: 30 }), fc.bigInt(0n, 2n ** 62n), (logStart, steps, base) => {
      const expected = new Set(Array.from({ length: logStart }, (_, offset) => offset));
      let settled = createSettledOffsets(base + BigInt(logStart));
      for (const { kind, from, length } of steps) {
        if (kind === 'add') {
          for (let offset = from; offset < from + length; offset += 1) expected.add(offset);
          settled.add(base + BigInt(from), base + BigInt(from + length));
        } else if (kind === 'cut') {
          for (const offset of expected) if (offset >= from) expected.delete(offset);
          settled.cut(base + BigInt(from));
        } else if (kind === 'remove') {
          expected.delete(from);
          settled.remove(base + BigInt(from));
        } else {
          const stored = storedOf(item, { topicId: 'id', settled, epoch: from * 7 - 1, before: 0n });
          const progress = progressBy(stored, { group: 'g', topicId: 'id', logStart: 0n });
          expect(progress.epoch).toBe(from * 7 - 1);
          settled = progress.settled;
        }
      }
      const offsets = Array.from({ length: 80 }, (_, offset) => offset);
      expect(offsets.filter((offset) => settled.has(base + BigInt(offset)))).toEqual(
        offsets.filter((offset) => expected.has(offset)),
      );
      const lowest = offsets.find((offset) => !expected.has(offset)) ?? 0;
      expect(settled.floor).toBe(base + BigInt(lowest));
      expect(settled.ceiling).toBe(
        base + BigInt(Math.max(lowest, (offsets.findLast((one) => expected.has(one)) ?? -1) + 1)),
      );
    }),
  );
});

const context = { group: 'g', topicId: 'id', logStart: 4n };

it.each([
  ['offsets of another program', '', 'group "g" has offsets of another program for topic "dlq"'],
  ['a later form', 'weir-redrive:2 id', 'group "g" has offsets of another program for topic "dlq"'],
  ['damage', 'weir-redrive:1 id abc', 'group "g" has damaged progress for topic "dlq" partition 0'],
])('progress is not read from %s', (_, metadata, message) => {
  const stored = { topic: 'dlq', partition: 0, offset: 9n, metadata };
  expect(() => progressBy(stored, context)).toThrow(message);
});

it('the progress of a topic that was deleted since does not count', () => {
  const stored = { topic: 'dlq', partition: 0, offset: 9n, metadata: 'weir-redrive:1 former' };
  expect(progressBy(stored, context).settled.floor).toBe(4n);
  expect(progressBy({ ...stored, metadata: 'weir-redrive:1 id' }, context).settled.floor).toBe(9n);
  expect(progressBy({ ...stored, metadata: 'weir-redrive:1 -' }, context).settled.floor).toBe(9n);
});

it('what is not in the log any more is settled', () => {
  const stored = { topic: 'dlq', partition: 0, offset: 2n, metadata: 'weir-redrive:1 id' };
  expect(progressBy(stored, context).settled.floor).toBe(4n);
});

it('every second one of 20,000 is remembered, and too many gaps without a pattern are refused', () => {
  const settled = createSettledOffsets(0n);
  for (let offset = 1n; offset < 20_000n; offset += 2n) settled.add(offset, offset + 1n);
  const { metadata } = storedOf({ topic: 'dlq', partition: 0 }, { topicId: 'id', settled, epoch: 3, before: 60_000n });
  expect(metadata.length).toBeLessThan(200);
  let seed = 7;
  for (let offset = 20_000n; offset < 60_000n; offset += 1n) {
    seed = (seed * 48_271) % 2_147_483_647;
    if (seed % 2 === 0) settled.add(offset, offset + 1n);
  }
  expect(() => storedOf({ topic: 'dlq', partition: 0 }, { topicId: 'id', settled, epoch: 3, before: 60_000n })).toThrow(
    'from offset 60000 on: too many were left',
  );
});
