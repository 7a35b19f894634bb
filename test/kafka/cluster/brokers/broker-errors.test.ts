import { expect, test } from 'vitest';
import { describeBrokerConfigs, setBrokerConfig } from '../../../../src/kafka/cluster/brokers/broker-configs.ts';
import { describeLogDirs } from '../../../../src/kafka/cluster/brokers/log-dirs.ts';
import { planReassignment } from '../../../../src/kafka/cluster/topics/reassignment/plan.ts';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { incrementalAlterConfigs } from '../../../../src/kafka/protocol/wire/apis/incremental-alter-configs.ts';
import { listPartitionReassignments } from '../../../../src/kafka/protocol/wire/apis/list-partition-reassignments.ts';
import { answerOf } from '../../../services/answer.ts';
import { versionsAnswer } from '../../../services/scripted-answers.ts';
import { virtualClient } from '../../../services/virtual-client.ts';
import { topicAnswer } from '../topics/topic-answer.ts';

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['the configs', (client) => describeBrokerConfigs(client, { scope: { broker: 9 }, key: undefined })],
  [
    'the log directories',
    (client) => describeLogDirs(client, { broker: 9, topics: [], aggregateInto: 'dir', sortBySize: false }),
  ],
  [
    'a plan of replicas',
    (client) => planReassignment(client, { topics: ['foo'], brokers: [9], replicas: undefined, racks: true }),
  ],
])('%s of a broker that the cluster does not have: exit 3, with a code', async (_, call) => {
  const { clock, client } = virtualClient({
    ApiVersions: versionsAnswer([[listPartitionReassignments.key, 0, 0]]),
    Metadata: topicAnswer([{ address: { host: 'one', port: 9092 } }], { leaders: [1], replicas: [1] }),
    ListPartitionReassignments: answerOf(listPartitionReassignments, 0, { errorCode: 0, topics: [] }),
  });
  const refused = call(client).catch((error: unknown) => error);
  expect(await clock.runUntil(refused)).toMatchObject({ exitCode: 3, code: 'BROKER_NOT_FOUND' });
  client.close();
});

test('the refusal of a secret config does not repeat it', async () => {
  const error = { errorCode: 42, errorMessage: 'bad value p"w-s3cret of {"v":"p\\"w-s3cret"}' };
  const { clock, client } = virtualClient({
    ApiVersions: versionsAnswer([[incrementalAlterConfigs.key, 0, 1]]),
    Metadata: topicAnswer([{ address: { host: 'one', port: 9092 } }], { leaders: [1], replicas: [1] }),
    IncrementalAlterConfigs: answerOf(incrementalAlterConfigs, 1, {
      responses: [{ ...error, resourceType: 4, resourceName: '' }],
    }),
  });
  const call = {
    scope: 'cluster',
    key: 'a.password',
    value: 'p"w-s3cret',
    secrets: ['p"w-s3cret'],
  } as const;
  const refused = setBrokerConfig(client, call).catch((reason: unknown) => reason);
  const { message, cause } = (await clock.runUntil(refused)) as Error;
  expect(message).toContain('bad value *** of {"v":"***"}');
  expect(cause).toBeUndefined();
  client.close();
});
