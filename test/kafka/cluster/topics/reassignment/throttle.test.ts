import { describe, expect, it } from 'vitest';
import { throttle } from '../../../../../src/kafka/cluster/topics/reassignment/throttle.ts';
import type { ThrottleChange } from '../../../../../src/kafka/cluster/topics/reassignment/throttle-configs.ts';
import type {
  ThrottleMemory,
  ThrottleRecord,
} from '../../../../../src/kafka/cluster/topics/reassignment/throttle-memory.ts';
import type { Client, ClusterMetadata } from '../../../../../src/kafka/protocol/client/client.ts';
import type { Outcome, Question } from '../../../../../src/kafka/protocol/client/question.ts';
import { configSources, resourceTypes } from '../../../../../src/kafka/protocol/wire/apis/describe-configs.ts';

const [sent, received] = ['leader.replication.throttled.rate', 'follower.replication.throttled.rate'] as const;
const [senders, receivers] = ['leader.replication.throttled.replicas', 'follower.replication.throttled.replicas'];

const metadata: ClusterMetadata = {
  ...{ clusterId: 'c', controllerId: 1, topics: [] },
  brokers: [1, 2, 3].map((id) => ({ id, host: 'h', port: id, rack: undefined })),
};
const rows = [{ topic: 't', partition: 0, old_replicas: [1], new_replicas: [2] }];

/** Three brokers; broker 2 learns of a change of a topic only when it has been asked twice about it. */
function cluster() {
  const set = new Map<string, Map<string, string>>();
  let asked = 0;
  const configsOf = (name: string) => [...(set.get(name) ?? [])].map(([key, value]) => ({ key, value }));
  function described(type: number, name: string, isLate: boolean) {
    if (isLate) asked += 1;
    const isKnown = !isLate || asked > 2;
    const { DYNAMIC_BROKER_CONFIG, DYNAMIC_TOPIC_CONFIG } = configSources;
    const configSource = type === resourceTypes.broker ? DYNAMIC_BROKER_CONFIG : DYNAMIC_TOPIC_CONFIG;
    const configs = isKnown ? configsOf(`${type} ${name}`) : [];
    return configs.map(({ key, value }) => ({ name: key, value, configSource }));
  }
  function alter({ type, name, changes }: ThrottleChange): void {
    const own = new Map(set.get(`${type} ${name}`));
    for (const { key, value } of changes) if (value !== undefined) own.set(key, value);
    set.set(`${type} ${name}`, own);
  }
  const client = {
    metadata: async () => metadata,
    options: {
      deadline: { signal: new AbortController().signal, clock: { now: () => 0, sleep: async () => undefined } },
    },
    async ask(question: Question<ThrottleChange, unknown>, items: readonly ThrottleChange[]) {
      return items.map((item): Outcome<unknown, unknown> => {
        const { type, name } = item;
        if (question.api.changes === true) {
          alter(item);
          return { item, row: { errorCode: 0 }, error: undefined };
        }
        const target = question.target(item);
        const isLate =
          type === resourceTypes.topic && typeof target === 'object' && 'node' in target && target.node === 2;
        return { item, row: { errorCode: 0, configs: described(type, name, isLate) } as never, error: undefined };
      });
    },
  } as unknown as Client;
  return { client, asked: () => asked, configsOf };
}

/** A memory with a record, and what is saved in it. */
function memoryOf(record: ThrottleRecord) {
  const saved: ThrottleRecord[] = [];
  const save = async (changed: ThrottleRecord): Promise<void> => void saved.push(changed);
  const memory: ThrottleMemory = { hold: (_cluster, _purpose, work) => work({ record, save }) };
  return { memory, saved };
}

const nothing: ThrottleRecord = { rates: [], lists: [] };
const rate = (broker: number, key: string) => ({ broker, key, old: null, set: '5' });

describe('a throttle', () => {
  it('limits both brokers and lists the replicas that send and receive', async () => {
    const { client, configsOf } = cluster();
    const { memory, saved } = memoryOf(nothing);
    await throttle(client, rows, { rate: 5, memory });
    const rates = [sent, received].map((key) => ({ key, value: '5' }));
    expect([1, 2, 3].map((id) => configsOf(`${resourceTypes.broker} ${id}`))).toEqual([rates, rates, []]);
    expect(configsOf(`${resourceTypes.topic} t`)).toEqual([
      { key: senders, value: '0:1' },
      { key: receivers, value: '0:2' },
    ]);
    expect(saved).toEqual([
      {
        rates: [rate(1, sent), rate(1, received), rate(2, sent), rate(2, received)],
        lists: [
          { topic: 't', key: senders, added: ['0:1'] },
          { topic: 't', key: receivers, added: ['0:2'] },
        ],
      },
    ]);
  });

  it('adds to what is remembered of other brokers and topics', async () => {
    const earlier = { rates: [rate(3, sent)], lists: [{ topic: 'other', key: String(senders), added: ['7:3'] }] };
    const { memory, saved } = memoryOf(earlier);
    await throttle(cluster().client, rows, { rate: 5, memory });
    expect(saved[0]?.rates.map(({ broker }) => broker)).toEqual([3, 1, 1, 2, 2]);
    expect(saved[0]?.lists.map(({ topic }) => topic)).toEqual(['other', 't', 't']);
  });

  it('is set when every broker itself shows it', async () => {
    const { client, asked } = cluster();
    await throttle(client, rows, { rate: 5, memory: memoryOf(nothing).memory });
    expect(asked()).toBe(3);
  });
});
