import { expect, it } from 'vitest';
import { expectedValue } from '../../../../src/kafka/cluster/topics/alter-configs.ts';
import type { ConfigChange } from '../../../../src/kafka/cluster/topics/topic-rows.ts';
import { configSources, type DescribedConfig } from '../../../../src/kafka/protocol/wire/apis/describe-configs.ts';

const old = (value: string | undefined): DescribedConfig => ({
  name: 'k',
  value,
  readOnly: false,
  configSource: configSources.DYNAMIC_TOPIC_CONFIG,
  isSensitive: false,
  synonyms: [
    { name: 'k', value, source: configSources.DYNAMIC_TOPIC_CONFIG },
    { name: 'log.k', value: 'cluster', source: configSources.DYNAMIC_DEFAULT_BROKER_CONFIG },
    { name: 'log.k', value: 'default', source: configSources.DEFAULT_CONFIG },
  ],
  configType: 2,
  documentation: undefined,
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
