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
