import type { Client, TopicMetadata } from '../../../../src/kafka/protocol/client/client.ts';
import type { Outcome, Question } from '../../../../src/kafka/protocol/client/question.ts';
import { nameOfTarget } from '../../../../src/kafka/protocol/client/targets.ts';
import { kafkaError, kafkaErrorText } from '../../../../src/kafka/protocol/errors.ts';
import { createVirtualClock, type VirtualClock } from '../../../simulation/virtual-clock.ts';

/** The answers of a fake cluster, by the name of the API; `min` is the lowest version that weir wants to speak. */
export type Answers = Readonly<Record<string, (request: never, min: number) => unknown>>;

/** A client without brokers, and what it was asked. */
export interface FakeClient {
  readonly client: Client;
  readonly clock: VirtualClock;
  /** The requests, as `API target`. */
  readonly sent: readonly string[];
}

/** Makes a client whose requests are answered at once. All groups have one coordinator, each other target its broker. */
export function fakeClient(answers: Answers, topics: readonly TopicMetadata[] = [], brokers = [1]): FakeClient {
  const clock = createVirtualClock();
  const sent: string[] = [];
  const answer = async (name: string, request: unknown, min: number): Promise<unknown> => {
    const reply = answers[name];
    if (reply === undefined) throw kafkaError(35, `the fake does not support ${name}`);
    return reply(request as never, min);
  };
  const client = {
    options: { deadline: { clock, signal: new AbortController().signal } },
    async metadata(names: readonly string[] | 'all') {
      sent.push('Metadata');
      const own = topics.filter(({ name }) => names === 'all' || names.includes(name));
      return { clusterId: 'c', controllerId: 1, brokers: brokers.map((id) => ({ id })), topics: own };
    },
    async request(api: { readonly name: string; readonly min: number }, request: unknown) {
      sent.push(api.name);
      return await answer(api.name, request, api.min);
    },
    async ask<Item, Row>(
      question: Question<Item, Row>,
      items: readonly Item[],
    ): Promise<readonly Outcome<Item, Row>[]> {
      const byTarget = Map.groupBy(items, (item) => {
        const target = question.target(item);
        return typeof target === 'object' && 'node' in target ? nameOfTarget(target) : 'one broker';
      });
      const outcomes = [...byTarget].map(async ([target, own]) => {
        try {
          const { api } = question;
          sent.push(`${api.name} ${target}`);
          const response = await answer(
            api.name,
            question.request(own, () => -1),
            api.min,
          );
          const rows = question.rows(response, own);
          return own.map((item, index) => outcomeOf(item, rows[index], api.errorCode(response)));
        } catch (error) {
          return own.map((item) => ({ item, row: undefined, error }));
        }
      });
      const found = new Map((await Promise.all(outcomes)).flat().map((outcome) => [outcome.item, outcome]));
      return items.map((item) => found.get(item)) as Outcome<Item, Row>[];
    },
  };
  return { client: client as unknown as Client, clock, sent };
}

function outcomeOf<Item, Row extends { readonly errorCode: number }>(item: Item, row: Row | undefined, whole: number) {
  const code = whole || (row?.errorCode ?? -1);
  return { item, row, error: code === 0 ? undefined : kafkaError(code, kafkaErrorText(code)), node: 1 };
}

/** A topic with that many partitions, all led by broker 1. */
export function topicOf(name: string, partitions: number): TopicMetadata {
  const one = { errorCode: 0, leader: 1, leaderEpoch: 0, replicas: [1], isr: [1], offlineReplicas: [] };
  return {
    ...{ name, errorCode: 0, internal: false },
    partitions: Array.from({ length: partitions }, (_, partition) => ({ ...one, partition })),
  };
}
