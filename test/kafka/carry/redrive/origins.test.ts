import { describe, expect, it } from 'vitest';
import { countHeader, findOrigins, type NamedHeader } from '../../../../src/kafka/carry/redrive/origins.ts';
import { bytesOf, recordedLetters } from './dead-letters.ts';

const text = (name: string, value: string): NamedHeader => [name, Buffer.from(value)];
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const trace = text('trace', 't-1');

const kept = (headers: readonly NamedHeader[]): readonly string[] => {
  const { isTheirs } = findOrigins(headers);
  return headers.flatMap(([name]) => (isTheirs(name) ? [] : [name]));
};

it.each(recordedLetters)('the origin in headers that the class of $framework has written', ({ headers: recorded }) => {
  const headers = recorded.map(([name, hex]): NamedHeader => [name, bytesOf(hex)]);
  expect(findOrigins(headers).origins).toEqual([{ topic: 'orders', partition: 2 }]);
  expect(kept(headers)).toEqual(['trace']);
});

// Names and encodings as in the sources of these frameworks.
it.each<readonly [string, readonly NamedHeader[]]>([
  [
    'Spring Cloud Stream',
    [
      trace,
      text('x-original-topic', 'orders'),
      ['x-original-partition', int32(2)],
      ['x-original-offset', Buffer.alloc(8)],
      ['x-original-timestamp', Buffer.alloc(8)],
      text('x-original-timestamp-type', 'CreateTime'),
      text('x-exception-fqcn', 'java.lang.IllegalStateException'),
      text('x-exception-message', 'boom'),
      text('x-exception-stacktrace', 'at …'),
    ],
  ],
  [
    'a share group',
    [
      text('__dlq.errors.topic', 'orders'),
      text('__dlq.errors.partition', '2'),
      text('__dlq.errors.offset', '7'),
      text('__dlq.errors.group', 'billing'),
      text('__dlq.errors.delivery.count', '5'),
      text('__dlq.errors.message', 'boom'),
      trace,
    ],
  ],
  [
    'SmallRye, which puts its own first, and has failed before',
    [
      text('dead-letter-exception-class-name', 'java.lang.IllegalStateException'),
      text('dead-letter-reason', 'boom'),
      text('dead-letter-cause-class-name', 'java.io.IOException'),
      text('dead-letter-cause', 'gone'),
      text('dead-letter-topic', 'orders'),
      text('dead-letter-partition', '2'),
      text('dead-letter-offset', '7'),
      trace,
      text('dead-letter-topic', 'earlier'),
      text('dead-letter-partition', '9'),
    ],
  ],
  [
    'SmallRye after two retry topics',
    [
      text('delayed-retry-reason', 'boom'),
      text('delayed-retry-topic', 'orders_retry_10000'),
      text('delayed-retry-partition', '1'),
      text('delayed-retry-topic', 'orders'),
      text('delayed-retry-partition', '2'),
      trace,
      text('delayed-retry-count', '2'),
      text('delayed-retry-original-timestamp', '1700000000000'),
      text('delayed-retry-first-processing-timestamp', '1700000000000'),
    ],
  ],
  [
    'Karafka',
    [
      trace,
      text('source_topic', 'orders'),
      text('source_partition', '2'),
      text('source_offset', '7'),
      text('source_consumer_group', 'billing'),
      text('source_attempts', '3'),
      text('source_trace_id', 'x'),
    ],
  ],
  [
    'Spring, after a dead letter topic of a dead letter topic',
    [
      trace,
      text('kafka_dlt-original-topic', 'earlier'),
      ['kafka_dlt-original-partition', int32(0)],
      text('kafka_dlt-original-topic', 'orders'),
      ['kafka_dlt-original-partition', int32(2)],
    ],
  ],
])('the origin and the headers of %s', (_, headers) => {
  expect(findOrigins(headers).origins).toEqual([{ topic: 'orders', partition: 2 }]);
  expect(kept(headers)).toEqual(['trace']);
});

describe('nothing is guessed', () => {
  it('of a framework without a partition', () => {
    const headers = [text('topic_poisoned', 'orders'), text('reason_poisoned', 'boom'), text('handler_poisoned', 'h')];
    expect(findOrigins(headers).origins).toEqual([{ topic: 'orders', partition: undefined }]);
    expect(kept(headers)).toEqual([]);
  });

  it('of headers that are like those of a framework, without an origin', () => {
    const headers = [text('source_attempts', '3'), text('x-exception-message', 'boom'), text('dead-letter-reason', '')];
    expect(findOrigins(headers).origins).toEqual([]);
    expect(kept(headers)).toEqual(['source_attempts', 'x-exception-message', 'dead-letter-reason']);
  });

  it.each<readonly [string, Buffer | null]>([
    ['two bytes', Buffer.from([0, 2])],
    ['a negative number', int32(-1)],
    ['null', null],
    ['a word', Buffer.from('two')],
  ])('of a partition that is %s', (_, partition) => {
    const headers: NamedHeader[] = [
      text('__connect.errors.topic', 'orders'),
      ['__connect.errors.partition', partition],
    ];
    expect(findOrigins(headers).origins).toEqual([{ topic: 'orders', partition: undefined }]);
  });

  it('of two frameworks that disagree; those that agree have one origin', () => {
    const spring = [text('kafka_dlt-original-topic', 'orders')];
    const connect = (topic: string) => [text('__connect.errors.topic', topic), text('__connect.errors.partition', '1')];
    expect(findOrigins([...spring, ...connect('payments')]).origins).toHaveLength(2);
    expect(findOrigins([...spring, ...connect('orders')]).origins).toEqual([{ topic: 'orders', partition: 1 }]);
  });

  it.each<readonly [string, Buffer | null]>([
    ['null', null],
    ['not UTF-8', Buffer.from([0xff, 0xfe])],
  ])('of a topic that is %s', (_, value) => {
    expect(findOrigins([['__connect.errors.topic', value]]).origins).toEqual([undefined]);
  });

  it.each([
    ['3', 3, false],
    ['0000000003', 3, false],
    ['999999999999999999999', 1e21, false],
    ['9'.repeat(400), Infinity, false],
    ['', 0, true],
    ['-1', 0, true],
    [' 7', 0, true],
    ['0x10', 0, true],
    ['many', 0, true],
  ])('of a count of %j', (value, count, isCountLost) => {
    const headers = [text(countHeader, '1'), text(countHeader, value)];
    expect(findOrigins(headers)).toMatchObject({ count, isCountLost });
  });

  it('of a record without a count, which was never put back', () => {
    expect(findOrigins([trace])).toMatchObject({ count: 0, isCountLost: false });
  });
});
