import { expect, test } from 'vitest';
import { endedBy } from '../../../../src/cli/interruption.ts';
import type { Target } from '../../../../src/kafka/protocol/client/targets.ts';
import type { Script } from '../../../services/scripted-broker.ts';
import { failureOf } from '../../../services/scripted-client.ts';
import { virtualClient } from '../../../services/virtual-client.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import { allWell, answer, ask, asked, names } from './ask-names.ts';

const addresses = (...hosts: readonly string[]) => hosts.map((host) => ({ address: { host, port: 9092 } }));

const changing = { ...names, changes: true };
const partitionOf = (item: string): Target => ({ topic: 'foo', partition: Number(item) });
const told = (leaders: readonly number[]): Script => ({
  Metadata: topicAnswer(addresses('one', 'two'), { leaders }),
  Heartbeat: allWell,
});

test('a change reports what is done, and how the other items ended', async () => {
  const { clock, client } = virtualClient((host) => (host === 'one' ? told([1, 2, 1]) : { Heartbeat: 'silent' }), {
    command: 5_000,
  });
  const outcomes = await clock.runUntil(ask(client, ['0', '1', '2'], partitionOf, changing));
  expect(outcomes.map(({ item, error, row, ending }) => [item, error?.code, row?.errorCode, ending])).toEqual([
    ['0', undefined, 0, undefined],
    ['1', 'COMMAND_TIMEOUT', undefined, 'the request may have been carried out'],
    ['2', undefined, 0, undefined],
  ]);
  expect(outcomes[1]?.error).toBe(client.deadline.signal.reason);
  client.close();
});

test('a change whose connection is lost says so in its error alone', async () => {
  const { clock, client } = virtualClient({ ...told([1]), Heartbeat: 'drop' });
  const once = { ...changing, repeatable: false };
  const [outcome] = await clock.runUntil(ask(client, ['0'], partitionOf, once));
  expect([outcome?.error?.code, outcome?.ending]).toEqual(['CONNECTION_LOST', undefined]);
  client.close();
});

test('a refusal is reported, too, and so is an item that waits for a retry', async () => {
  const codes: Readonly<Record<string, number>> = { '0': 29, '1': 14 };
  const { clock, client } = virtualClient(
    { ...told([1, 1]), Heartbeat: (arrival) => answer(asked(arrival).map((name) => [name, codes[name] ?? 0])) },
    { command: 5_000 },
  );
  const outcomes = await clock.runUntil(ask(client, ['0', '1'], partitionOf, changing));
  expect(outcomes.map(({ error }) => error?.code)).toEqual(['TOPIC_AUTHORIZATION_FAILED', 'COMMAND_TIMEOUT']);
  client.close();
});

test('a change without any answer fails as a whole, and so does an incomplete reading', async () => {
  const silent = virtualClient({ ...told([1, 1]), Heartbeat: 'silent' }, { command: 5_000 });
  const failure = failureOf(ask(silent.client, ['0', '1'], partitionOf, changing));
  expect(await silent.clock.runUntil(failure)).toMatchObject({ code: 'COMMAND_TIMEOUT' });
  const half = virtualClient((host) => (host === 'one' ? told([1, 2]) : { Heartbeat: 'silent' }), {
    command: 5_000,
  });
  const incomplete = failureOf(ask(half.client, ['0', '1'], partitionOf));
  expect(await half.clock.runUntil(incomplete)).toMatchObject({ code: 'COMMAND_TIMEOUT' });
  silent.client.close();
  half.client.close();
});

test('after a signal, an item whose leader is looked for again has the reason of the signal', async () => {
  const moved = told([1, 1]);
  const { clock, client } = virtualClient({
    Metadata: ({ before }) => (before === 0 ? (moved.Metadata as Buffer) : 'silent'),
    Heartbeat: (arrival) => answer(asked(arrival).map((name) => [name, name === '0' ? 0 : 6])),
  });
  const asking = ask(client, ['0', '1'], partitionOf, changing);
  await clock.runFor(1_000);
  client.deadline.abort(endedBy('SIGINT'));
  expect((await asking).map(({ error }) => error?.code)).toEqual([undefined, 'INTERRUPTED']);
  client.close();
});
