import { describe, expect, it } from 'vitest';
import { type Ahead, aheadOf } from '../../../../src/kafka/carry/copy/ahead.ts';
import {
  type CopiedPartition,
  decodeProgress,
  encodeProgress,
} from '../../../../src/kafka/carry/copy/stored-progress.ts';
import { createTrail } from '../../../../src/kafka/carry/trail.ts';
import { createPosition } from '../../../../src/kafka/streams/consume/position.ts';

/** Partitions that are copied up to these offsets. */
function copied(
  offsets: ReadonlyMap<number, bigint>,
  more: { readonly epochs?: ReadonlyMap<number, number>; readonly ahead?: ReadonlyMap<number, Ahead> } = {},
): ReadonlyMap<number, CopiedPartition> {
  return new Map(
    [...offsets].map(([partition, offset]) => [
      partition,
      { offset, epoch: more.epochs?.get(partition) ?? -1, ahead: more.ahead?.get(partition) },
    ]),
  );
}

describe('progress is stored in the offsets of the destination', () => {
  const ids = { sourceId: 'source-id', targetId: 'target-id' };

  it('one for one where the destination has the partitions', () => {
    const offsets = new Map([
      [0, 5n],
      [2, 7n],
    ]);
    const stored = encodeProgress('copy', { ...ids, partitions: copied(offsets) }, 3);
    expect(stored).toEqual([
      { topic: 'copy', partition: 0, offset: 5n, metadata: 'weir-copy:2 source-id target-id' },
      { topic: 'copy', partition: 2, offset: 7n, metadata: 'weir-copy:2 source-id target-id' },
    ]);
  });

  it.each([1, 2, 3, 7])('in the metadata where it has only %i', (partitions) => {
    const offsets = new Map(Array.from({ length: 7 }, (_, at) => [at, BigInt(at) * 10n ** 17n] as const));
    const back = encodeProgress('copy', { ...ids, partitions: copied(offsets) }, partitions).map(decodeProgress);
    expect(back.every((progress) => progress?.sourceId === 'source-id' && progress.targetId === 'target-id')).toBe(
      true,
    );
    const entries = back.flatMap((progress) => [...(progress?.partitions ?? [])]);
    expect(new Map(entries.sort(([a], [b]) => a - b))).toEqual(copied(offsets));
  });

  it.each([
    ['of another group', ''],
    ['of another group', 'abc'],
    ['of a later form', 'weir-copy:3 a b'],
    ['that are damaged', 'weir-copy:2 a b +AQ0BgA'],
  ])('and not read from offsets %s', (_, metadata) => {
    expect(decodeProgress({ topic: 'copy', partition: 0, offset: 5n, metadata })).toBeUndefined();
  });

  it('with the epochs of those that are known, whatever the order and the gaps', () => {
    const offsets = new Map([9, 1, 4, 5, 0].map((partition) => [partition, 2n ** 62n + BigInt(partition)] as const));
    const epochs = new Map([
      [9, 300],
      [0, 7],
      [4, 0],
    ]);
    for (const partitions of [1, 2, 3]) {
      const back = encodeProgress('copy', { ...ids, partitions: copied(offsets, { epochs }) }, partitions).map(
        decodeProgress,
      );
      const entries = back.flatMap((progress) => [...(progress?.partitions ?? [])]);
      const known = new Map(entries.filter(([, { offset }]) => offset > 0n).sort(([a], [b]) => a - b));
      expect(known).toEqual(copied(new Map([...offsets].sort(([a], [b]) => a - b)), { epochs }));
    }
  });

  it('in less than brokers store, for 335 partitions in the metadata of one', () => {
    const offsets = new Map(Array.from({ length: 336 }, (_, at) => [at, 2n ** 49n - 1n - BigInt(at)] as const));
    const epochs = new Map([...offsets.keys()].map((partition) => [partition, 16_382 - partition]));
    const long = { sourceId: 'x'.repeat(22), targetId: 'x'.repeat(22), partitions: copied(offsets, { epochs }) };
    const [stored] = encodeProgress('copy', long, 1);
    expect(stored?.metadata.length).toBeLessThanOrEqual(4_096);
    expect(stored && decodeProgress(stored)).toMatchObject({ partitions: long.partitions });
  });

  it('without the ids that brokers do not report', () => {
    const [stored] = encodeProgress('copy', { sourceId: '', targetId: '', partitions: copied(new Map([[0, 1n]])) }, 1);
    expect(stored && decodeProgress(stored)).toMatchObject({ sourceId: '', targetId: '' });
  });
});

