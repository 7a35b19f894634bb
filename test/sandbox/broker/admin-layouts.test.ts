import { test } from 'vitest';
import { describeConfigs as weirDescribeConfigs } from '../../../src/kafka/protocol/describe-configs.ts';
import { describeConfigs } from '../../../src/kafka/wire/apis/describe-configs.ts';
import { crossed } from './crossed.ts';

const failed = { errorCode: 3, errorMessage: 'gone' };

test('the model and the client agree on DescribeConfigs', () => {
  const synonym = { name: 's', value: 'v', source: 5 };
  const config = { readOnly: true, configSource: 4, isSensitive: false, synonyms: [synonym, synonym], configType: 2 };
  const configs = [
    { name: 'a', value: '1', ...config },
    { name: 'b', value: undefined, ...config, documentation: 'text', isSensitive: true },
  ];
  crossed(weirDescribeConfigs, describeConfigs, {
    request: { resources: ['t', 'u'].map((name) => ({ type: 2, name, keys: name === 't' ? ['a', 'b'] : undefined })) },
    reads: ({ resources: [first, second] }) =>
      first?.resourceName === 't' &&
      first.configurationKeys?.join() === 'a,b' &&
      second?.resourceType === 2 &&
      second.configurationKeys === undefined,
    answer: {
      throttleTimeMs: 4,
      results: ['t', 'u'].map((resourceName) => ({ ...failed, resourceType: 2, resourceName, configs })),
    },
    decoded: ({ throttleMs, resources: [first, second] }) =>
      throttleMs === 4 &&
      first?.errorMessage === 'gone' &&
      second?.name === 'u' &&
      second.errorCode === 3 &&
      second.configs.map(({ key, source, sensitive }) => `${key} ${source} ${sensitive}`).join() ===
        'a STATIC_BROKER_CONFIG false,b STATIC_BROKER_CONFIG true',
  });
});
