import { expect, it } from 'vitest';
import type { ConfigChange } from '../../../src/kafka/protocol/incremental-alter-configs.ts';
import { expectedValue } from '../../../src/kafka/topics/alter-configs.ts';

const old = (value: string | undefined) => ({
  ...{ key: 'k', value, readOnly: false, source: 'DYNAMIC_TOPIC_CONFIG', sensitive: false },
  synonyms: [
    { key: 'k', value, source: 'DYNAMIC_TOPIC_CONFIG' },
    { key: 'log.k', value: 'cluster', source: 'DYNAMIC_DEFAULT_BROKER_CONFIG' },
    { key: 'log.k', value: 'default', source: 'DEFAULT_CONFIG' },
  ],
});

it.each<[ConfigChange['operation'], string | undefined, string | undefined, string | undefined]>([
  ['set', 'b', 'a', 'b'],
  ['delete', undefined, 'a', 'cluster'],
  ['append', 'b', 'a', 'a,b'],
  ['append', 'a,c', 'a,b', 'a,b,c'],
  ['append', 'a', undefined, 'a'],
  ['append', 'a', '', 'a'],
  ['subtract', 'a', 'a,b', 'b'],
  ['subtract', 'a', 'a', ''],
  ['subtract', 'x', 'a', 'a'],
])('%s %j makes %j to %j', (operation, value, before, after) => {
  expect(expectedValue({ key: 'k', operation, value }, old(before))).toBe(after);
});

it('cannot know what a deleted config falls back to if the broker reports nothing', () => {
  expect(expectedValue({ key: 'k', operation: 'delete', value: undefined }, undefined)).toBe(undefined);
});
