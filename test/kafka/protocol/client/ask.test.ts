import { describe, expect, test } from 'vitest';
import type { Target } from '../../../../src/kafka/protocol/client/targets.ts';
import { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { answerOf, requestIn } from '../../../services/answer.ts';
import { deadAddress } from '../../../services/dead-address.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import {
  type Arrival,
  type Script,
  type ScriptedBroker,
  startScriptedBroker,
} from '../../../services/scripted-broker.ts';
import { clientOf, failureOf } from '../../../services/scripted-client.ts';
import { virtualClient } from '../../../services/virtual-client.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import { allWell, answer, ask, asked, names } from './ask-names.ts';

/** A broker, or a place without one. */
type Placed = Pick<ScriptedBroker, 'address'>;

const inGroup = (group: string): Target => ({ group });

/** FindCoordinator v4: `nodeOf` returns the broker of each group; 0 for none yet. */
function coordinators(nodeOf: (group: string) => number, brokers: () => readonly Placed[]) {
  return (arrival: Arrival): Buffer =>
    answerOf(findCoordinator, 4, {
      coordinators: requestIn(findCoordinator, arrival).coordinatorKeys.map((key) => {
        const node = nodeOf(key);
        const address = brokers()[node - 1]?.address;
        return address === undefined
          ? { key, nodeId: -1, host: '', port: -1, errorCode: 15 }
          : { key, nodeId: node, host: address.host, port: address.port, errorCode: 0 };
      }),
    });
}

async function cluster(
  scripts: readonly ((brokers: () => readonly ScriptedBroker[]) => Parameters<typeof startScriptedBroker>[0])[],
) {
  const brokers: ScriptedBroker[] = [];
  for (const script of scripts) brokers.push(await startScriptedBroker(script(() => brokers)));
  return { brokers, [Symbol.asyncDispose]: async () => void (await Promise.all(brokers.map((one) => one.close()))) };
}

const node = (id: number, broker: Placed | undefined) => ({
  id,
  ...(broker?.address ?? { host: '', port: 0 }),
});

const addresses = (...hosts: readonly string[]) => hosts.map((host) => ({ address: { host, port: 9092 } }));

const slowSeed = { brokers: [{ host: 'slow', port: 9092 }] };

