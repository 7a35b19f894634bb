import { describe, expect, it } from 'vitest';
import type { ResponseOf } from '../../../src/kafka/wire/api.ts';
import type { fetch } from '../../../src/kafka/wire/apis/fetch.ts';
import { openCopyWorld } from './copy-world.ts';

type FetchAnswer = ResponseOf<typeof fetch>;

/** Values of a batch that is large enough to stay whole. */
function large(name: string, count = 100): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at}`.padEnd(800, '.'));
}

/** Flips a bit of the batch that begins at an offset, in what a broker sends. */
function damage(answer: FetchAnswer, offset: bigint): FetchAnswer {
  for (const { partitions } of answer.responses) {
    for (const { records } of partitions) {
      for (let at = 0; records !== undefined && at < records.length; at += 12 + records.readInt32BE(at + 8)) {
        if (records.readBigInt64BE(at) === offset) records.writeUInt8(records.readUInt8(at + 80) ^ 1, at + 80);
      }
    }
  }
  return answer;
}

describe('a batch that is damaged', () => {
  it('in the source ends the copy after everything before it, and the next run continues there', async () => {
    const { write, copy, control, values } = openCopyWorld();
    for (const name of ['a', 'b', 'c']) await write('from', 0, large(name));
    const change = (answer: FetchAnswer) => damage(answer, 100n);
    control.fault({ api: 'Fetch', times: 100, action: { kind: 'change', change } });
    await expect(copy()).rejects.toMatchObject({
      code: 'CORRUPT_MESSAGE',
      message:
        'unable to read topic "from" partition 0 at offset 100: the checksum does not match (100 records were copied before that)',
    });
    expect(values('to')).toEqual(values('from').slice(0, 100));
    control.clearFaults();
    expect(await copy()).toMatchObject({ records: 200 });
    expect(values('to')).toEqual(values('from'));
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
});

it('finds the progress of a partition where it was stored before the destination had that partition', async () => {
  const { control, write, grow, copy, values } = openCopyWorld(3);
  control.createTopic({ name: 'few', partitions: 1 });
  const to = { topics: [{ source: 'from', target: 'few' }], isByKey: true };
  for (const partition of [0, 1, 2]) await write('from', partition, ['first']);
  expect(await copy(to)).toMatchObject({ records: 3 });
  await grow('few', 3);
  await write('from', 2, ['second']);
  expect(await copy(to)).toMatchObject({ records: 1 });
  // The progress of the last partition is stored in two places now.
  expect(await copy(to)).toMatchObject({ records: 0 });
  expect([0, 1, 2].flatMap((partition) => values('few', partition)).toSorted()).toEqual([
    'first',
    'first',
    'first',
    'second',
  ]);
});
