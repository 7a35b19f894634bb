import { alterClientQuotas } from '../../../../../src/kafka/protocol/wire/apis/alter-client-quotas.ts';
import { describeClientQuotas } from '../../../../../src/kafka/protocol/wire/apis/describe-client-quotas.ts';
import type { GoldenCase } from './case.ts';

const found = { errorCode: 0, errorMessage: null };
const denied = { errorCode: 31, errorMessage: 'no' };
/** A number that Kafka's converters recognize as a floating-point number. */
const zero = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('0.0');

const entity = {
  kafka: [
    { entityType: 'user', entityName: 'ü' },
    { entityType: 'client-id', entityName: null },
  ],
};

/** The messages about quotas. */
export const quotaCases: readonly GoldenCase[] = [
  {
    api: describeClientQuotas,
    request: {
      kafka: {
        components: [
          { entityType: 'user', matchType: 0, match: 'ü' },
          { entityType: 'client-id', matchType: 1, match: null },
          { entityType: 'ip', matchType: 2, match: null },
        ],
        strict: true,
      },
    },
    answer: {
      kafka: {
        ...{ throttleTimeMs: 7, ...found },
        entries: [
          {
            entity: entity.kafka,
            values: [
              { key: 'producer_byte_rate', value: 200_000.25 },
              { key: 'request_percentage', value: 0.5 },
            ],
          },
        ],
      },
    },
  },
  {
    api: describeClientQuotas,
    request: { kafka: { components: [], strict: false } },
    answer: {
      kafka: { throttleTimeMs: 7, ...denied, entries: null },
    },
  },
  {
    api: alterClientQuotas,
    request: {
      kafka: {
        entries: [
          {
            entity: entity.kafka,
            ops: [
              { key: 'producer_byte_rate', value: 1.5, remove: false },
              { key: 'request_percentage', value: zero, remove: true },
            ],
          },
        ],
        validateOnly: true,
      },
    },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        entries: [
          { ...found, entity: entity.kafka },
          { ...denied, entity: [{ entityType: 'ip', entityName: '127.0.0.1' }] },
        ],
      },
    },
  },
];
