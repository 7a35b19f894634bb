import { expect, test } from 'vitest';
import { api } from '../../../../src/kafka/protocol/wire/api.ts';
import { nullable, since, struct, tagged } from '../../../../src/kafka/protocol/wire/fields.ts';
import { array, bytes, int16, int32, int64, string } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { createSink, written } from '../../../../src/kafka/protocol/wire/sink.ts';
import { MalformedBytes, sourceOf } from '../../../../src/kafka/protocol/wire/source.ts';

const sample = api({
  name: 'Sample',
  key: 1,
  versions: [0, 2],
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  request: {
    name: nullable(string, 1),
    items: array(struct({ id: int32, more: since(1, int16, -7) })),
    maybe: nullable(struct({ at: int64 })),
    data: nullable(bytes),
    time: since(2, int64, -1n),
    extra: tagged(3, 2, string),
  },
  response: {},
});

test('fields depend on versions, null is undefined, tagged fields are read and unknown tags are skipped', () => {
  const full = { name: 'n', items: [{ id: 1, more: 2 }], maybe: { at: -5n }, data: Buffer.of(1), time: 8n, extra: 'e' };
  const round = (version: number, value: typeof full) => {
    const sink = createSink();
    sample.request(version).write(sink, value);
    return sample.request(version).read(sourceOf(written(sink)));
  };
  expect(round(2, full)).toEqual(full);
  expect(round(1, full)).toEqual({ ...full, time: -1n, extra: undefined });
  expect(round(0, full)).toEqual({ ...full, items: [{ id: 1, more: -7 }], time: -1n, extra: undefined });
  const none = { items: [], name: undefined, maybe: undefined, data: undefined, extra: undefined };
  const sink = createSink();
  sample.request(2).write(sink, none);
  expect(sample.request(2).read(sourceOf(written(sink)))).toEqual({ ...none, time: -1n });
  const unknown = Buffer.concat([written(sink).subarray(0, -1), Buffer.from('0209020102' + '0302026b', 'hex')]);
  expect(sample.request(2).read(sourceOf(unknown)).extra).toBe('k');
});

test('requests with wrong lengths are rejected', () => {
  for (const hex of ['7fff', '0001' + '61' + '7fffffff', 'ffff', '0000' + 'ffffff00']) {
    expect(() => sample.request(0).read(sourceOf(Buffer.from(hex, 'hex'))), hex).toThrow(MalformedBytes);
  }
});
