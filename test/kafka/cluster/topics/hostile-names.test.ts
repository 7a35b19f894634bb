import { expect, test } from 'vitest';
import { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { answerOf } from '../../../services/answer.ts';
import { authenticateAnswer, handshakeAnswer } from '../../../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { run } from '../../../world.ts';

const hostile = 'a\u001b]0;pwned\u0007\u202eb\nc';
const shown = 'a\\u001b]0;pwned\\u0007\\u202eb\\nc';

/** Metadata v9 with these names everywhere a broker can put text. */
function answer({ address }: ScriptedBroker, topics: readonly string[]): Buffer {
  const partition = {
    errorCode: 0,
    partitionIndex: 0,
    leaderId: 1,
    leaderEpoch: 1,
    replicaNodes: [1],
    isrNodes: [1],
  };
  return answerOf(metadata, 9, {
    brokers: [{ nodeId: 1, host: address.host, port: address.port, rack: hostile }],
    clusterId: hostile,
    controllerId: 1,
    topics: topics.map((name) => ({ errorCode: 0, name, partitions: [partition] })),
  });
}

async function brokerOf(topics: readonly string[]): Promise<ScriptedBroker> {
  const broker: ScriptedBroker = await startScriptedBroker({ Metadata: () => answer(broker, topics) });
  return broker;
}

const at = ({ address }: ScriptedBroker) => `-X brokers=127.0.0.1:${address.port}`;

test('a topic, a rack and a cluster whose names drive terminals are shown escaped', async () => {
  await using broker = await brokerOf([hostile]);
  const list = await run(`topic list ${at(broker)}`);
  expect(list).toMatchObject({ exitCode: 0, stderr: '' });
  expect(list.stdout).toContain(`${shown}  `);
  const info = await run(`cluster info ${at(broker)}`);
  expect(info.stdout).toContain(shown);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  expect(list.stdout + info.stdout).not.toMatch(/[\u001b\u0007\u202e]/);
  const json = await run(`topic list --format json ${at(broker)}`);
  expect(JSON.parse(json.stdout)[0].name).toBe(hostile);
});

test('the error text of a broker is shown escaped', async () => {
  await using broker = await startScriptedBroker({
    SaslHandshake: handshakeAnswer(0, ['PLAIN']),
    SaslAuthenticate: authenticateAnswer(58, hostile),
  });
  const line = `topic list ${at(broker)} -X sasl.mechanism=PLAIN`;
  const { stderr, exitCode } = await run(line, { env: { WEIR_USER: 'u', WEIR_PASS: 'p' } });
  expect(exitCode).toBe(4);
  expect(stderr).toContain(shown);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  expect(stderr).not.toMatch(/[\u001b\u0007\u202e]/);
});

test('a listing of 5,000 topics is escaped at little cost', async () => {
  await using broker = await brokerOf(Array.from({ length: 5_000 }, (_, number) => `orders.region-${number}.v1`));
  const { stdout, exitCode } = await run(`topic list ${at(broker)}`);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')).toHaveLength(5_002);
});
