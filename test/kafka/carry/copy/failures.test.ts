import { describe, expect, it } from 'vitest';
import { readStored, storeOffsets } from '../../../../src/kafka/carry/stored-offsets.ts';
import { openTransactions } from '../../../../src/kafka/carry/transactions.ts';
import type { RequestOf, ResponseOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { describeConfigs } from '../../../../src/kafka/protocol/wire/apis/describe-configs.ts';
import type { fetch } from '../../../../src/kafka/protocol/wire/apis/fetch.ts';
import type { produce } from '../../../../src/kafka/protocol/wire/apis/produce.ts';
import type { txnOffsetCommit } from '../../../../src/kafka/protocol/wire/apis/txn-offset-commit.ts';
import { outsider } from '../../../../src/kafka/streams/groups/commits.ts';
import type { FaultAction } from '../../../sandbox/broker/faults.ts';
import { writeBatch } from '../../records/batches/batches.ts';
import { type CopyWorld, openCopyWorld } from './copy-world.ts';

type FetchAnswer = ResponseOf<typeof fetch>;

/** Values of a batch that is large enough to stay whole. */
function large(name: string, count = 100): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at}`.padEnd(800, '.'));
}

const follow = { range: { start: { at: 'start' }, end: undefined } } as const;

/** Whether a Produce request has these bytes. */
function hasRecord(text: string): (request: RequestOf<typeof produce>) => boolean {
  return ({ topicData }) =>
    topicData.some(({ partitionData }) =>
      partitionData.some(({ records }) => Buffer.from(records ?? []).includes(text)),
    );
}

/** Changes the batch that begins at an offset, in what a broker sends. */
function changeBatch(answer: FetchAnswer, offset: bigint, change: (records: Buffer, at: number) => void): FetchAnswer {
  const changed = (sent: Buffer | undefined): Buffer | undefined => {
    const records = sent && Buffer.from(sent);
    for (let at = 0; records !== undefined && at < records.length; at += 12 + records.readInt32BE(at + 8)) {
      if (records.readBigInt64BE(at) === offset) change(records, at);
    }
    return records;
  };
  return {
    ...answer,
    responses: answer.responses.map((topic) => ({
      ...topic,
      partitions: topic.partitions.map((row) => ({ ...row, records: changed(row.records) })),
    })),
  };
}

/** Flips a bit of the batch that begins at an offset. */
function damage(answer: FetchAnswer, offset: bigint): FetchAnswer {
  return changeBatch(answer, offset, (records, at) => records.writeUInt8(records.readUInt8(at + 80) ^ 1, at + 80));
}

/** Makes the batch that begins at an offset seem to be an earlier one. */
function misplace(answer: FetchAnswer, offset: bigint): FetchAnswer {
  return changeBatch(answer, offset, (records, at) => records.writeBigInt64BE(offset - 50n, at));
}

describe('a batch that is damaged', () => {
  it.each([
    [false, 'checksum', damage, 'the checksum does not match'],
    [true, 'checksum', damage, 'the checksum does not match'],
    [false, 'place', misplace, 'a batch ends at offset 99, and the next one begins at 50'],
    [true, 'place', misplace, 'a batch ends at offset 99, and the next one begins at 50'],
  ])(
    'in the source ends the copy after everything before it, and the next run continues there (exactly once: %s, its %s)',
    async (isExactlyOnce, _what, change, reason) => {
      const { write, copy, control, values } = openCopyWorld();
      for (const name of ['a', 'b', 'c']) await write('from', 0, large(name));
      control.fault({
        api: 'Fetch',
        times: 100,
        action: { kind: 'change', change: (answer: FetchAnswer) => change(answer, 100n) },
      });
      await expect(copy({ isExactlyOnce })).rejects.toMatchObject({
        code: 'CORRUPT_MESSAGE',
        message: `unable to read topic "from" partition 0 at offset 100: ${reason} (100 records were copied before that)`,
      });
      expect(values('to')).toEqual(values('from').slice(0, 100));
      control.clearFaults();
      expect(await copy({ isExactlyOnce })).toMatchObject({ records: 200 });
      expect(values('to')).toEqual(values('from'));
    },
  );

  it.each([false, true])(
    'behind others that are joined: has them all copied once, however often (exactly once: %s)',
    async (isExactlyOnce) => {
      const { write, copy, control, values } = openCopyWorld();
      for (let at = 0; at < 400; at += 1) await write('from', 0, [`small-${at}`.padEnd(6_000, '.')]);
      const change = (answer: FetchAnswer) => damage(answer, 390n);
      control.fault({ api: 'Fetch', times: 100, action: { kind: 'change', change } });
      for (const written of [390, 0]) {
        await expect(copy({ isExactlyOnce })).rejects.toMatchObject({
          code: 'CORRUPT_MESSAGE',
          message: expect.stringMatching(
            new RegExp(`at offset 390: the checksum is .* \\(${written} records were copied`),
          ),
        });
        expect(values('to')).toEqual(values('from').slice(0, 390));
      }
      control.clearFaults();
      expect(await copy({ isExactlyOnce })).toMatchObject({ records: 10 });
      expect(values('to')).toEqual(values('from'));
    },
  );

  it('while it is not known whether another was written: the transaction does not count', async () => {
    const { write, copy, control, values } = openCopyWorld(2);
    for (const name of ['a', 'b']) await write('from', 0, large(name));
    await write('from', 1, large('c'));
    const of1 = ({ topicData }: RequestOf<typeof produce>): boolean =>
      topicData.some(({ partitionData }) => partitionData.some(({ index }) => index === 1));
    control.fault({ api: 'Produce', where: of1, action: { kind: 'do-and-cut' } });
    control.fault({ api: 'Produce', where: of1, times: 100, action: cut });
    const change = (answer: FetchAnswer) => damage(answer, 100n);
    control.fault({ api: 'Fetch', times: 100, action: { kind: 'change', change } });
    await expect(copy({ isExactlyOnce: true }, { retry: 20_000 })).rejects.toMatchObject({ code: 'CORRUPT_MESSAGE' });
    control.clearFaults();
    await copy({ isExactlyOnce: true });
    expect([values('to', 0), values('to', 1)]).toEqual([values('from', 0), values('from', 1)]);
  });

  it('on its way to the destination is sent again', async () => {
    const { write, copy, control, values } = openCopyWorld();
    for (const name of ['a', 'b', 'c']) await write('from', 0, large(name));
    control.fault({ api: 'Produce', times: 2, action: { kind: 'refuse', code: 2 } });
    expect(await copy()).toMatchObject({ records: 300 });
    expect(values('to')).toEqual(values('from'));
  });
});

describe('a copy that follows its source', () => {
  it('takes up partitions that both topics get, from their first record', async () => {
    const { world, write, grow, start, values, control } = openCopyWorld();
    await write('from', 0, ['a']);
    const running = start({ range: { start: { at: 'end' }, end: undefined } });
    await world.clock.runFor(1_000);
    await grow('from', 3);
    await write('from', 1, ['b']);
    await grow('to', 3);
    await world.clock.runFor(12_000);
    await write('from', 2, ['c']);
    await write('from', 0, ['d']);
    await world.clock.runFor(2_000);
    running.stop();
    expect(await world.clock.runUntil(running.ended)).toMatchObject({ records: 3 });
    expect([0, 1, 2].map((partition) => values('to', partition))).toEqual([['d'], ['b'], ['c']]);
    expect(control.defects).toEqual([]);
  });

  it('says that the destination has fewer partitions, and goes on when it has them', async () => {
    const { world, write, grow, start, values, warnings } = openCopyWorld();
    const running = start({ range: { start: { at: 'start' }, end: undefined } });
    await world.clock.runFor(1_000);
    await grow('from', 2);
    await write('from', 1, ['b']);
    await world.clock.runFor(31_000);
    expect(warnings).toEqual([
      'topic "from" has 2 partitions now, and "to" 1: the others are copied once "to" has them as well',
    ]);
    await grow('to', 2);
    await world.clock.runFor(12_000);
    running.stop();
    expect(await world.clock.runUntil(running.ended)).toMatchObject({ records: 1 });
    expect(values('to', 1)).toEqual(['b']);
  });

  it('takes up none if it is one of certain partitions', async () => {
    const { world, write, grow, start, values } = openCopyWorld();
    const running = start({ ...follow, partitions: [0] });
    await world.clock.runFor(1_000);
    for (const topic of ['from', 'to']) await grow(topic, 2);
    await write('from', 1, ['b']);
    await write('from', 0, ['a']);
    await world.clock.runFor(12_000);
    running.stop();
    await world.clock.runUntil(running.ended);
    expect([0, 1].map((partition) => values('to', partition))).toEqual([['a'], []]);
  });

  it('repeats no more than its last second when it is killed', async () => {
    const { world, write, start, copy, values } = openCopyWorld();
    const running = start(follow);
    await write('from', 0, ['a']);
    await world.clock.runFor(2_000);
    running.kill();
    await copy();
    expect(values('to')).toEqual(['a']);
  });
});

describe('a range', () => {
  const range = (start: bigint, end: bigint) =>
    ({ hasStart: true, range: { start: { at: 'exact', offset: start }, end: { at: 'exact', offset: end } } }) as const;

  it('is not another one than that of the line: beside progress it is refused, and the end alone is not', async () => {
    const { write, copy, values, grow } = openCopyWorld();
    await write('from', 0, ['0', '1', '2', '3', '4', '5', '6']);
    await copy(range(0n, 2n));
    // Of a new partition nothing is stored.
    for (const topic of ['from', 'to']) await grow(topic, 2);
    for (const [from, to] of [
      [4n, 6n],
      [0n, 2n],
    ] as const) {
      await expect(copy(range(from, to))).rejects.toMatchObject({
        code: 'PROGRESS_EXISTS',
        exitCode: 6,
        hints: [
          'continue the earlier copy: leave out -o, or give only its end',
          'copy the range apart from it: -g NAME --append (a new NAME)',
          'or start over with the range: --restart',
        ],
      });
    }
    await copy({ range: { start: { at: 'start' }, end: { at: 'exact', offset: 3n } } });
    expect(values('to')).toEqual(['0', '1', '2']);
    await copy({ ...range(4n, 6n), group: 'apart', appends: true });
    expect(values('to')).toEqual(['0', '1', '2', '4', '5']);
    await expect(copy({ ...range(0n, 2n), group: 'apart' })).rejects.toMatchObject({ code: 'PROGRESS_EXISTS' });
  });

  it('that is cut short says how it continues', async () => {
    const { world, write, start } = openCopyWorld();
    await write('from', 0, ['0', '1']);
    const running = start(range(0n, 2n));
    await world.clock.runUntil(running.ended);
    expect(running.again).toBe('repeat the command with the end of -o alone: it continues where this copy stopped');
  });

  it('without an end is where a copy that is followed began: its process may be started again', async () => {
    const { world, write, start, values, notices } = openCopyWorld();
    await write('from', 0, ['old']);
    for (const value of ['a', 'b']) {
      const running = start({ hasStart: true, range: { start: { at: 'end' }, end: undefined } });
      await world.clock.runFor(2_000);
      await write('from', 0, [value]);
      await world.clock.runFor(2_000);
      running.kill();
    }
    expect(values('to')).toEqual(['a', 'b']);
    expect(notices).toEqual(['continuing the earlier copy of topic "from": -o does not apply']);
  });
});

it('a copy of what was copied from its destination is warned of', async () => {
  const { write, copy, warnings } = openCopyWorld();
  await write('from', 0, ['a']);
  await copy();
  expect(warnings).toEqual([]);
  await copy({ topics: [{ source: 'to', target: 'from' }], appends: true });
  expect(warnings).toEqual([
    'topic "to" has records that were copied from "from", and they are copied back: with two copies that follow each ' +
      'other, records go round without end',
  ]);
});

describe('the progress', () => {
  it.each([
    ['OffsetCommit', {}],
    ['TxnOffsetCommit', { isExactlyOnce: true }],
  ])(
    'of partitions without new records is stored again every half a minute (%s), because brokers forget it',
    async (api, how) => {
      const { world, write, start, control } = openCopyWorld(2);
      await write('from', 1, ['quiet']);
      const stored: number[] = [];
      const see = ({ topics }: Pick<RequestOf<typeof txnOffsetCommit>, 'topics'>): boolean => {
        const isQuiet = topics.some(({ partitions }) => partitions.some(({ partitionIndex }) => partitionIndex === 1));
        if (isQuiet) stored.push(world.clock.now());
        return false;
      };
      control.fault({ api, where: see, action: cut });
      const running = start({ ...follow, ...how });
      for (let second = 0; second < 150; second += 1) {
        await write('from', 0, [`${second}`]);
        await world.clock.runFor(1_000);
      }
      running.kill();
      const gaps = stored.map((at, index) => (stored[index + 1] ?? world.clock.now()) - at);
      expect(Math.max(...gaps)).toBeLessThan(40_000);
      expect(stored.length).toBeLessThan(10);
    },
  );

  it('is stored early: a process that is always killed within its first second gets ahead', async () => {
    const { world, write, start, control, values } = openCopyWorld();
    for (let batch = 0; batch < 20; batch += 1) await write('from', 0, large(`${batch}`));
    control.throttle([{ api: 'Produce', milliseconds: 100 }]);
    for (let run = 0; run < 20; run += 1) {
      const running = start(follow);
      await world.clock.runFor(900);
      running.kill();
    }
    expect(new Set(values('to')).size).toBe(2_000);
  });
});

describe('several topics', () => {
  const openSeveral = (count: number) => {
    const copies = openCopyWorld();
    const topics = Array.from({ length: count }, (_, at) => ({ source: `from-${at}`, target: `to-${at}` }));
    for (const name of topics.flatMap(({ source, target }) => [source, target])) copies.control.createTopic({ name });
    return { ...copies, topics };
  };

  it('are followed at the same time, with a share of the memory each', async () => {
    const { world, write, start, control, topics } = openSeveral(2);
    const sizes = new Set<number>();
    const see = ({ maxBytes }: RequestOf<typeof fetch>): boolean => {
      sizes.add(maxBytes);
      return false;
    };
    control.fault({ api: 'Fetch', where: see, action: cut });
    const running = start({ ...follow, topics });
    for (const { source } of topics) await write(source, 0, ['a']);
    await world.clock.runFor(2_000);
    expect(running.copied).toBe(2);
    const isCopied = ({ topicData }: RequestOf<typeof produce>) =>
      !topicData.some(({ name }) => topics.some(({ source }) => source === name));
    control.fault({ api: 'Produce', times: 2, where: isCopied, action: { kind: 'late', milliseconds: 2_000 } });
    for (const { source } of topics) await write(source, 0, ['b', 'c']);
    await world.clock.runFor(1_000);
    expect(running.pending).toBe(4);
    running.stop();
    await world.clock.runUntil(running.ended);
    expect(running.rows).toMatchObject(topics.map(() => ({ records: 3 })));
    expect(sizes).toEqual(new Set([4 << 20]));
  });

  it('are copied although one of them is refused, and its row says why', async () => {
    const { world, write, start, control, topics } = openSeveral(2);
    for (const { source } of topics) await write(source, 0, [`of ${source}`]);
    control.fault({ api: 'Produce', where: hasRecord('of from-0'), action: refuse(code.topicForbidden) });
    const running = start({ topics });
    await world.clock.runUntil(running.ended);
    expect(running.rows).toMatchObject([
      { topic: 'from-0', records: 0, error: { code: 'TOPIC_AUTHORIZATION_FAILED' } },
      { topic: 'from-1', records: 1, error: null },
    ]);
  });

  it('have a row that says what is copied again of the one that failed', async () => {
    const { write, start, control, topics, world } = openSeveral(2);
    for (const { source } of topics) await write(source, 0, ['a']);
    const isOfFirst = ({ topics: all }: RequestOf<typeof txnOffsetCommit>): boolean =>
      all.some(
        ({ name, partitions }) => name === 'to-0' && partitions.some(({ committedOffset }) => committedOffset > 0n),
      );
    control.fault({ api: 'OffsetCommit', where: isOfFirst, times: 99, action: refuse(code.groupForbidden) });
    const running = start({ topics });
    await world.clock.runUntil(running.ended);
    expect(running.rows).toMatchObject([
      {
        records: 1,
        error: {
          message: expect.stringMatching(
            /\(1 record was copied before that\); the same command continues, but 1 record is copied again: the progress after them is not stored$/,
          ),
        },
      },
      { records: 1, error: null },
    ]);
  });

  it('do not count what a transaction that was aborted had of the one that failed', async () => {
    const { write, start, control, topics, world } = openSeveral(2);
    for (const { source } of topics) await write(source, 0, large('a'));
    await write('from-0', 0, large('b'));
    control.fault({ api: 'Produce', where: hasRecord('b-0'), times: 9, action: refuse(code.topicForbidden) });
    const running = start({ topics, isExactlyOnce: true });
    await world.clock.runUntil(running.ended);
    expect(running.rows).toMatchObject([
      { records: 0, bytes: 0, error: { message: expect.stringContaining('(0 records were copied before that)') } },
      { records: 100, error: null },
    ]);
  });

  it('are left after a stop in the first one', async () => {
    const { world, write, start, control, values, topics } = openSeveral(2);
    for (const { source } of topics) await write(source, 0, ['a']);
    control.fault({ api: 'Fetch', action: { kind: 'late', milliseconds: 3_000 } });
    const running = start({ topics });
    await world.clock.runFor(1_500);
    running.stop();
    await world.clock.runUntil(running.ended);
    expect(values('to-1')).toEqual([]);
  });

  it.each([
    ['as they are stored', false, 6_000, 4_000],
    ['that are built from small compressed ones', true, 80, 20],
  ])('wait with little memory for a slow destination, with batches %s', async (_how, isByKey, all, most) => {
    const { world, write, start, control, topics } = openSeveral(12);
    const value = Buffer.alloc(500_000, 'x');
    const records = Array.from({ length: 8 }, (_, timestamp) => ({ key: null, value, headers: [], timestamp }));
    const small = writeBatch(records, { compression: 'zstd' });
    for (let at = 0; at < (isByKey ? 10 : 60); at += 1)
      await write('from-0', 0, isByKey ? small : large(`batch-${at}`));
    control.fault({ api: 'Produce', times: 1_000, action: { kind: 'late', milliseconds: 10_000 } });
    const running = start({ ...follow, topics, isByKey });
    await world.clock.runFor(5_000);
    expect(running.pending).toBeGreaterThan(0);
    expect(running.pending).toBeLessThan(most);
    control.clearFaults();
    await world.clock.runFor(60_000);
    running.stop();
    await world.clock.runUntil(running.ended);
    expect(running.copied).toBe(all);
  });
});

describe('a destination', () => {
  it('that is created has as many replicas as its source in the same cluster', async () => {
    const { control, copy } = openCopyWorld();
    control.createTopic({ name: 'pair', replicas: 2 });
    await copy({ topics: [{ source: 'pair', target: 'made' }], creates: true });
    expect(control.partition('made', 0).replicas).toHaveLength(2);
  });

  it.each([
    [[], [expect.stringContaining('topic "wide" has more partitions than "from"')]],
    [[0], []],
  ])('with more partitions is named, unless only some are copied: %j', async (partitions, named) => {
    const { control, copy, notices } = openCopyWorld();
    control.createTopic({ name: 'wide', partitions: 2 });
    await copy({ topics: [{ source: 'from', target: 'wide' }], partitions });
    expect(notices).toEqual(named);
  });
});

it('finds the progress of a partition where it was stored before the destination had that partition', async () => {
  const { control, write, grow, copy, values } = openCopyWorld(4);
  control.createTopic({ name: 'few', partitions: 2 });
  const to = { topics: [{ source: 'from', target: 'few' }], isByKey: true };
  for (const partition of [0, 1, 2, 3]) await write('from', partition, ['first']);
  expect(await copy(to)).toMatchObject({ records: 4 });
  await grow('few', 3);
  await write('from', 3, ['second']);
  expect(await copy(to)).toMatchObject({ records: 1 });
  // The progress of the last partition is stored in two places now.
  expect(await copy(to)).toMatchObject({ records: 0 });
  expect([0, 1, 2].flatMap((partition) => values('few', partition))).toHaveLength(5);
});

const refuse = (code: number): FaultAction => ({ kind: 'refuse', code });
const doAndRefuse = (code: number): FaultAction => ({ kind: 'do-and-refuse', code });
const doAndCut: FaultAction = { kind: 'do-and-cut' };
const cut: FaultAction = { kind: 'cut' };
/** The codes of the protocol, by name. */
const code = {
  unknownTopic: 3,
  notLeader: 6,
  timedOut: 7,
  tooLarge: 10,
  metadataTooLarge: 12,
  loading: 14,
  unavailable: 15,
  notCoordinator: 16,
  notEnoughReplicas: 20,
  groupForbidden: 30,
  topicForbidden: 29,
  illegalGeneration: 22,
  outOfOrder: 45,
  invalidEpoch: 47,
  wrongState: 48,
  concurrent: 51,
  coordinatorFenced: 52,
  transactionForbidden: 53,
  invalidRecord: 87,
  unstable: 88,
  fenced: 90,
} as const;

describe('a copy has every record once after', () => {
  it.each<readonly [what: string, api: string, isExactlyOnce: boolean, actions: readonly FaultAction[]]>([
    ['lost answers to Produce', 'Produce', false, [doAndCut, cut, doAndCut]],
    ['a leader that moves between Produce and its answer', 'Produce', true, [doAndRefuse(code.notLeader), doAndCut]],
    [
      'replicas that are missing, then a late answer',
      'Produce',
      true,
      [refuse(code.notEnoughReplicas), doAndRefuse(code.timedOut)],
    ],
    [
      'a coordinator that loads, moves and is busy',
      'InitProducerId',
      true,
      [refuse(code.loading), refuse(code.notCoordinator), refuse(code.concurrent), doAndCut],
    ],
    [
      'partitions that are added again',
      'AddPartitionsToTxn',
      true,
      [doAndCut, refuse(code.concurrent), refuse(code.notCoordinator), doAndRefuse(code.loading)],
    ],
    [
      'offsets that are added again',
      'AddOffsetsToTxn',
      true,
      [refuse(code.loading), doAndCut, refuse(code.concurrent), doAndRefuse(code.notCoordinator)],
    ],
    [
      'offsets that are committed again',
      'TxnOffsetCommit',
      true,
      [refuse(code.loading), doAndCut, refuse(code.notCoordinator), doAndRefuse(code.timedOut)],
    ],
    [
      'an end that is not answered',
      'EndTxn',
      true,
      [doAndCut, refuse(code.concurrent), doAndRefuse(code.loading), refuse(code.notCoordinator)],
    ],
    [
      'progress that is stored again',
      'OffsetCommit',
      false,
      [refuse(code.loading), doAndCut, refuse(code.notCoordinator)],
    ],
    ['progress that is not stable yet', 'OffsetFetch', true, [refuse(code.unstable), refuse(code.unavailable), cut]],
    ['a source whose leader moves', 'Fetch', false, [refuse(code.notLeader), cut, refuse(code.notLeader), doAndCut]],
  ])('%s', async (_what, api, isExactlyOnce, actions) => {
    const { write, copy, control, values } = openCopyWorld();
    for (const name of ['a', 'b']) await write('from', 0, large(name));
    for (const action of actions) control.fault({ api, action });
    expect(await copy({ isExactlyOnce })).toMatchObject({ records: 200 });
    await write('from', 0, large('c'));
    expect(await copy({ isExactlyOnce })).toMatchObject({ records: 100 });
    expect(values('to')).toEqual(values('from'));
    expect(control.defects).toEqual([]);
  });
});

it.each([
  ['a new epoch', 'InitProducerId'],
  ['partitions', 'AddPartitionsToTxn'],
  ['offsets', 'AddOffsetsToTxn'],
  ['the progress', 'TxnOffsetCommit'],
  ['the end', 'EndTxn'],
])('waits a moment with %s while the transaction before is being ended, even without retries', async (_what, api) => {
  const { world, write, copy, control, values } = openCopyWorld();
  const { clock } = world;
  for (const name of ['a', 'b']) await write('from', 0, large(name));
  expect(await copy({ isExactlyOnce: true })).toMatchObject({ records: 200 });
  for (const name of ['c', 'd']) await write('from', 0, large(name));
  control.fault({ api, times: 5, action: refuse(code.concurrent) });
  const startedAt = clock.now();
  expect(await copy({ isExactlyOnce: true }, { retry: 0 })).toMatchObject({ records: 200 });
  // Five pauses after failures would take seven seconds.
  expect(clock.now() - startedAt).toBeLessThan(2_000);
  expect(values('to')).toEqual(values('from'));
  expect(control.defects).toEqual([]);
});

it('keeps the memory of what it has read until the destination has it', async () => {
  const { write, copy, control, values } = openCopyWorld();
  for (let at = 0; at < 16; at += 1) await write('from', 0, large(`batch-${at}`, 800));
  for (const action of [cut, doAndCut, cut]) control.fault({ api: 'Produce', action });
  await copy();
  expect(values('to')).toEqual(values('from'));
});

it('does not take over the group of consumers', async () => {
  const { world, write, copy } = openCopyWorld();
  await write('from', 0, ['a']);
  await write('to', 0, ['b']);
  const { client, close } = world.openClient('consumer', {});
  const committer = { group: 'app', generation: -1, memberId: '', instanceId: undefined };
  const commit = storeOffsets(client, committer, [{ topic: 'to', partition: 0, offset: 1n, metadata: '' }]);
  await world.clock.runUntil(commit);
  close();
  await expect(copy({ group: 'app', appends: true })).rejects.toMatchObject({
    code: 'GROUP_IN_USE',
    exitCode: 6,
  });
});

describe('a copy that is refused', () => {
  it.each<readonly [what: string, api: string, actions: readonly FaultAction[], error: string]>([
    [
      'partitions',
      'AddPartitionsToTxn',
      [refuse(code.topicForbidden), refuse(code.topicForbidden)],
      'TOPIC_AUTHORIZATION_FAILED',
    ],
    ['offsets', 'AddOffsetsToTxn', [refuse(code.groupForbidden)], 'GROUP_AUTHORIZATION_FAILED'],
    [
      'the progress',
      'TxnOffsetCommit',
      [refuse(code.groupForbidden), refuse(code.groupForbidden)],
      'GROUP_AUTHORIZATION_FAILED',
    ],
    [
      'the end, and then the abortion',
      'EndTxn',
      [refuse(code.transactionForbidden), refuse(code.fenced)],
      'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
    ],
    ['the end, by another producer', 'EndTxn', [refuse(code.fenced), refuse(code.fenced)], 'PRODUCER_FENCED'],
    ['the end, after a timeout', 'EndTxn', [refuse(code.wrongState), refuse(code.wrongState)], 'PRODUCER_FENCED'],
    ['a batch, by another producer', 'Produce', [refuse(code.invalidEpoch)], 'PRODUCER_FENCED'],
    ['a batch that does not follow', 'Produce', [refuse(code.outOfOrder)], 'OUT_OF_ORDER_SEQUENCE_NUMBER'],
    ['a batch that is too large', 'Produce', [refuse(code.tooLarge)], 'MESSAGE_TOO_LARGE'],
  ])('%s: says so, and the next run has every record once', async (_what, api, actions, error) => {
    const { write, copy, control, values } = openCopyWorld();
    for (const name of ['a', 'b']) await write('from', 0, large(name));
    for (const action of actions) control.fault({ api, action });
    await expect(copy({ isExactlyOnce: true })).rejects.toMatchObject({ code: error });
    control.clearFaults();
    await write('from', 0, large('c'));
    await copy({ isExactlyOnce: true });
    expect(values('to')).toEqual(values('from'));
  });
});

it('a log of the destination that was cut is told, because the next copy in transactions does not mend it', async () => {
  const { write, copy, control } = openCopyWorld();
  await write('from', 0, ['a']);
  control.fault({ api: 'Produce', action: refuse(code.outOfOrder) });
  await expect(copy({ isExactlyOnce: true })).rejects.toMatchObject({
    hints: [
      'the destination may have lost records that were copied before, as after an unclean leader election: the same ' +
        'command does not bring them back, --restart does',
      'repeat the command: it continues where this copy stopped',
    ],
  });
});

it.each([
  [100, 'the same command continues, but 100 records are copied again: the progress after them is not stored'],
  [1, 'the same command continues, but 1 record is copied again: the progress after them is not stored'],
])('progress of %i records that cannot be stored is told: the next run copies them again', async (count, hint) => {
  const { write, copy, control, values } = openCopyWorld();
  await write('from', 0, large('a', count));
  let stored = 0;
  control.fault({ api: 'OffsetCommit', where: () => stored++ > 0, times: 100, action: refuse(code.groupForbidden) });
  await expect(copy()).rejects.toMatchObject({ code: 'GROUP_AUTHORIZATION_FAILED', hints: [hint] });
  control.clearFaults();
  await copy();
  expect(values('to')).toEqual([...values('from'), ...values('from')]);
});

it.each([
  ['partition by partition', {}],
  ['by key', { isByKey: true }],
])('records without an answer may be copied again, which is told at any time and at the end: %s', async (_how, how) => {
  const { world, write, copy, start, control, values } = openCopyWorld();
  await write('from', 0, large('a'));
  // The broker has the records, but its answers are lost.
  control.fault({ api: 'Produce', where: hasRecord('a-0'), times: 999, action: { kind: 'late', milliseconds: 9e9 } });
  const hint = 'the same command continues, but up to 100 records are copied again: they may have been written already';
  const running = start(how);
  await world.clock.runFor(3_000);
  expect(running.again).toBe(hint);
  await expect(world.clock.runUntil(running.ended)).rejects.toMatchObject({
    hints: expect.arrayContaining([hint]),
    records: { copied: 0, uncertain: 100 },
  });
  control.clearFaults();
  await copy(how);
  expect(values('to')).toEqual([...values('from'), ...values('from')]);
});

it('a copy that would end now says how many records the next one copies again', async () => {
  const { world, write, start } = openCopyWorld();
  await write('from', 0, large('a'));
  const running = start(follow);
  await world.clock.runFor(500);
  expect([running.copied, running.again]).toEqual([
    100,
    'the same command continues, but 100 records are copied again: the progress after them is not stored',
  ]);
  await world.clock.runFor(3_000);
  expect(running.again).toBe('repeat the command: it continues where this copy stopped');
  running.kill();
});

it('a refused part of a batch that the destination takes only in parts does not repeat the parts before it', async () => {
  const { write, copy, control, values } = openCopyWorld();
  control.createTopic({ name: 'tight', configs: { 'max.message.bytes': '20000' } });
  const pair = { topics: [{ source: 'from', target: 'tight' }] };
  await write('from', 0, large('a'));
  for (const taken of [2, 1]) {
    let sent = 0;
    control.fault({ api: 'Produce', where: () => sent++ >= taken, times: 100, action: refuse(code.invalidRecord) });
    await expect(copy(pair)).rejects.toMatchObject({
      code: 'INVALID_RECORD',
      hints: ['repeat the command: it continues where this copy stopped'],
    });
    control.clearFaults();
    expect(values('tight')).toEqual(values('from').slice(0, values('tight').length));
  }
  expect(values('tight').length).toBeGreaterThan(50);
  await copy(pair);
  expect(values('tight')).toEqual(values('from'));
});

it('says what to do about progress that is too large for the brokers', async () => {
  const { write, copy, control } = openCopyWorld();
  await write('from', 0, ['a']);
  control.fault({ api: 'OffsetCommit', times: 9, action: refuse(code.metadataTooLarge) });
  await expect(copy()).rejects.toMatchObject({
    code: 'OFFSET_METADATA_TOO_LARGE',
    hints: expect.arrayContaining([
      'give the destination more partitions, or raise offset.metadata.max.bytes of its brokers',
    ]),
  });
});

it.each([
  ['alone', {}],
  ['in transactions', { isExactlyOnce: true }],
  ['in a group', { group: 'mirror', isExactlyOnce: true }],
])('ends at once when the command does, whatever is without an answer: %s', async (_how, how) => {
  const { world, write, start, control } = openCopyWorld();
  await write('from', 0, ['a']);
  control.fault({ api: 'Produce', times: 9, action: { kind: 'swallow' } });
  const running = start({ ...follow, ...how });
  await world.clock.runFor(5_000);
  expect(running.pending).toBe(1);
  running.kill();
  await expect(world.clock.runUntil(running.ended, 100)).rejects.not.toThrow('has not settled');
});

it.each([
  [['a'], 'a record to topic "to" partition 0: MESSAGE_TOO_LARGE'],
  [['a', 'b'], 'a batch of 2 records to topic "to" partition 0: MESSAGE_TOO_LARGE'],
])('what is too large for the destination is named without numbers, which only input has: %s', async (values, text) => {
  const { write, copy, control } = openCopyWorld();
  await write('from', 0, values);
  control.fault({ api: 'Produce', action: refuse(code.tooLarge) });
  await expect(copy()).rejects.toThrow(`unable to produce ${text}`);
});

describe('topics that change under a copy', () => {
  it('are copied on where retention has removed records, which a warning names', async () => {
    const { world, write, start, control, values, warnings } = openCopyWorld();
    await write('from', 0, ['a', 'b']);
    const running = start({ range: { start: { at: 'start' }, end: undefined } });
    await world.clock.runFor(3_000);
    await write('from', 0, ['c', 'd']);
    await world.clock.runFor(5_000);
    control.fault({ api: 'Fetch', times: 1_000, action: refuse(code.notLeader) });
    await world.clock.runFor(1_000);
    await write('from', 0, ['e']);
    control.moveLogStart('from', 0, 5);
    control.clearFaults();
    await world.clock.runFor(5_000);
    running.stop();
    await world.clock.runUntil(running.ended);
    expect(values('to')).toEqual(['a', 'b', 'c', 'd']);
    await write('from', 0, ['f', 'g']);
    control.moveLogStart('from', 0, 6);
    await world.clock.runUntil(start().ended);
    expect(values('to')).toEqual(['a', 'b', 'c', 'd', 'g']);
    // What the first copy stored is where it went on.
    expect(warnings).toEqual([
      'topic "from" partition 0 has no offset 4 (earlier records are deleted): reading continues at 5',
      'topic "from" partition 0 has no offset 5 (earlier records are deleted): reading continues at 6',
    ]);
  });

  it.each([
    ['while it runs, even if nothing follows at first', true],
    ['between two runs', false],
  ])('are copied on from where the log of the source was cut %s', async (_when, isRunning) => {
    const { world, write, start, copy, control, values, warnings } = openCopyWorld();
    const { clock } = world;
    control.createTopic({ name: 'cut', configs: { 'min.insync.replicas': '1' } });
    const pair = { topics: [{ source: 'cut', target: 'to' }] };
    await write('cut', 0, ['a', 'b']);
    await clock.runFor(1_000);
    const { leader, replicas } = control.partition('cut', 0);
    const others = replicas.filter((broker) => broker !== leader);
    for (const broker of others) {
      control.holdReplication('cut', 0, broker);
      control.dropFromIsr('cut', 0, broker);
    }
    await write('cut', 0, ['c', 'd', 'e']);
    const running = start({ ...pair, range: { start: { at: 'start' }, end: undefined } });
    await clock.runFor(3_000);
    expect(values('to')).toEqual(['a', 'b', 'c', 'd', 'e']);
    if (!isRunning) {
      running.stop();
      await clock.runUntil(running.ended);
    }
    control.kill(leader);
    await clock.runFor(2_000);
    control.electUnclean('cut', 0);
    await clock.runFor(10_000);
    running.stop();
    await clock.runUntil(running.ended);
    for (const broker of others) control.releaseReplication('cut', 0, broker);
    await write('cut', 0, ['x', 'y', 'z', 'w']);
    await copy(pair);
    expect(values('to')).toEqual(['a', 'b', 'c', 'd', 'e', 'x', 'y', 'z', 'w']);
    expect(warnings.join()).toContain('lost offsets 2 to 4');
  });

  it('end it with an error if the destination is deleted, and a conflict if it is there again', async () => {
    const { world, write, start, control } = openCopyWorld();
    await write('from', 0, ['a']);
    const running = start(follow);
    await world.clock.runFor(3_000);
    control.deleteTopic('to');
    await write('from', 0, ['b']);
    await expect(world.clock.runUntil(running.ended)).rejects.toMatchObject({
      code: 'RETRY_TIMEOUT',
      exitCode: 3,
      hints: ['topic "to" was deleted, and the progress with it: copy everything again with --create'],
    });
    control.createTopic({ name: 'to' });
    const again = start(follow);
    await world.clock.runFor(3_000);
    control.deleteTopic('to');
    control.createTopic({ name: 'to' });
    await write('from', 0, ['c']);
    await expect(world.clock.runUntil(again.ended)).rejects.toMatchObject({
      code: 'TOPIC_RECREATED',
      exitCode: 6,
      hints: [
        'repeat the command to copy everything to the new topic, with --append if it says that the topic is not empty',
      ],
    });
  });

  it.each([
    ['OffsetCommit', {}],
    ['AddPartitionsToTxn', { isExactlyOnce: true }],
    ['TxnOffsetCommit', { isExactlyOnce: true }],
  ])('are not given up where %s does not know the destination for a while', async (api, how) => {
    const { world, write, start, control, values } = openCopyWorld();
    const running = start({ ...follow, ...how });
    await world.clock.runFor(3_000);
    control.fault({ api, times: 3, action: refuse(code.unknownTopic) });
    await write('from', 0, ['a']);
    await world.clock.runFor(15_000);
    running.stop();
    expect(await world.clock.runUntil(running.ended)).toMatchObject({ records: 1, error: null });
    expect(values('to')).toEqual(['a']);
  });

  it.each([1, 0])('end it with one line if the source is deleted and created again, with %i records', async (count) => {
    const { world, write, start, control, warnings } = openCopyWorld();
    await write('from', 0, ['a']);
    const running = start(follow);
    await world.clock.runFor(3_000);
    control.deleteTopic('from');
    control.createTopic({ name: 'from' });
    if (count > 0) await write('from', 0, ['b']);
    await world.clock.runFor(5_000);
    running.stop();
    await expect(world.clock.runUntil(running.ended)).rejects.toMatchObject({ code: 'TOPIC_RECREATED', exitCode: 6 });
    expect(warnings).toEqual([]);
  });

  it('end it soon if the destination is there again while nothing is copied', async () => {
    const { world, start, control } = openCopyWorld();
    const running = start(follow);
    await world.clock.runFor(1_000);
    control.deleteTopic('to');
    control.createTopic({ name: 'to' });
    await expect(world.clock.runUntil(running.ended, 15_000)).rejects.toMatchObject({ code: 'TOPIC_RECREATED' });
  });

  it('end it before it commits anything to a destination that took the name of another one', async () => {
    const { world, write, start, control, values } = openCopyWorld();
    const follow = { isExactlyOnce: true, range: { start: { at: 'start' }, end: undefined } } as const;
    await write('from', 0, ['a']);
    const running = start(follow);
    await world.clock.runFor(3_000);
    const { leader } = control.partition('to', 0);
    // Another leader, and offsets that went back, would show it as well.
    do {
      control.deleteTopic('to');
      control.createTopic({ name: 'to' });
    } while (control.partition('to', 0).leader !== leader);
    await write('to', 0, ['x', 'y', 'z']);
    await write('from', 0, ['b']);
    await expect(world.clock.runUntil(running.ended)).rejects.toMatchObject({ code: 'TOPIC_RECREATED', exitCode: 6 });
    await world.clock.runFor(1_000);
    expect(values('to')).toEqual(['x', 'y', 'z']);
  });

  it('slow it down where a quota says so, and it says nothing', async () => {
    const { world, write, copy, control, values, warnings } = openCopyWorld();
    for (const name of ['a', 'b', 'c']) await write('from', 0, large(name));
    control.throttle([
      { api: 'Produce', milliseconds: 3_000 },
      { api: 'Fetch', milliseconds: 2_000 },
    ]);
    const before = world.clock.now();
    await copy();
    expect(world.clock.now() - before).toBeGreaterThan(3_000);
    expect(values('to')).toEqual(values('from'));
    expect(warnings).toEqual([]);
  });

  it('are copied to two destinations at once', async () => {
    const { world, write, start, control, values } = openCopyWorld();
    control.createTopic({ name: 'other' });
    const follow = { isExactlyOnce: true, range: { start: { at: 'start' }, end: undefined } } as const;
    const both = [start(follow), start({ ...follow, topics: [{ source: 'from', target: 'other' }] })];
    for (const name of ['a', 'b']) {
      await world.clock.runFor(2_000);
      await write('from', 0, large(name));
    }
    await world.clock.runFor(2_000);
    for (const one of both) {
      one.stop();
      expect(await world.clock.runUntil(one.ended)).toMatchObject({ records: 200 });
    }
    expect(values('other')).toEqual(values('to'));
  });

  it('are copied by the last of two processes, and the first says that it has lost them', async () => {
    const { world, write, start, values } = openCopyWorld();
    const follow = { isExactlyOnce: true, range: { start: { at: 'start' }, end: undefined } } as const;
    const first = start(follow);
    await write('from', 0, large('a'));
    await world.clock.runFor(2_000);
    const second = start(follow);
    await world.clock.runFor(2_000);
    await write('from', 0, large('b'));
    await expect(world.clock.runUntil(first.ended)).rejects.toMatchObject({ code: 'PRODUCER_FENCED', exitCode: 6 });
    await world.clock.runFor(2_000);
    second.stop();
    expect(await world.clock.runUntil(second.ended)).toMatchObject({ records: 100 });
    expect(values('to')).toEqual(values('from'));
  });
});

describe('a transaction', () => {
  const ofMirror = { group: 'mirror', isExactlyOnce: true } as const;

  it('that the group does not take is aborted before its records are written again', async () => {
    const { write, copy, control, values } = openCopyWorld();
    await write('from', 0, large('a'));
    const hasRecords = ({ topics }: RequestOf<typeof txnOffsetCommit>): boolean =>
      topics.some(({ partitions }) => partitions.some(({ committedOffset }) => committedOffset > 0n));
    control.fault({ api: 'TxnOffsetCommit', times: 2, where: hasRecords, action: refuse(code.illegalGeneration) });
    await copy(ofMirror);
    expect(values('to')).toEqual(values('from'));
  });

  it.each([
    ['alone', { isExactlyOnce: true }],
    ['in a group', ofMirror],
  ])('of a copy that fails (%s) is aborted at once: nobody waits for it', async (_how, how) => {
    const { world, write, copy, control, values } = openCopyWorld();
    for (const name of ['a', 'b']) await write('from', 0, large(name));
    let sent = 0;
    control.fault({ api: 'Produce', where: () => sent++ > 0, times: 100, action: refuse(code.invalidRecord) });
    await expect(copy(how)).rejects.toMatchObject({
      code: 'INVALID_RECORD',
      message: expect.stringContaining('(0 records were copied before that)'),
    });
    await world.clock.runFor(1_000);
    expect(control.partition('to', 0).endOffset).toBe(101);
    expect(values('to')).toEqual([]);
  });

  it('that another process is ending is waited for before the progress is read', async () => {
    const { world, write, copy, start, control, values } = openCopyWorld();
    const { clock } = world;
    await write('from', 0, ['a']);
    await copy(ofMirror);
    await write('from', 0, ['b']);
    const { client } = world.openClient('other', { retry: 60_000 });
    const [stored] = await clock.runUntil(readStored(client, 'mirror', [{ topic: 'to', partition: 0 }]));
    if (stored === undefined) throw new Error('no progress');
    const other = await clock.runUntil(openTransactions(client, 'other', 'inGroup'));
    control.fault({ api: 'EndTxn', action: refuse(code.transactionForbidden) });
    const stuck = other.commit(outsider('mirror'), [{ ...stored, offset: stored.offset + 1n }]);
    await expect(clock.runUntil(stuck)).rejects.toMatchObject({ code: 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED' });
    const running = start({ group: 'mirror' });
    await clock.runFor(5_000);
    await clock.runUntil(other.commit(outsider('mirror'), []));
    expect(await clock.runUntil(running.ended)).toMatchObject({ records: 0 });
    expect(values('to')).toEqual(['a']);
  });
});

it('does not go on with progress that was stored for a destination of the same name', async () => {
  const { world, write, copy, control, values } = openCopyWorld();
  const { clock } = world;
  await write('from', 0, ['a', 'b']);
  await copy();
  const { client } = world.openClient('keeper', {});
  const { clusterId } = await clock.runUntil(client.metadata([]));
  const group = `weir-copy-from-${clusterId}`;
  const stored = await clock.runUntil(readStored(client, group, [{ topic: 'to', partition: 0 }]));
  expect(stored).toMatchObject([{ offset: 2n }]);
  control.deleteTopic('to');
  control.createTopic({ name: 'to' });
  // The cluster removes it together with the topic, but perhaps later.
  await clock.runUntil(storeOffsets(client, outsider(group), stored));
  expect(await copy()).toMatchObject({ records: 2 });
  expect(values('to')).toEqual(['a', 'b']);
});

describe('records that are older than the destination keeps them', () => {
  const warning = (records: string, topic: string): string =>
    `the copy of topic "from" begins with about ${records} older than the retention.ms of "${topic}" (1h), whose ` +
    `brokers delete them soon after they are copied; to keep them: weir topic alter-config ${topic} --set retention.ms=-1`;

  it.each<readonly [what: string, configs: Readonly<Record<string, string>>, warned: string | undefined]>([
    ['cause a warning', {}, '3 records'],
    [
      'are nothing to warn of where the broker sets their times',
      { 'message.timestamp.type': 'LogAppendTime' },
      undefined,
    ],
    ['are nothing to warn of where nothing is deleted for its age', { 'cleanup.policy': 'compact' }, undefined],
    ['are nothing to warn of where everything is kept', { 'retention.ms': '-1' }, undefined],
  ])('%s', async (_what, configs, warned) => {
    const { world, write, copy, control, warnings } = openCopyWorld(2);
    const now = world.clock.wallTime();
    control.createTopic({ name: 'brief', partitions: 2, configs: { 'retention.ms': '3600000', ...configs } });
    const writeAged = (partition: number, ...minutes: readonly number[]) => {
      const times = minutes.map((minute) => BigInt(now - minute * 60_000));
      return write(
        'from',
        partition,
        times.map((time) => ({ key: 'k', value: `${time}` })),
        times,
      );
    };
    await writeAged(0, 300, 90);
    // Those behind the first one that is kept are not counted.
    await writeAged(0, 30, 10, 240);
    await writeAged(1, 61);
    const pair = { topics: [{ source: 'from', target: 'brief' }] };
    await copy(pair);
    expect(warnings).toEqual(warned === undefined ? [] : [warning(warned, 'brief')]);
    await writeAged(0, 1);
    await copy(pair);
    expect(warnings).toHaveLength(warned === undefined ? 0 : 1);
  });

  it('are not what compaction has removed from the beginning of the source', async () => {
    const { world, write, copy, control, warnings } = openCopyWorld();
    control.createTopic({ name: 'brief', configs: { 'retention.ms': '3600000' } });
    const now = BigInt(world.clock.wallTime());
    for (const minute of [300n, 90n, 30n, 10n])
      await write('from', 0, [{ key: 'k', value: `${minute}` }], [now - minute * 60_000n]);
    control.compact('from', 0, 4);
    await copy({ topics: [{ source: 'from', target: 'brief' }] });
    expect(warnings).toEqual([]);
  });

  it('are named for a destination that is created, and in the range that is copied', async () => {
    const { world, write, copy, warnings } = openCopyWorld();
    const old = BigInt(world.clock.wallTime() - 8 * 86_400_000);
    await write('from', 0, ['a', 'b', 'c'], [old, old, old]);
    const range = { start: { at: 'exact', offset: 1n }, end: { at: 'exact', offset: 2n } } as const;
    await copy({ topics: [{ source: 'from', target: 'made' }], creates: true, range });
    expect(warnings).toEqual([warning('1 record', 'made').replace('(1h)', '(7 days)')]);
  });

  it('are named also if the copy follows its source', async () => {
    const { world, write, start, warnings } = openCopyWorld();
    const old = BigInt(world.clock.wallTime() - 8 * 86_400_000);
    await write('from', 0, ['a', 'b', 'c'], [old, old, old]);
    const running = start({ range: { start: { at: 'start' }, end: undefined } });
    await world.clock.runFor(5_000);
    running.stop();
    await world.clock.runUntil(running.ended);
    expect(warnings).toEqual([warning('3 records', 'to').replace('(1h)', '(7 days)')]);
  });
});

describe('a copy by keys that a partition of the destination refuses', () => {
  /** Refuses batches for a partition of `to`, as for a record without a key in a compacted topic. */
  const refusing = (partition: number) => ({
    api: 'Produce',
    times: 100,
    where: ({ topicData }: RequestOf<typeof produce>): boolean =>
      topicData.some(({ partitionData }) => partitionData.some(({ index }) => index === partition)),
    action: refuse(code.invalidRecord),
  });
  const keyed = (from: number) =>
    Array.from({ length: 60 }, (_, at) => ({ key: `k${at + from}`, value: `${at + from}`.padEnd(2_000, '.') }));
  const openWide = () => {
    const copies = openCopyWorld();
    copies.control.createTopic({ name: 'wide', partitions: 3 });
    const wide = (): readonly string[] => [0, 1, 2].flatMap((lane) => copies.values('wide', lane)).sort();
    return { ...copies, pair: { topics: [{ source: 'from', target: 'wide' }], isByKey: true }, wide };
  };

  it('repeats nothing that the others have, however often it is repeated', async () => {
    const { write, copy, control, values, pair, wide } = openWide();
    for (const from of [0, 60, 120]) await write('from', 0, keyed(from));
    for (const round of [180, 240, 300]) {
      control.fault(refusing(1));
      await expect(copy(pair)).rejects.toMatchObject({ code: 'INVALID_RECORD' });
      control.clearFaults();
      expect(new Set(wide()).size).toBe(wide().length);
      expect(values('wide', 1)).toEqual([]);
      await write('from', 0, keyed(round));
    }
    // Another partition, and something of the first one is there.
    control.fault({ ...refusing(2), times: 1 });
    await expect(copy(pair)).rejects.toMatchObject({ code: 'INVALID_RECORD' });
    control.clearFaults();
    await copy(pair);
    expect(wide()).toEqual(values('from').toSorted());
    await write('from', 0, keyed(400));
    await copy(pair);
    expect(wide()).toEqual(values('from').toSorted());
  });

  it('copies the records by which an unclean election has replaced those that the others have', async () => {
    const { world, write, copy, control, pair, wide } = openWide();
    control.createTopic({ name: 'cut', configs: { 'min.insync.replicas': '1' } });
    const cut = { ...pair, topics: [{ source: 'cut', target: 'wide' }] };
    await write('cut', 0, keyed(0));
    await world.clock.runFor(1_000);
    const { leader, replicas } = control.partition('cut', 0);
    const others = replicas.filter((broker) => broker !== leader);
    for (const broker of others) {
      control.holdReplication('cut', 0, broker);
      control.dropFromIsr('cut', 0, broker);
    }
    await write('cut', 0, keyed(60));
    control.fault(refusing(1));
    await expect(copy(cut)).rejects.toMatchObject({ code: 'INVALID_RECORD' });
    control.clearFaults();
    control.kill(leader);
    await world.clock.runFor(2_000);
    control.electUnclean('cut', 0);
    await world.clock.runFor(10_000);
    for (const broker of others) control.releaseReplication('cut', 0, broker);
    await write('cut', 0, keyed(200));
    await copy(cut);
    const there = new Set(wide().map((value) => Number.parseInt(value, 10)));
    const expected = [...Array.from({ length: 60 }, (_, at) => at), ...Array.from({ length: 60 }, (_, at) => at + 200)];
    expect(expected.filter((one) => !there.has(one))).toEqual([]);
  });
});

describe('an error that concerns several topics names them', () => {
  const open = () => {
    const opened = openCopyWorld();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const name of names) opened.control.createTopic({ name, partitions: 2 });
    const pairs = (count: number, suffix: string) =>
      names.slice(0, count).map((source) => ({ source, target: `${source}${suffix}` }));
    return { ...opened, pairs };
  };

  it.each([
    [1, ''],
    [2, ' (the same for topic "b-copy")'],
    [3, ' (the same for 2 other topics: "b-copy", "c-copy")'],
    [7, ' (the same for 6 other topics: "b-copy", "c-copy", "d-copy", "e-copy", "f-copy", …)'],
  ])('if %d destinations are missing', async (count, others) => {
    const { copy, pairs } = open();
    await expect(copy({ topics: pairs(count, '-copy') })).rejects.toMatchObject({
      code: 'UNKNOWN_TOPIC_OR_PARTITION',
      target: 'a-copy',
      message: expect.stringMatching(/"a-copy"/),
    });
    const error = await copy({ topics: pairs(count, '-copy') }).catch((failure: Error) => failure.message);
    expect(/( \(the same.*)?$/.exec(String(error))?.[0]).toBe(others);
  });

  it('if they have too few partitions, records of others, or no source', async () => {
    const { copy, pairs, control, write } = open();
    for (const name of ['a', 'b']) control.createTopic({ name: `${name}-less` });
    await expect(copy({ topics: pairs(2, '-less') })).rejects.toThrow(/has 1, not 2 \(the same for topic "b-less"\)$/);
    for (const name of ['a', 'b']) control.createTopic({ name: `${name}-full`, partitions: 2 });
    for (const name of ['a', 'b']) await write(`${name}-full`, 0, ['x']);
    await expect(copy({ topics: pairs(2, '-full') })).rejects.toThrow(
      /^topic "a-full" is not empty .* \(the same for topic "b-full"\)$/,
    );
    const gone = ['x', 'y', 'a'].map((source) => ({ source, target: 'to' }));
    await expect(copy({ topics: gone })).rejects.toThrow(/^unable to use topic "x": .* \(the same for topic "y"\)$/);
  });
});

describe('a copy of many partitions to one', () => {
  const byKey = { topics: [{ source: 'many', target: 'to' }], isByKey: true } as const;

  function openMany(partitions: number): CopyWorld {
    const opened = openCopyWorld();
    opened.control.createTopic({ name: 'many', partitions });
    return opened;
  }

  it('stores the progress of all of them', async () => {
    const { write, copy, values } = openMany(600);
    for (const partition of [0, 1, 599]) await write('many', partition, [`in ${partition}`]);
    expect(await copy(byKey)).toMatchObject({ records: 3 });
    await write('many', 599, ['new']);
    expect(await copy({ ...byKey, isExactlyOnce: true })).toMatchObject({ records: 1 });
    expect(values('to').toSorted()).toEqual(['in 0', 'in 1', 'in 599', 'new']);
  });

  it('is refused before anything is written if their progress may get too long', async () => {
    const { write, copy, values } = openMany(400);
    await write('many', 0, ['a']);
    await expect(copy({ ...byKey, ...follow })).rejects.toMatchObject({
      code: 'TOO_FEW_PARTITIONS',
      exitCode: 6,
      message: expect.stringContaining('"to" has 1 partition, too few to store the progress of 400 ('),
      hints: [
        'give the destination at least 2 partitions: weir topic add-partitions to -n 1',
        'or raise offset.metadata.max.bytes of its brokers',
      ],
    });
    expect(values('to')).toEqual([]);
  });

  it('goes by the limit of the brokers, where that can be read', async () => {
    const { copy, control } = openMany(400);
    type Answer = ResponseOf<typeof describeConfigs>;
    const name = 'offset.metadata.max.bytes';
    const change = (answer: Answer): Answer => {
      const [result] = answer.results;
      const config = { name, value: '100', configSource: 5, readOnly: false, isSensitive: false, synonyms: [] };
      const configs = [{ ...config, configType: 0, documentation: undefined }];
      return result === undefined ? answer : { ...answer, results: [{ ...result, configs }] };
    };
    const isAsked = ({ resources }: RequestOf<typeof describeConfigs>) =>
      resources.some(({ configurationKeys = [] }) => configurationKeys.includes(name));
    control.fault({ api: 'DescribeConfigs', where: isAsked, action: { kind: 'change', change } });
    await expect(copy(byKey)).rejects.toMatchObject({ message: expect.stringContaining(`(${name}=100)`) });
  });

  it('ends before it copies partitions that are added, if there is no room for their progress', async () => {
    const { world, write, start, grow, values } = openMany(2);
    await write('many', 1, ['a']);
    const following = start({ ...byKey, ...follow });
    await world.clock.runFor(5_000);
    await grow('many', 400);
    await write('many', 399, ['b']);
    await expect(world.clock.runUntil(following.ended)).rejects.toMatchObject({ code: 'TOO_FEW_PARTITIONS' });
    expect(values('to')).toEqual(['a']);
  });
});
