import { expect, test } from 'vitest';
import { endedBy } from '../../../../src/cli/interruption.ts';
import {
  deleteUsers,
  listUsers,
  newSalt,
  planUserDeletion,
  saltedPassword,
  setPassword,
} from '../../../../src/kafka/cluster/access/users.ts';
import { startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, deadlineOf, failureOf } from '../../../services/scripted-client.ts';
import { topicAnswer } from '../topics/topic-answer.ts';
import { altered, described } from './scram-answers.ts';

type Brokers = Parameters<typeof topicAnswer>[0];
const notAuthorized = 31;

async function brokerWith(script: Parameters<typeof startScriptedBroker>[0]) {
  const brokers: Brokers[number][] = [];
  const broker = await startScriptedBroker({ Metadata: () => topicAnswer(brokers, { leaders: [1] }), ...script });
  brokers.push(broker);
  return broker;
}

const call = { user: 'ana', password: 'x', mechanisms: ['SCRAM-SHA-256', 'SCRAM-SHA-512'], iterations: 4096 } as const;

test('a password that is set for one of two mechanisms only is reported with what was set', async () => {
  await using broker = await brokerWith({
    AlterUserScramCredentials: [altered({ ana: 0 }), altered({ ana: notAuthorized })],
  });
  await using client = clientOf([broker.address]);
  expect(await failureOf(setPassword(client, call))).toMatchObject({
    exitCode: 4,
    message: expect.stringContaining(
      'unable to set the SCRAM-SHA-512 password of user "ana": CLUSTER_AUTHORIZATION_FAILED',
    ),
    hints: ['already set: SCRAM-SHA-256'],
  });
});

test('the error of a password that nobody else knows tells it only if it was set', async () => {
  const generated = { ...call, isGenerated: true };
  await using broker = await brokerWith({
    AlterUserScramCredentials: [altered({ ana: 0 }), altered({ ana: notAuthorized })],
  });
  await using client = clientOf([broker.address]);
  expect((await failureOf(setPassword(client, generated))).hints).toEqual([
    'already set: SCRAM-SHA-256',
    'generated password: x',
  ]);
  // From now on, the first mechanism is refused.
  expect((await failureOf(setPassword(client, generated))).hints).toEqual([]);
});

test('a password that is set for one mechanism when the command ends is reported with what was set', async () => {
  const deadline = deadlineOf();
  await using broker = await brokerWith({
    AlterUserScramCredentials({ before }) {
      if (before === 0) return altered({ ana: 0 });
      deadline.abort(endedBy('SIGINT'));
      return 'silent';
    },
  });
  await using client = clientOf([broker.address], {}, { deadline });
  expect(await failureOf(setPassword(client, { ...call, isGenerated: true }))).toMatchObject({
    code: 'INTERRUPTED',
    hints: [
      'the AlterUserScramCredentials request may have been carried out; check before you repeat the command',
      ...['already set: SCRAM-SHA-256', 'generated password: x'],
    ],
  });
});

test('users whose first credential is deleted are reported when the second deletion fails', async () => {
  await using broker = await brokerWith({
    AlterUserScramCredentials: [altered({ ana: 0 }), 'drop'],
    DescribeUserScramCredentials: [described({ ana: [1, 2] }), described({ ana: [2] })],
  });
  await using client = clientOf([broker.address], { retry: 0 });
  const [row] = await deleteUsers(client, await planUserDeletion(client, ['ana'], []));
  expect([row?.mechanisms, row?.error?.code]).toEqual([['SCRAM-SHA-256'], 'CONNECTION_LOST']);
});

test('setting a password returns when a broker knows the credentials', async () => {
  await using broker = await brokerWith({
    AlterUserScramCredentials: altered({ ana: 0 }),
    DescribeUserScramCredentials: [described({ ana: [] }), described({ ana: [1] }), described({ ana: [2, 1] })],
  });
  await using client = clientOf([broker.address]);
  await setPassword(client, call);
  expect(broker.of('DescribeUserScramCredentials')).toHaveLength(3);
});

test('a deletion that fails leaves the other users alone', async () => {
  await using broker = await brokerWith({
    AlterUserScramCredentials: altered({ ana: 0, bea: notAuthorized }),
    DescribeUserScramCredentials: [
      described({ ana: [1], bea: [1], cyd: [] }),
      described({ ana: [1] }),
      described({ ana: [] }),
    ],
  });
  await using client = clientOf([broker.address]);
  const rows = await deleteUsers(client, await planUserDeletion(client, ['cyd', 'bea', 'ana'], []));
  expect(rows.map(({ user, mechanisms, error }) => [user, mechanisms, error?.code])).toEqual([
    ['ana', ['SCRAM-SHA-256'], undefined],
    ['bea', [], 'CLUSTER_AUTHORIZATION_FAILED'],
    ['cyd', [], 'RESOURCE_NOT_FOUND'],
  ]);
  expect(broker.of('DescribeUserScramCredentials')).toHaveLength(3);
});

test('credentials of mechanisms that weir does not know are listed by number', async () => {
  await using broker = await brokerWith({ DescribeUserScramCredentials: described({ bea: [2], ana: [3] }) });
  await using client = clientOf([broker.address]);
  expect(await listUsers(client, 'all')).toMatchObject([
    { user: 'ana', credentials: [{ mechanism: 'UNKNOWN_3' }] },
    { user: 'bea', credentials: [{ mechanism: 'SCRAM-SHA-512' }] },
  ]);
});

// The example of RFC 7677, section 3; its client proof was computed from this value.
test('salts the password of the example of RFC 7677', async () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  const salted = await saltedPassword('SCRAM-SHA-256', 'pencil', { salt, iterations: 4096 });
  expect(salted.toString('hex')).toBe('c4a49510323ab4f952cac1fa99441939e78ea74d6be81ddf7096e87513dc615d');
});

test('has 64 bytes for SCRAM-SHA-512', async () => {
  expect(await saltedPassword('SCRAM-SHA-512', 'x', { salt: newSalt(), iterations: 4096 })).toHaveLength(64);
});

test('never salts alike', () => {
  expect(newSalt()).not.toEqual(newSalt());
});