describe('a trail reaches up to the first step that is not acknowledged', () => {
  it('whatever the order of the acknowledgements', () => {
    const trail = createTrail(5n);
    const [first, second] = [trail.add(10n, 2), trail.add(20n, 1)];
    trail.add(30n, 0);
    trail.acknowledge(second);
    trail.acknowledge(first);
    expect(trail.reached).toBe(5n);
    trail.acknowledge(first);
    expect(trail.reached).toBe(30n);
    trail.add(40n, 0);
    expect(trail.reached).toBe(40n);
  });

  it('and says when it has passed a step', () => {
    const trail = createTrail(0n);
    const passed: bigint[] = [];
    const [first, second] = [10n, 20n].map((upTo) => trail.add(upTo, 1, () => passed.push(upTo)));
    if (first === undefined || second === undefined) throw new Error('no steps');
    trail.acknowledge(second);
    expect(passed).toEqual([]);
    trail.acknowledge(first);
    expect(passed).toEqual([10n, 20n]);
  });

  it('and begins again where the log of the source was cut', () => {
    const trail = createTrail(5n);
    const lost = trail.add(10n, 1);
    trail.jump(7n);
    trail.acknowledge(lost);
    expect(trail.reached).toBe(7n);
  });
});

describe('what the destination has behind the offset up to which it has everything', () => {
  it('is kept in the progress', () => {
    const ahead = new Map([
      [0, { lanes: 6, epoch: 3, upTo: 100n, others: new Map([[2, 50n]]) }],
      [4, { lanes: 6, epoch: 0, upTo: 10n ** 18n, others: new Map<number, bigint>() }],
    ]);
    const offsets = new Map([
      [0, 20n],
      [4, 7n],
    ]);
    const partitions = copied(offsets, { ahead });
    const [stored] = encodeProgress('copy', { sourceId: 'a', targetId: 'b', partitions }, 2);
    expect(stored && decodeProgress(stored)).toMatchObject({ partitions });
  });

  it('is that of this run and the runs before it, partition by partition', () => {
    const position = createPosition({ topic: 'a', partition: 0, offset: 10n, end: undefined, epoch: 3 });
    const part = { position, jumps: 0, handed: 60n };
    const open = [
      [1, 40n],
      [1, 20n],
      [1, 30n],
      [2, 25n],
    ].map(([partition = 0, from]) => ({
      position,
      partition: Number(partition),
      from: BigInt(from ?? 0),
    }));
    const elsewhere = { position: createPosition({ ...position, partition: 1 }), partition: 0, from: 1n };
    const before = { lanes: 4, epoch: 3, upTo: 100n, others: new Map([[1, 15n]]) };
    const failed = { open: [...open, elsewhere], before };
    const others = (pairs: readonly (readonly [number, bigint])[]) => ({ others: new Map(pairs) });
    expect(aheadOf(part, 4, failed)).toEqual({ ...before, ...others([[1, 20n]]) });
    // With other partitions, or after another election, the runs before it say nothing.
    const now = others([
      [1, 20n],
      [2, 25n],
    ]);
    expect(aheadOf(part, 4, { ...failed, before: { ...before, lanes: 3 } })).toEqual({ ...before, upTo: 60n, ...now });
    expect(aheadOf(part, 4, { ...failed, before: { ...before, epoch: 2 } })).toEqual({ ...before, upTo: 60n, ...now });
    expect(aheadOf({ ...part, jumps: 1 }, 4, failed)).toBeUndefined();
  });

  it('is left out where it takes more than brokers store', () => {
    const others = new Map(Array.from({ length: 500 }, (_, lane) => [lane, 50_000n] as const));
    const ahead = new Map([[0, { lanes: 501, epoch: 3, upTo: 60_000n, others }]]);
    const [stored] = encodeProgress(
      'copy',
      { sourceId: 'a', targetId: 'b', partitions: copied(new Map([[0, 20n]]), { ahead }) },
      2,
    );
    expect(stored?.metadata).toBe('weir-copy:2 a b');
  });

  it('is left out where the destination has everything by now', () => {
    const ahead = new Map([[0, { lanes: 6, epoch: 3, upTo: 100n, others: new Map([[2, 50n]]) }]]);
    const [stored] = encodeProgress(
      'copy',
      { sourceId: 'a', targetId: 'b', partitions: copied(new Map([[0, 100n]]), { ahead }) },
      2,
    );
    expect(stored?.metadata).toBe('weir-copy:2 a b');
  });
});
