import { describe, expect, test } from 'vitest';
import { type ApiName, negotiate } from '../../../../src/kafka/protocol/transport/versions.ts';

const api: ApiName = { name: 'CreateTopics', key: 19, min: 2, max: 7 };

describe('negotiation', () => {
  test.each([
    [0, 3, 3],
    [0, 7, 7],
    [5, 12, 7],
    [7, 12, 7],
    [0, 2, 2],
  ])('with a broker that speaks %i to %i chooses %i', (min, max, expected) => {
    expect(negotiate([{ apiKey: 19, minVersion: min, maxVersion: max }], 'broker 1').choose(api)).toBe(expected);
  });

  test.each([
    [8, 12, 'broker 1 supports CreateTopics versions 8 to 12, weir supports versions 2 to 7'],
    [0, 1, 'broker 1 supports CreateTopics versions 0 to 1, weir supports versions 2 to 7'],
    [8, 8, 'broker 1 supports CreateTopics version 8, weir supports versions 2 to 7'],
  ])('refuses a broker that speaks only %i to %i', (min, max, message) => {
    const versions = negotiate([{ apiKey: 19, minVersion: min, maxVersion: max }], 'broker 1');
    expect(() => versions.choose(api)).toThrow(message);
  });

  test('reports that the broker does not support the API at all', () => {
    expect(() => negotiate([], 'broker 1 (b:9092)').choose(api)).toThrow(
      'broker 1 (b:9092) does not support CreateTopics',
    );
  });

  test('names what has an API that simulated brokers do not have', () => {
    expect(() => negotiate([], 'broker 1', true).choose(api)).toThrow(
      expect.objectContaining({
        message: 'broker 1 does not support CreateTopics, as it is simulated',
        hints: ['a sandbox with a real Kafka does: weir sandbox start --name real --engine java (or docker, podman)'],
      }),
    );
  });
});
