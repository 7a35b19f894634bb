import { alterClientQuotas } from '../../../../src/kafka/protocol/alter-client-quotas.ts';
import { describeClientQuotas } from '../../../../src/kafka/protocol/describe-client-quotas.ts';
import type { GoldenCase } from './case.ts';

const found = { errorCode: 0, errorMessage: null };
const foundHere = { errorCode: 0, errorMessage: undefined };
const denied = { errorCode: 31, errorMessage: 'no' };
/** A number that Kafka's converters recognize as a floating-point number. */
const zero = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('0.0');

const entity = {
  kafka: [
    { entityType: 'user', entityName: 'ü' },
    { entityType: 'client-id', entityName: null },
  ],
  weir: [
    { type: 'user', name: 'ü' },
    { type: 'client-id', name: undefined },
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
      weir: {
        filters: [
          { type: 'user', match: { name: 'ü' } },
          { type: 'client-id', match: 'default' },
          { type: 'ip', match: 'any' },
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
      weir: {
        ...{ throttleMs: 7, ...foundHere },
        quotas: [
          {
            entity: entity.weir,
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
    request: { kafka: { components: [], strict: false }, weir: { filters: [], strict: false } },
    answer: {
      kafka: { throttleTimeMs: 7, ...denied, entries: null },
      weir: { throttleMs: 7, ...denied, quotas: [] },
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
      weir: {
        entries: [
          {
            entity: entity.weir,
            changes: [
              { key: 'producer_byte_rate', value: 1.5 },
              { key: 'request_percentage', value: undefined },
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
      weir: {
        throttleMs: 7,
        entries: [
          { ...foundHere, entity: entity.weir },
          { ...denied, entity: [{ type: 'ip', name: '127.0.0.1' }] },
        ],
      },
    },
  },
];
