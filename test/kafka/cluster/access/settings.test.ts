import { expect, it } from 'vitest';
import { settingsIn } from '../../../../src/kafka/cluster/access/settings.ts';
import { configSources, type DescribedConfig } from '../../../../src/kafka/protocol/wire/apis/describe-configs.ts';

const [authorizer, users, allows] = ['authorizer.class.name', 'super.users', 'allow.everyone.if.no.acl.found'];
const hidden = undefined;

it.each([
  ['nothing is shown', {}, { hasAuthorizer: true, superUsers: undefined, allowsUnlisted: undefined }],
  ['no authorizer', { [authorizer]: '' }, { hasAuthorizer: false, superUsers: [], allowsUnlisted: false }],
  ['nothing else is set', { [authorizer]: 'a.B' }, { hasAuthorizer: true, superUsers: [], allowsUnlisted: false }],
  [
    'the values are hidden',
    { [authorizer]: 'a.B', [users]: hidden, [allows]: hidden },
    { hasAuthorizer: true, superUsers: undefined, allowsUnlisted: undefined },
  ],
  [
    'the values are shown',
    { [authorizer]: 'a.B', [users]: 'User:a; User:b', [allows]: 'True' },
    { hasAuthorizer: true, superUsers: ['User:a', 'User:b'], allowsUnlisted: true },
  ],
  [
    'everyone is not allowed',
    { [authorizer]: 'a.B', [allows]: 'false' },
    { hasAuthorizer: true, superUsers: [], allowsUnlisted: false },
  ],
])('%s', (_, values, expected) => {
  const configs = Object.entries(values).map(
    ([name, value]): DescribedConfig => ({
      name,
      value,
      readOnly: true,
      configSource: configSources.STATIC_BROKER_CONFIG,
      isSensitive: value === undefined,
      synonyms: [],
      configType: 2,
      documentation: undefined,
    }),
  );
  expect(settingsIn(new Map(configs.map((config) => [config.name, config])))).toEqual(expected);
});
