import { unreachableError, usageError } from '../../../../src/errors.ts';
import type { Client, ClusterMetadata } from '../../../../src/kafka/protocol/client/client.ts';
import type { BrokerConnection } from '../../../../src/kafka/protocol/transport/connection.ts';
import type { RequestOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { produce as produceApi } from '../../../../src/kafka/protocol/wire/apis/produce.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { produce } from '../../../../src/kafka/streams/produce/produce.ts';
import type { ProduceRequest } from '../../../../src/kafka/streams/produce/request.ts';
import type { ProducedPartition } from '../../../../src/kafka/streams/produce/verdict.ts';
import { createRetry } from '../../../../src/net/retry.ts';
import { deadlineOf, type TestLimits } from '../../../services/scripted-client.ts';
import type { VirtualClock } from '../../../simulation/virtual-clock.ts';
import { requestOf } from './producing.ts';

/** One batch of a request. */
export interface FakeBatch {
  readonly node: number;
  readonly partition: number;
  readonly records: Buffer;
  /** How many batches came before it. */
  readonly before: number;
}

/** A broker's answer about a batch. */
export interface FakeAnswer {
  readonly code?: number;
  readonly base?: number;
}

/** Brokers of a test; by default they are healthy and fast, and broker 1 leads partition 0. */
export interface FakeBrokers {
  /** The leader of each partition. */
  leaders?(): readonly number[];
  /** Rejects if a broker accepts no connection. */
  dial?(node: number): Promise<void>;
  metadata?(): Promise<void>;
  /** The id of the topic; undefined if they report none. */
  topicId?(): string;
  /** The version of Produce (default 9), which names topics by id from 13. */
  readonly version?: number;
  /** Rejects if the connection breaks. */
  produce?(batch: FakeBatch): Promise<FakeAnswer> | FakeAnswer;
  /** Whether batches are kept for the test (default true). */
  readonly keeps?: boolean;
}

/** A client of such brokers in virtual time. */
export interface FakeClient extends Client {
  readonly clock: VirtualClock;
  /** Batches in flight, and the most that ever were, by partition. */
  readonly inFlight: Map<number, { now: number; most: number }>;
  /** All batches that were sent. */
  readonly batches: readonly FakeBatch[];
  /** Metadata requests so far. */
  readonly looks: () => number;
}

/** A refused connection. */
export function refused(): Error {
  return unreachableError('unable to connect to broker 1: TCP: connection refused', { code: 'REFUSED' });
}

/** A client that keeps what it sends. */
export function fakeClient(clock: VirtualClock, brokers: FakeBrokers, limits: TestLimits = {}): FakeClient {
  const deadline = deadlineOf({ retry: 30_000, command: 100_000_000, ...limits }, clock);
  const retry = createRetry(deadline);
  const inFlight: FakeClient['inFlight'] = new Map();
  const batches: FakeBatch[] = [];
  let looks = 0;

  async function one(node: number, partition: number, records: Buffer): Promise<ProducedPartition> {
    const count = inFlight.get(partition) ?? { now: 0, most: 0 };
    inFlight.set(partition, count);
    count.now += 1;
    count.most = Math.max(count.most, count.now);
    const batch = { node, partition, records, before: batches.length };
    if (brokers.keeps !== false) batches.push(batch);
    try {
      const { code = 0, base = 0 } = (await brokers.produce?.(batch)) ?? {};
      const offset = code === 0 ? BigInt(base) : -1n;
      return {
        index: partition,
        errorCode: code,
        baseOffset: offset,
        logAppendTimeMs: -1n,
        logStartOffset: -1n,
        recordErrors: [],
        errorMessage: undefined,
        currentLeader: undefined,
      };
    } finally {
      count.now -= 1;
    }
  }
  const connectionTo = (node: number): BrokerConnection => ({
    ...{ nodeId: node, address: `broker${node}:9092`, version: () => brokers.version ?? 9, destroy: () => undefined },
    async send(_api, request) {
      const { topicData } = request as RequestOf<typeof produceApi>;
      const asked = topicData.flatMap(({ partitionData }) => partitionData);
      const rows = asked.map(({ index, records }) => one(node, index, Buffer.from(records ?? [])));
      const partitionResponses = await Promise.all(rows);
      return { responses: [{ name: 'foo', topicId: noUuid, partitionResponses }] } as never;
    },
  });
  return {
    isRedpanda: async () => false,
    ...{ clock, inFlight, batches, looks: () => looks, retry, close: () => undefined },
    options: { brokers: [], tls: undefined, sasl: undefined, clientId: 'fake', deadline },
    request: (api) => retry(api.name, async () => ({ errorCode: 0, producerId: 77n, producerEpoch: 0 }) as never),
    requestOnce: () => Promise.reject(usageError('DescribeProducers is not available')),
    ask: () => Promise.reject(new Error('a producer asks about nothing')),
    metadata: () =>
      retry('Metadata', async () => {
        looks += 1;
        await brokers.metadata?.();
        return metadataOf(brokers.leaders?.() ?? [1], brokers.topicId?.());
      }),
    async dedicated(target) {
      await brokers.dial?.(target as number);
      return connectionTo(target as number);
    },
  };
}

function metadataOf(leaders: readonly number[], id: string | undefined): ClusterMetadata {
  const partitions = leaders.map((leader, partition) => ({
    ...{ partition, leader, errorCode: leader < 0 ? 5 : 0, leaderEpoch: -1 },
    ...{ replicas: [], isr: [], offlineReplicas: [] },
  }));
  const topics = [{ name: 'foo', errorCode: 0, internal: false, partitions, ...(id !== undefined && { id }) }];
  return {
    clusterId: 'fake',
    controllerId: 1,
    brokers: [{ id: 1, host: 'broker1', port: 9092, rack: undefined }],
    topics,
  };
}

/** The outcome of producing. */
export interface FakeRun {
  readonly text: string;
  readonly error: Error | undefined;
  /** Duration in milliseconds. */
  readonly endedAt: number;
}

/** Produces in virtual time; `requestOf` of `producing.ts` has the defaults. */
export async function produceBy(client: FakeClient, lines: readonly string[], more: Partial<ProduceRequest> = {}) {
  const { clock } = client;
  const startedAt = clock.now();
  let text = '';
  const work = async (): Promise<void> => {
    const production = await produce(client, requestOf(lines, { input: piecesOf(lines), ...more }));
    await production.pump({
      write(chunk) {
        text += Buffer.from(chunk).toString();
        return undefined;
      },
    });
  };
  const error = await clock.runUntil(work()).then(
    () => undefined,
    (failure: Error) => failure,
  );
  return { text: text.trim(), error, endedAt: clock.now() - startedAt };
}

async function* piecesOf(lines: readonly string[]): AsyncGenerator<Buffer> {
  yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
