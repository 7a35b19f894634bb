import { expect, test } from 'vitest';
import { showHostPort } from '../../../../src/net/address.ts';
import { altered, described } from '../../../kafka/cluster/access/scram-answers.ts';
import { topicAnswer } from '../../../kafka/cluster/topics/topic-answer.ts';
import { startScriptedBroker } from '../../../services/scripted-broker.ts';
import { run } from '../../../world.ts';

type Script = Parameters<typeof startScriptedBroker>[0];

/** A broker that knows no user, and drops later questions for the user. */
async function brokerWith(script: Script) {
  const brokers: Parameters<typeof topicAnswer>[0][number][] = [];
  const broker = await startScriptedBroker({
    Metadata: () => topicAnswer(brokers, { leaders: [1] }),
    DescribeUserScramCredentials: ({ before }) => (before === 0 ? described({ ana: [] }) : 'drop'),
    ...script,
  });
  brokers.push(broker);
  return broker;
}

const hint = /^hint: generated password(, in case it was set)?: \w{30}$/gm;

test.each([
  ['one mechanism', ''],
  ['two mechanisms', ' --mechanism scram-sha-256,scram-sha-512'],
])('a generated password for %s is printed if no broker says that it is set', async (_, flags) => {
  await using broker = await brokerWith({ AlterUserScramCredentials: 'drop' });
  const env = { WEIR_BROKERS: showHostPort(broker.address), WEIR_GLOBALS_RETRY_TIMEOUT: '0s' };
  const { stdout, stderr, exitCode } = await run(`security user create ana${flags}`, { env });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
  expect(stderr.match(hint)).toHaveLength(1);
});

test('a generated password is not printed if the broker refuses it', async () => {
  await using broker = await brokerWith({ AlterUserScramCredentials: altered({ ana: 31 }) });
  const env = { WEIR_BROKERS: showHostPort(broker.address) };
  const { stderr, exitCode } = await run('security user create ana', { env });
  expect(exitCode).toBe(4);
  expect(stderr).not.toContain('generated password');
});

test('Ctrl-C between two mechanisms says which one is set, and prints the generated password once', async () => {
  let stop = (): void => undefined;
  await using broker = await brokerWith({
    AlterUserScramCredentials({ before }) {
      if (before === 0) return altered({ ana: 0 });
      stop();
      return 'silent';
    },
  });
  const { stdout, stderr, exitCode } = await run('security user create ana --mechanism scram-sha-256,scram-sha-512', {
    env: { WEIR_BROKERS: showHostPort(broker.address) },
    onStart: (kill) => {
      stop = () => kill('SIGINT');
    },
  });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 130 });
  expect(stderr).toContain('weir: stopped while creating user "ana": the request may or may not have arrived\n');
  expect(stderr).toContain('hint: check with: weir security user list ana\n');
  expect(stderr).toContain('hint: already set: SCRAM-SHA-256\n');
  expect(stderr.match(hint)).toHaveLength(1);
});
