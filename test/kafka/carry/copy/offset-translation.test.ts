import { describe, expect, it } from 'vitest';
import { type TranslatedPlace, translate } from '../../../../src/kafka/carry/copy/offset-translation.ts';
import { storeOffsets } from '../../../../src/kafka/carry/stored-offsets.ts';
import { openTransactions, type Transactions } from '../../../../src/kafka/carry/transactions.ts';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import type { RequestOf, ResponseOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { describeGroups } from '../../../../src/kafka/protocol/wire/apis/describe-groups.ts';
import type { offsetCommit } from '../../../../src/kafka/protocol/wire/apis/offset-commit.ts';
import { produce } from '../../../../src/kafka/protocol/wire/apis/produce.ts';
import { outsider } from '../../../../src/kafka/streams/groups/commits.ts';
import { createMembership } from '../../../../src/kafka/streams/groups/membership.ts';
import { seededRandom } from '../../../../src/serde/random.ts';
import { batchOf } from '../../../sandbox/broker/batches.ts';
import type { FaultAction } from '../../../sandbox/broker/faults.ts';
import { writeTransactions } from '../../../simulation/transactions.ts';
import { writeBatch } from '../../records/batches/batches.ts';
import { type CopyWorld, openCopyWorld } from './copy-world.ts';

const limitMs = 600_000;
const forbid: FaultAction = { kind: 'refuse', code: 30 };

/** The destination's offset for every offset of the source up to `reached`. */
async function translated({ world }: CopyWorld, reached: bigint, topic = 'to'): Promise<readonly TranslatedPlace[]> {
  const simulated = world.openClient('translator', {});
  const { client } = simulated;
  const sought = Array.from({ length: Number(reached) + 1 }, (_, at) => ({ partition: 0, offset: BigInt(at) }));
  const found = await world.clock.runUntil(
    translate(
      {
        source: { client, topic: 'from' },
        target: { client, topic },
        ends: new Map([[0, reached]]),
        fetchMaxWaitMs: 500,
        warn: () => undefined,
        notice: () => undefined,
      },
      sought,
    ),
    limitMs,
  );
  simulated.close();
  return sought.map((one) => found.get(one) ?? 'missing');
}

/** What a reader of committed records gets from an offset on. */
function readFrom({ control }: CopyWorld, topic: string, offset: TranslatedPlace | number): readonly string[] {
  if (typeof offset === 'string' || typeof offset === 'object') return [];
  return control
    .log(topic, 0)
    .filter((record) => record.offset >= offset && !record.isControl && !record.isAborted)
    .map(({ value, timestamp }) => `${value}@${timestamp}`);
}

/** Writes what several producers would, also equal records, and copies it in between. */
async function fill(copies: CopyWorld, random: () => number): Promise<void> {
  const { world, write } = copies;
  for (let step = 0; step < 12; step += 1) {
    const what = random();
    if (what < 0.4) {
      const values = Array.from({ length: 1 + Math.floor(random() * 4) }, () => (random() < 0.5 ? 'a' : 'b'));
      await write('from', 0, values);
    } else if (what < 0.7) {
      const plan = { topic: 'from', count: 1 + Math.floor(random() * 3), prefix: `tx${step}` };
      await world.clock.runUntil(writeTransactions(world, plan), limitMs);
    } else if (what < 0.9) await copies.copy({ isExactlyOnce: random() < 0.5 });
    else await copies.write('to', 0, ['of another producer']).then(() => copies.copy({ appends: true }));
  }
  await copies.copy({ appends: true });
}

/** Has another producer write a record in a transaction, which it leaves open. */
async function beginOther(client: Client): Promise<Transactions> {
  const other = await openTransactions(client, 'other', 'alone');
  const to = { topic: 'to', partition: 0 };
  await other.include([to]);
  const { producerId, producerEpoch: epoch } = other.identity;
  const records = batchOf({ values: ['of another'], producerId, epoch, sequence: 0, isTransactional: true });
  const topicData = [{ name: 'to', partitionData: [{ index: 0, records }] }];
  await client.requestOnce(
    { ...produce, max: 9 },
    { transactionalId: 'other', acks: -1, timeoutMs: 5_000, topicData },
    to,
  );
  return other;
}

interface Move {
  readonly partition?: number;
  readonly request?: Parameters<CopyWorld['start']>[0];
  /** Called before the copy begins. */
  before?(): void;
}

/** Copies with the offsets of a group that stopped at one. */
async function moved(
  { world, start }: CopyWorld,
  offset: bigint,
  { partition = 0, request, before = () => undefined }: Move = {},
) {
  const { client } = world.openClient('app', {});
  const committed = [{ topic: 'from', partition, offset, metadata: '' }];
  await world.clock.runUntil(storeOffsets(client, outsider('app'), committed));
  before();
  const running = start({ groups: ['app'], ...request });
  await world.clock.runUntil(running.ended, limitMs);
  return running.offsets;
}

describe('a group', () => {
  it('that is beyond the end of the source is not moved, and a warning says how to go on', async () => {
    const copies = openCopyWorld();
    await copies.write('from', 0, ['a', 'b']);
    expect(await moved(copies, 100n)).toMatchObject([
      { source_offset: 100n, offset: null, error: { code: 'BEYOND_END', exit_code: 6 } },
    ]);
    expect(copies.warnings).toEqual([
      'group "app" has committed offsets beyond the end of topic "from", as if it was cut or created again: ' +
        'choose where it continues, for example with weir group seek app --topics from --to end, and repeat the command',
    ]);
    expect(await moved(copies, 2n)).toMatchObject([{ source_offset: 2n, offset: 2n, error: null }]);
  });

  it('that is at the end of the source is not beyond it if the copy ends before that', async () => {
    const copies = openCopyWorld();
    await copies.write('from', 0, ['a', 'b']);
    const range = { start: { at: 'start' }, end: { at: 'exact', offset: 1n } } as const;
    expect(await moved(copies, 2n, { request: { range } })).toMatchObject([
      { source_offset: 2n, error: { code: 'NOT_COPIED' } },
    ]);
    expect(copies.warnings).toEqual([]);
  });

  it('that must not be changed in the destination has an error, and what it has there stays', async () => {
    const copies = openCopyWorld();
    await copies.write('from', 0, ['a', 'b']);
    const isOfGroup = ({ groupId }: RequestOf<typeof offsetCommit>): boolean => groupId === 'app';
    const more = { before: () => copies.control.fault({ api: 'OffsetCommit', where: isOfGroup, action: forbid }) };
    expect(await moved(copies, 2n, more)).toMatchObject([
      { prior_offset: null, offset: null, error: { code: 'GROUP_AUTHORIZATION_FAILED' } },
    ]);
  });

  it('has rows of the partitions that are copied', async () => {
    const copies = openCopyWorld(2);
    await copies.write('from', 1, ['a']);
    expect(await moved(copies, 0n, { partition: 1, request: { partitions: [1] } })).toMatchObject([{ partition: 1 }]);
    expect(await moved(copies, 0n, { request: { partitions: [1] } })).toMatchObject([{ partition: 1 }]);
  });

  it('continues with the next record although the last transaction of the copy ends later', async () => {
    const copies = openCopyWorld();
    await copies.write('from', 0, ['a', 'b', 'c']);
    copies.control.set({ markerDelayMs: 2_500 });
    expect(await moved(copies, 2n, { request: { isExactlyOnce: true } })).toMatchObject([{ offset: 2n, error: null }]);
    expect(copies.notices).toEqual(['waiting for the open transactions in topic "to" to end']);
  });

  it('is not moved while a transaction of another producer hides records of the destination', async () => {
    const copies = openCopyWorld();
    const { world, write, control } = copies;
    await write('from', 0, ['a', 'b', 'c']);
    const other = await world.clock.runUntil(beginOther(world.openClient('other', {}).client));
    const request = { appends: true };
    expect(await moved(copies, 2n, { request })).toMatchObject([
      { offset: null, error: { code: 'OPEN_TRANSACTION', exit_code: 6 } },
    ]);
    expect(copies.warnings).toEqual([
      'another producer has a transaction open in topic "to", which hides the records after it: repeat the command when ' +
        'it has ended; see whose it is with weir cluster txn describe-producers -t to -p 0',
    ]);
    await world.clock.runUntil(other.abort());
    expect(await moved(copies, 2n, { request })).toMatchObject([{ offset: 3n, error: null }]);
    expect(String(control.log('to', 0)[3]?.value)).toBe('c');
  });

  it('with members is refused in the destination, and named in a warning if they are in the source', async () => {
    const copies = openCopyWorld();
    const { world } = copies;
    await copies.write('from', 0, ['a']);
    await moved(copies, 1n);
    const { client } = world.openClient('member', {});
    const membership = createMembership(client, {
      group: 'app',
      instanceId: undefined,
      balancers: ['sticky'],
      sessionTimeoutMs: 45_000,
      rebalanceTimeoutMs: 60_000,
      heartbeatMs: 3_000,
      topics: () => ['from'],
      onChange: () => undefined,
    });
    await world.clock.runUntil(membership.join());
    await expect(copies.copy({ groups: ['app'] })).rejects.toMatchObject({
      code: 'NON_EMPTY_GROUP',
      exitCode: 6,
      message: 'unable to translate offsets: groups have members in the destination: "app" (1 member)',
    });
    // As if the members were in the source alone.
    const change = ({ groups, ...answer }: ResponseOf<typeof describeGroups>) => ({
      ...answer,
      groups: groups.map((group) => ({ ...group, members: [] })),
    });
    copies.control.fault({ api: 'DescribeGroups', action: { kind: 'change', change } });
    const target = { client: world.openClient('target', {}).client, profile: 'b' };
    await copies.copy({ groups: ['app'], target });
    expect(copies.warnings).toEqual([
      'group "app" still reads the source: what it reads after the copy ends is read again in the destination',
    ]);
  });
});

describe('a translated offset', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'leads a reader to the same records, transactions and equal records included (%i)',
    async (seed) => {
      const copies = openCopyWorld();
      await fill(copies, seededRandom(seed));
      const { endOffset } = copies.control.partition('from', 0);
      const isOurs = (line: string): boolean => !line.startsWith('of another');
      const found = await translated(copies, BigInt(endOffset));
      for (const [offset, place] of found.entries()) {
        const expected = readFrom(copies, 'from', offset);
        expect([offset, readFrom(copies, 'to', place).filter(isOurs)]).toEqual([offset, expected]);
        // It is that of a copied record, unless there is none.
        if (expected.length > 0) expect(readFrom(copies, 'to', place)[0]).toBe(expected[0]);
      }
    },
  );

  it.each(['from', 'to'])('leads to the next record that both topics have, whatever %s has lost', async (loser) => {
    const copies = openCopyWorld();
    const { control, copy, write, world } = copies;
    const random = seededRandom(loser.length);
    for (let step = 0; step < 10; step += 1) {
      await write(
        'from',
        0,
        Array.from({ length: 3 }, (_, at) => ({ key: `k${Math.floor(random() * 4)}`, value: `${step}-${at}` })),
      );
      await world.clock.runUntil(writeTransactions(world, { topic: 'from', count: 1, prefix: `tx${step}` }), limitMs);
    }
    await copy({ isExactlyOnce: true });
    const { endOffset } = control.partition('from', 0);
    control.compact(loser, 0, control.partition(loser, 0).endOffset);
    control.moveLogStart(loser, 0, 7);
    const left = new Set(readFrom(copies, loser, 0));
    const found = await translated(copies, BigInt(endOffset));
    for (const [offset, place] of found.entries()) {
      const [expected] = readFrom(copies, 'from', offset).filter((line) => loser === 'from' || left.has(line));
      expect([offset, readFrom(copies, 'to', place)[0]]).toEqual([offset, expected]);
    }
  });

  it('skips nothing where only the last of equal records is left', async () => {
    const copies = openCopyWorld();
    for (const value of ['same', 'other', 'same']) await copies.write('from', 0, [value]);
    await copies.copy();
    copies.control.moveLogStart('to', 0, 1);
    expect(await translated(copies, 3n)).toEqual([1n, 1n, 2n, 3n]);
  });

  it('is the last of a record that a killed copy has written again', async () => {
    const copies = openCopyWorld();
    const { write, copy } = copies;
    await write('from', 0, ['one', 'two', 'three']);
    await copy();
    await write('from', 0, ['four']);
    // As if the progress after "one" was the last that was stored.
    await copy({ restarts: true, range: { start: { at: 'exact', offset: 1n }, end: { at: 'end' } } });
    expect(readFrom(copies, 'to', 0)).toHaveLength(6);
    expect(await translated(copies, 4n)).toEqual([0n, 3n, 4n, 5n, 6n]);
  });

  it('is found where the broker of the destination has set the times, also if that has been changed since', async () => {
    const copies = openCopyWorld();
    const { control, write, copy } = copies;
    control.createTopic({ name: 'late', configs: { 'message.timestamp.type': 'LogAppendTime' } });
    for (const value of ['x', 'y', 'x', 'z']) await write('from', 0, [value]);
    const pair = { topics: [{ source: 'from', target: 'late' }] };
    await copy(pair);
    expect(await translated(copies, 4n, 'late')).toEqual([0n, 1n, 2n, 3n, 4n]);
  });

  it('is that of a record whose schema has another id in the destination', async () => {
    const copies = openCopyWorld();
    const { write } = copies;
    for (const text of ['a', 'b', 'c']) await write('from', 0, [`\0\0\0\0\x01${text}`]);
    for (const text of ['a', 'b', 'c']) await write('to', 0, [`\0\0\0\0\x07${text}`]);
    expect(await translated(copies, 3n)).toEqual([0n, 1n, 2n, 3n]);
  });

  it('is that of a record whose header names the schema by another id in the destination', async () => {
    const copies = openCopyWorld();
    for (const [topic, id] of [
      ['from', 7],
      ['to', 9],
    ] as const) {
      const headers = [[Buffer.from('__value_schema_id'), Buffer.of(0, 0, 0, 0, id)] as const];
      const records = ['a', 'b'].map((text) => ({ key: null, value: Buffer.from(text), headers, timestamp: 1 }));
      await copies.write(topic, 0, writeBatch(records));
    }
    expect(await translated(copies, 2n)).toEqual([0n, 1n, 2n]);
  });

  it('is not that of another long record with the same beginning', async () => {
    const copies = openCopyWorld();
    const [a, b, c] = ['a', 'b', 'c'].map((end) => `${'x'.repeat(1_000)}${end}`) as [string, string, string];
    await copies.write('from', 0, [a, b], [1n, 1n]);
    await copies.copy();
    await copies.write('to', 0, [c], [1n]);
    expect(await translated(copies, 2n)).toEqual([0n, 1n, 3n]);
  });

  it('is found however many records before it the destination has lost', async () => {
    const copies = openCopyWorld();
    await copies.write(
      'from',
      0,
      Array.from({ length: 400 }, (_, at) => `v${at}`),
    );
    await copies.copy();
    copies.control.moveLogStart('to', 0, 390);
    const found = await translated(copies, 400n);
    expect(found).toEqual(found.map((_, offset) => BigInt(Math.max(390, offset))));
  });

  it.each([
    ['missing, and not the end, where the destination has other records instead', 7n, ['missing', 'missing', 2n]],
    ['the end where the destination has earlier records only', 6n, [2n, 2n, 2n]],
  ])('is %s', async (_what, time, places) => {
    const copies = openCopyWorld();
    await copies.write('from', 0, ['a', 'b'], [7n, 7n]);
    await copies.write('to', 0, ['A', 'B'], [time, time]);
    expect(await translated(copies, 2n)).toEqual(places);
  });

  it('is the end where the destination has lost all of the rest', async () => {
    const copies = openCopyWorld();
    await copies.write('from', 0, ['a', 'b']);
    await copies.copy();
    copies.control.moveLogStart('to', 0, 2);
    expect(await translated(copies, 2n)).toEqual([2n, 2n, 2n]);
  });
});
