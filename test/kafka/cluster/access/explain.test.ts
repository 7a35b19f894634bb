import { expect, test } from 'vitest';
import { explainAccess, settingsIn } from '../../../../src/kafka/cluster/access/explain.ts';
import { describeAcls } from '../../../../src/kafka/protocol/wire/apis/describe-acls.ts';
import { configSources, type DescribedConfig } from '../../../../src/kafka/protocol/wire/apis/describe-configs.ts';
import { answerOf } from '../../../services/answer.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, failureOf } from '../../../services/scripted-client.ts';
import { topicAnswer } from '../topics/topic-answer.ts';

const call = {
  ...{ principal: 'User:ana', host: null, operation: 'READ', resource_type: 'TOPIC', resource_name: 't' },
  ...{ superUsers: [], allowsUnlisted: undefined },
};
const securityDisabled = 54;
const notAuthorized = 31;

/** A broker that answers DescribeAcls with a code and no ACL, and that does not know DescribeConfigs. */
async function answering(code: number): Promise<ScriptedBroker> {
  const brokers: ScriptedBroker[] = [];
  const broker = await startScriptedBroker({
    Metadata: () => topicAnswer(brokers, { leaders: [1] }),
    DescribeAcls: answerOf(describeAcls, 3, { errorCode: code, resources: [] }),
  });
  brokers.push(broker);
  return broker;
}

test('brokers without an authorizer allow everything', async () => {
  await using broker = await answering(securityDisabled);
  await using client = clientOf([broker.address]);
  expect(await explainAccess(client, call)).toMatchObject({ allowed: true, reason: 'NO_AUTHORIZER', acls: [] });
});

test('settings that cannot be read are hidden settings', async () => {
  await using broker = await answering(0);
  await using client = clientOf([broker.address]);
  expect(await explainAccess(client, call)).toMatchObject({
    ...{ allowed: null, reason: 'NO_ACL_FOR_RESOURCE', rule: null, other_acls: 0 },
    hidden_settings: ['super.users', 'allow.everyone.if.no.acl.found'],
  });
  expect(await explainAccess(client, { ...call, superUsers: ['User:root'], allowsUnlisted: false })).toMatchObject({
    ...{ allowed: false, hidden_settings: [] },
  });
});

test('ACLs that cannot be read are a failure', async () => {
  await using broker = await answering(notAuthorized);
  await using client = clientOf([broker.address]);
  expect((await failureOf(explainAccess(client, call))).exitCode).toBe(4);
});

const [authorizer, users, allows] = ['authorizer.class.name', 'super.users', 'allow.everyone.if.no.acl.found'];

test.each([
  ['nothing is shown', {}, { hasAuthorizer: true, superUsers: undefined, allowsUnlisted: undefined }],
  ['no authorizer', { [authorizer]: '' }, { hasAuthorizer: false, superUsers: [], allowsUnlisted: false }],
  ['nothing else is set', { [authorizer]: 'a.B' }, { hasAuthorizer: true, superUsers: [], allowsUnlisted: false }],
  [
    'the values are hidden',
    { [authorizer]: 'a.B', [users]: undefined, [allows]: undefined },
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
])('the settings are read when %s', (_, values, expected) => {
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

test('on Redpanda, ACLs of roles count for their members, and nothing is allowed without an ACL', async () => {
  const allow = 3;
  const deny = 2;
  const acl = (principal: string, permissionType: number) => ({ principal, host: '*', operation: 3, permissionType });
  const acls = [
    acl('User:ana', allow),
    acl('RedpandaRole:readers', allow),
    acl('RedpandaRole:guests', deny),
    acl('Group:staff', allow),
  ];
  const resources = [{ resourceType: 2, resourceName: 't', patternType: 3, acls }];
  const brokers: ScriptedBroker[] = [];
  await using broker = await startScriptedBroker({
    Metadata: () =>
      metadataAnswer({ brokers: brokers.map(({ address }) => ({ id: 1, ...address })), clusterId: 'redpanda.x' }),
    DescribeAcls: answerOf(describeAcls, 3, { errorCode: 0, resources }),
  });
  brokers.push(broker);
  await using client = clientOf([broker.address]);
  const ask = (principal: string, roles?: readonly string[]) => explainAccess(client, { ...call, principal, roles });
  expect(await ask('User:ana')).toMatchObject({
    allowed: true,
    possible_roles: ['Group:staff', 'RedpandaRole:guests', 'RedpandaRole:readers'],
  });
  expect(await ask('User:ana', ['guests'])).toMatchObject({ allowed: false, rule: { permission: 'DENY' } });
  expect(await ask('User:bob', ['readers'])).toMatchObject({
    ...{ allowed: true, possible_roles: ['Group:staff'] },
  });
  expect(await ask('User:bob', [])).toMatchObject({
    ...{ allowed: false, reason: 'NO_ACL_APPLIES', possible_roles: ['Group:staff'] },
    hidden_settings: ['superusers', 'kafka_enable_authorization'],
  });
});