describe('asking about many items', () => {
  test('looks up the coordinators of 500 groups with one request, and asks each coordinator once', async () => {
    const groups = Array.from({ length: 500 }, (_, index) => `g${index}`);
    const script = (brokers: () => readonly ScriptedBroker[]) => ({
      FindCoordinator: coordinators((group) => 1 + (Number(group.slice(1)) % 2), brokers),
      Heartbeat: allWell,
    });
    await using made = await cluster([script, script]);
    await using client = clientOf([made.brokers[0]?.address ?? '']);
    const outcomes = await ask(client, groups, inGroup);
    expect(outcomes.map((one) => [one.item, one.node])).toEqual(groups.map((name, at) => [name, 1 + (at % 2)]));
    expect(outcomes.every(({ error, row }) => error === undefined && row?.errorCode === 0)).toBe(true);
    expect(made.brokers.map((broker) => broker.of('FindCoordinator').length)).toEqual([1, 0]);
    expect(made.brokers.map((broker) => broker.of('Heartbeat').length)).toEqual([1, 1]);
  });

  test('asks again only about the items whose coordinator has moved, at the new one', async () => {
    let home = 1;
    await using made = await cluster([
      (brokers) => ({
        FindCoordinator: coordinators((group) => (group === 'moves' ? home : 1), brokers),
        Heartbeat: (arrival) => {
          home = 2;
          return answer(asked(arrival).map((name) => [name, name === 'moves' ? 16 : 0]));
        },
      }),
      () => ({ Heartbeat: allWell }),
    ]);
    await using client = clientOf([made.brokers[0]?.address ?? '']);
    const outcomes = await ask(client, ['stays', 'moves'], inGroup);
    expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(made.brokers.map((broker) => broker.of('Heartbeat').map(asked))).toEqual([
      [['stays', 'moves']],
      [['moves']],
    ]);
  });

  test('continues with a new coordinator when the old one is dead', async () => {
    await using dead = await deadAddress();
    let home = 1;
    await using alive = await startScriptedBroker({ Heartbeat: allWell });
    await using seed = await startScriptedBroker({
      Metadata: () => metadataAnswer({ brokers: [node(1, dead), node(2, alive)] }),
      FindCoordinator: coordinators(
        () => {
          home += 1;
          return home - 1;
        },
        () => [dead, alive],
      ),
    });
    await using client = clientOf([seed.address]);
    const [outcome] = await ask(client, ['g'], inGroup);
    expect(outcome?.error).toBeUndefined();
    expect(alive.of('Heartbeat')).toHaveLength(1);
  });

  test("gives every item its own error, with the broker's text", async () => {
    await using made = await cluster([
      (brokers) => ({
        FindCoordinator: coordinators(() => 1, brokers),
        Heartbeat: (arrival) => answer(asked(arrival).map((name) => [name, name === 'secret' ? 30 : 0])),
      }),
    ]);
    await using client = clientOf([made.brokers[0]?.address ?? '']);
    const outcomes = await ask(client, ['mine', 'secret'], inGroup);
    expect(outcomes[0]).toMatchObject({ item: 'mine', error: undefined });
    expect(outcomes[1]?.error?.message).toBe(
      'unable to name secret: GROUP_AUTHORIZATION_FAILED (30): the principal is not authorized for this group',
    );
    expect(outcomes[1]?.error?.exitCode).toBe(4);
    expect(outcomes[1]?.row?.errorCode).toBe(30);
  });

  test('treats an item missing from the answer as a failure of that item', async () => {
    await using broker = await startScriptedBroker({ Heartbeat: answer([['a', 0]]) });
    await using client = clientOf([broker.address]);
    const outcomes = await ask(client, ['a', 'b'], () => 'any');
    expect(outcomes[0]?.error).toBeUndefined();
    expect(outcomes[1]?.error?.code).toBe('UNKNOWN_SERVER_ERROR');
    expect(broker.of('Heartbeat')).toHaveLength(1);
  });

  test('does not repeat what may have been done, unless the code says that nothing was', async () => {
    const once = { ...names, repeatable: false };
    await using broker = await startScriptedBroker({
      Metadata: () => metadataAnswer({ brokers: [] }),
      Heartbeat: (arrival) =>
        answer(asked(arrival).map((name) => [name, arrival.before > 0 ? 0 : name === 'timed-out' ? 7 : 51])),
    });
    await using client = clientOf([broker.address]);
    const outcomes = await ask(client, ['timed-out', 'busy'], () => 'any', once);
    expect(outcomes[0]?.error?.code).toBe('REQUEST_TIMED_OUT');
    expect(outcomes[1]?.error).toBeUndefined();
    expect(broker.of('Heartbeat').map(asked)).toEqual([['timed-out', 'busy'], ['busy']]);
  });

  test('does not delay the items of one broker for another one', async () => {
    const Metadata = topicAnswer(addresses('slow', 'quick'), { leaders: [1, 2] });
    const partitionOf = (item: string): Target => ({ topic: 'foo', partition: Number(item) });
    const slow: Script = { Metadata, Heartbeat: (arrival) => ({ answer: allWell(arrival), afterMs: 1_000 }) };
    const quick: Script = {
      Metadata,
      Heartbeat: (arrival) => answer(asked(arrival).map((name) => [name, isFirst(arrival) ? 78 : 0])),
    };
    const isFirst = ({ correlationId }: Arrival): boolean => correlationId === 1;
    const { clock, links, client } = virtualClient((host) => (host === 'slow' ? slow : quick), {}, slowSeed);
    const outcomes = await clock.runUntil(ask(client, ['0', '1'], partitionOf));
    expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined]);
    // The second one is asked again before the first one answers.
    expect(links.of('Heartbeat').map(({ address, after }) => [address, after])).toEqual([
      ['slow', 0],
      ['quick', 0],
      ['quick', 250],
    ]);
    client.close();
  });

  test('reports an unknown topic only after waiting for it to become known', async () => {
    const Metadata = topicAnswer(addresses('one'), { leaders: [], errorCode: 3 });
    const { clock, links, client } = virtualClient({ Metadata }, { retry: 300 });
    const [outcome] = await clock.runUntil(ask(client, ['0'], () => ({ topic: 'foo', partition: 0 })));
    expect(outcome?.error?.code).toBe('RETRY_TIMEOUT');
    expect(outcome?.error?.exitCode).toBe(3);
    expect(links.of('Metadata').map(({ after }) => after)).toEqual([0, 250, 750]);
    client.close();
  });

  test('still waits for a topic to become known after an outage longer than that wait', async () => {
    let told = 0;
    const there: Script = {
      Heartbeat: allWell,
      Metadata() {
        told += 1;
        return topicAnswer(addresses('one'), told === 1 ? { leaders: [], errorCode: 3 } : { leaders: [1] });
      },
    };
    const { clock, client } = virtualClient(() => (clock.now() < 8_000 ? 'CONNECTION_REFUSED' : there));
    const [outcome] = await clock.runUntil(ask(client, ['0'], () => ({ topic: 'foo', partition: 0 })));
    expect([outcome?.error, told]).toEqual([undefined, 2]);
    client.close();
  });

  test('ends by the retry rule, each item with its last error and the number of attempts', async () => {
    const Heartbeat = (arrival: Arrival): Buffer => answer(asked(arrival).map((name) => [name, 14]));
    const { clock, client } = virtualClient({ Heartbeat }, { retry: 600 });
    const [outcome] = await clock.runUntil(ask(client, ['a'], () => 'any'));
    expect(outcome?.error?.message).toMatch(
      /^unable to name a: COORDINATOR_LOAD_IN_PROGRESS .* \(gave up on Names after 3 attempts in /,
    );
    expect(outcome?.row?.errorCode).toBe(14);
    client.close();
  });

  test('counts the attempts of an item separately from those of an item without a leader', async () => {
    const { clock, links, client } = virtualClient(
      {
        Metadata: topicAnswer(addresses('one'), { leaders: [-1, 1] }),
        Heartbeat: (arrival) => answer(asked(arrival).map((name) => [name, 14])),
      },
      { retry: 200 },
    );
    const partitionOf = (item: string): Target => ({ topic: 'foo', partition: Number(item) });
    const outcomes = await clock.runUntil(ask(client, ['0', '1'], partitionOf));
    expect(outcomes[0]?.error?.message).toContain('LEADER_NOT_AVAILABLE');
    expect(links.of('Heartbeat').map(({ after }) => after)).toEqual([0, 250]);
    expect(outcomes[1]?.error?.message).toContain('(gave up on Names after 2 attempts in ');
    client.close();
  });

  test('ends with the command', async () => {
    await using broker = await startScriptedBroker();
    await using client = clientOf([broker.address], { command: 100 });
    expect((await failureOf(ask(client, ['a'], () => 'any'))).code).toBe('COMMAND_TIMEOUT');
  });

  test('without items sends nothing', async () => {
    await using client = clientOf(['127.0.0.1:1']);
    expect(await ask(client, [], () => 'any')).toEqual([]);
  });
});
