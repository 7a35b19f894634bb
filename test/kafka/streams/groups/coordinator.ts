import type { Deadline } from '../../../../src/deadline.ts';
import { unreachableError } from '../../../../src/errors.ts';
import { ask } from '../../../../src/kafka/protocol/client/ask.ts';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import type { Router } from '../../../../src/kafka/protocol/client/router.ts';
import { kafkaError, kafkaErrorKind } from '../../../../src/kafka/protocol/errors.ts';
import type { Api, RequestOf, ResponseOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { consumerGroupHeartbeat } from '../../../../src/kafka/protocol/wire/apis/consumer-group-heartbeat.ts';
import type { joinGroup } from '../../../../src/kafka/protocol/wire/apis/join-group.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import type { TopicPartitions } from '../../../../src/kafka/streams/groups/subscription.ts';
import { encodeAssignment, encodeSubscription } from '../../../../src/kafka/streams/groups/subscription.ts';
import { createRetry } from '../../../../src/net/retry.ts';
import { deadlineOf } from '../../../services/scripted-client.ts';
import { createVirtualClock, type VirtualClock } from '../../../simulation/virtual-clock.ts';

/** The answer to a request; a promise may settle later, or reject as on a broken connection. */
// biome-ignore lint/suspicious/noExplicitAny: one table answers requests of every type
export type Reply = (request: any, before: number) => unknown;

/** One request as it came in. */
export interface Asked {
  readonly api: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly request: any;
  /** In milliseconds of virtual time. */
  readonly at: number;
}

/** A coordinator and its cluster, in virtual time. */
export interface ScriptedCoordinator {
  readonly clock: VirtualClock;
  readonly client: Client;
  readonly deadline: Deadline;
  readonly asked: readonly Asked[];
  /** The requests of one API. */
  of(api: string): readonly Asked[];
  /** Answers of an API from now on. */
  on(api: string, reply: Reply): void;
  /** Partition counts of the known topics. */
  readonly topics: Map<string, number>;
  /** The ids of topics; none for others. */
  readonly ids: Map<string, string>;
}

/** A coordinator that supports no API until `on` adds it. */
export function scriptedCoordinator(limits: { readonly retry?: number } = {}): ScriptedCoordinator {
  const clock = createVirtualClock();
  const deadline = deadlineOf({ retry: 30_000, command: 1_000_000_000, ...limits }, clock);
  const never = new AbortController().signal;
  // Its timer is separate from the members'.
  deadline.dispose();
  const asked: Asked[] = [];
  const replies = new Map<string, Reply>();
  const topics = new Map<string, number>();
  const ids = new Map<string, string>();
  const of = (api: string): readonly Asked[] => asked.filter((item) => item.api === api);
  const retry = createRetry(deadline, clock);
  async function send<Request, Response>(api: Api<Request, Response>, request: Request): Promise<Response> {
    const before = of(api.name).length;
    asked.push({ api: api.name, request, at: clock.now() });
    const reply = replies.get(api.name);
    if (reply === undefined) throw new Error(`the script does not answer ${api.name}`);
    return (await reply(request, before)) as Response;
  }
  async function requestOnce<Request, Response>(api: Api<Request, Response>, request: Request): Promise<Response> {
    // The coordinator is asked for topic ids.
    const script = api.name === 'Metadata' && !replies.has(api.name) ? undefined : await send(api, request);
    const response = script ?? ({ topics: [...ids].map(([name, topicId]) => ({ name, topicId })) } as Response);
    const code = script === undefined ? 0 : api.errorCode(response);
    if (code !== 0 && kafkaErrorKind(code).retriable) throw kafkaError(code, `${api.name} failed`);
    return response;
  }
  const client: Client = {
    options: { brokers: [], tls: undefined, sasl: undefined, clientId: 'test', deadline },
    requestOnce,
    request: (api, request) => retry(api.name, () => requestOnce(api, request)),
    retry,
    ask: (question, items, tries) =>
      ask({ router: { ...nowhere, send }, deadline, question, isOnce: tries === 'once', closed: never }, items),
    async metadata(names) {
      await replies.get('Metadata')?.(names, 0); // a script may only delay it
      const named = names === 'all' ? [...topics.keys()] : names;
      return {
        ...{ clusterId: 'c', controllerId: 1, brokers: [] },
        topics: named.map((name) => ({ ...topicMetadata(name, topics.get(name) ?? 0), ...idOf(ids.get(name)) })),
      };
    },
    dedicated: () => Promise.reject(new Error('nobody may want a connection of its own')),
    isRedpanda: async () => false,
    close: () => undefined,
  };
  return { clock, client, deadline, asked, of, topics, ids, on: (api, reply) => replies.set(api, reply) };
}

/** Every target is at broker 1. */
const nowhere: Omit<Router, 'send'> = {
  cache: {
    locate: async () => () => ({ node: 1, leaderEpoch: 0 }),
    nodeOf: async () => 1,
    read: () => Promise.reject(new Error('nobody reads metadata here')),
    broker: () => undefined,
    brokers: () => [],
    cluster: undefined,
    source: 'the script',
    forget: () => undefined,
    forgetNode: () => undefined,
  },
  dedicated: () => Promise.reject(new Error('there are no connections')),
};

function idOf(id: string | undefined) {
  return id === undefined ? {} : { id };
}

function topicMetadata(name: string, partitions: number) {
  const one = (partition: number) => ({
    ...{ partition, errorCode: 0, leader: 1, leaderEpoch: 0, replicas: [1], isr: [1], offlineReplicas: [] },
  });
  return {
    ...{ name, errorCode: partitions === 0 ? 3 : 0, internal: false },
    partitions: Array.from({ length: partitions }, (_, partition) => one(partition)),
  };
}

/** A connection that broke, as the transport reports it. */
export function cut(): Error {
  return unreachableError('the connection broke', { code: 'CONNECTION_LOST' });
}

/** An answer after that many milliseconds of virtual time. */
export async function later<T>(clock: VirtualClock, milliseconds: number, answer: () => T): Promise<T> {
  await clock.sleep(milliseconds);
  return answer();
}

/** An answer that never comes. */
export function silence(): Promise<never> {
  return new Promise(() => undefined);
}

/** A place in a generation for a single member, which leads. */
export function place(
  request: RequestOf<typeof joinGroup>,
  generationId: number,
  more: Partial<ResponseOf<typeof joinGroup>> = {},
) {
  const memberId = request.memberId || 'm1';
  const protocolName = request.protocols[0]?.name ?? '';
  const metadata = request.protocols[0]?.metadata ?? encodeSubscription({ topics: [], owned: [], generation: -1 }, '');
  return {
    errorCode: 0,
    generationId,
    protocolName,
    leader: memberId,
    skipAssignment: false,
    memberId,
    members: [{ memberId, groupInstanceId: undefined, metadata: Buffer.from(metadata) }],
    ...more,
  };
}

/** A JoinGroup that is refused. */
export function refusedPlace(errorCode: number, memberId = '') {
  return { errorCode, generationId: -1, protocolName: '', leader: '', memberId, skipAssignment: false, members: [] };
}

/** The answer to SyncGroup. */
export function assignment(share: readonly TopicPartitions[]) {
  return { errorCode: 0, assignment: encodeAssignment(share) };
}

/** The answer to a heartbeat of the consumer protocol. */
export function beatAnswer(
  more: Partial<ResponseOf<typeof consumerGroupHeartbeat>> = {},
): ResponseOf<typeof consumerGroupHeartbeat> {
  return {
    throttleTimeMs: 0,
    errorCode: 0,
    errorMessage: undefined,
    memberId: undefined,
    memberEpoch: 1,
    heartbeatIntervalMs: 5_000,
    assignment: undefined,
    ...more,
  };
}

/** Commits everything, or answers a code by partition name. */
export function commitAnswer(
  request: {
    readonly topics: readonly {
      readonly name: string;
      readonly partitions: readonly { readonly partitionIndex: number }[];
    }[];
  },
  codeOf: (name: string) => number = () => 0,
) {
  return {
    topics: request.topics.map(({ name, partitions }) => ({
      name,
      topicId: noUuid,
      partitions: partitions.map(({ partitionIndex }) => ({
        partitionIndex,
        errorCode: codeOf(`${name}/${partitionIndex}`),
      })),
    })),
  };
}
