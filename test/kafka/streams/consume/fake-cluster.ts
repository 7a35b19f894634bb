import { unreachableError } from '../../../../src/errors.ts';
import { ask } from '../../../../src/kafka/protocol/client/ask.ts';
import type { Client, ClusterMetadata } from '../../../../src/kafka/protocol/client/client.ts';
import type { Question } from '../../../../src/kafka/protocol/client/question.ts';
import type { Router } from '../../../../src/kafka/protocol/client/router.ts';
import { isPartition, type Target } from '../../../../src/kafka/protocol/client/targets.ts';
import type { Api, ReadRequestOf, RequestOf, ResponseOf } from '../../../../src/kafka/protocol/wire/api.ts';
import { fetch } from '../../../../src/kafka/protocol/wire/apis/fetch.ts';
import { type listOffsets, offsetTimes } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import type { offsetForLeaderEpoch } from '../../../../src/kafka/protocol/wire/apis/offset-for-leader-epoch.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { sourceOf } from '../../../../src/kafka/protocol/wire/source.ts';
import { createRetry } from '../../../../src/net/retry.ts';
import { requestBytes } from '../../../services/answer.ts';
import { deadlineOf, type TestLimits } from '../../../services/scripted-client.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { batchAt } from '../../record-answers.ts';
import type { FakeTopic } from './fake-log.ts';

/** A Fetch that a fake broker got. */
export interface FakeFetch {
  readonly node: number;
  readonly at: number;
  readonly request: ReadRequestOf<typeof fetch>;
  /** Sent outside the fetching connection, that is, to confirm the end of a range. */
  readonly isAlone: boolean;
  readonly names: readonly string[];
}

/** What a fake broker says about a partition. */
export interface FakeRow {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: bigint;
  readonly lastStableOffset: bigint;
  readonly logStartOffset: bigint;
  readonly preferredReadReplica: number;
  readonly records: Buffer;
}

/** The answer of a fake broker, flattened to partitions. */
export interface FakeAnswer {
  readonly throttleMs: number;
  readonly errorCode: number;
  readonly sessionId: number;
  readonly partitions: readonly FakeRow[];
}

/** Differences of a fake cluster from Kafka's defaults. */
export interface FakeOptions {
  readonly sessions?: boolean;
  /** Batches in an answer at most. */
  readonly perAnswer?: number;
  /** The broker never reorders a session's partitions, unlike Kafka. */
  readonly keepsOrder?: boolean;
  readonly limits?: TestLimits;
  /** Answers a Fetch in place of the broker; undefined: the broker answers. */
  readonly onFetch?: (fetched: FakeFetch) => FakeAnswer | Error | undefined | Promise<FakeAnswer | Error | undefined>;
  /** Changes the answer of a partition. */
  readonly onPartition?: (row: FakeRow, fetched: FakeFetch) => FakeRow;
}

interface FakeSession {
  readonly id: number;
  epoch: number;
  /** In the order of the answers, with the high watermark last sent. */
  readonly entries: Map<string, { topic: string; partition: number; offset: bigint; told: bigint }>;
}

/** A cluster in virtual time, below the `Client` interface. */
export function createFakeCluster<Topics extends { [name: string]: FakeTopic }>(
  topics: Topics,
  options: FakeOptions = {},
) {
  const clock = createVirtualClock(1);
  const deadline = deadlineOf({ command: 3_600_000, ...options.limits }, clock);
  const never = new AbortController().signal;
  const fetches: FakeFetch[] = [];
  const metadataRequests: (readonly string[] | 'all')[] = [];
  const sessions = new Map<number, FakeSession>();
  let nextSession = 100;
  let live = 0;
  const state = { metadata: undefined as ((names: readonly string[] | 'all') => ClusterMetadata | Error) | undefined };

  function metadataOf(names: readonly string[] | 'all'): ClusterMetadata {
    const wanted = names === 'all' ? Object.keys(topics) : names;
    return {
      ...{ clusterId: 'fake', controllerId: 1, brokers: [] },
      topics: wanted.map((name) => {
        const topic = topics[name];
        const errorCode = topic?.errorCode ?? (topic === undefined ? 3 : 0);
        return {
          ...{ name, internal: false, errorCode, ...(topic?.id === undefined ? {} : { id: topic.id }) },
          partitions: (errorCode === 0 ? (topic?.partitions ?? []) : []).map(({ leader, epoch }, partition) => ({
            ...{ partition, leader, leaderEpoch: epoch, errorCode: leader < 0 ? 5 : 0 },
            ...{ replicas: [], isr: [], offlineReplicas: [] },
          })),
        };
      }),
    };
  }

  function readPartition(fetched: FakeFetch, name: { topic: string; partition: number; offset: bigint }, room: number) {
    const log = topics[name.topic]?.partitions[name.partition];
    const base = {
      topic: name.topic,
      partition: name.partition,
      preferredReadReplica: -1,
      highWatermark: log?.highWatermark ?? -1n,
      lastStableOffset: log?.lastStable ?? log?.highWatermark ?? -1n,
      logStartOffset: log?.logStart ?? -1n,
      records: Buffer.alloc(0),
      errorCode: 0,
    };
    let row: FakeRow = base;
    if (log === undefined) row = { ...base, errorCode: 3 };
    else if (log.leader !== fetched.node) row = { ...base, errorCode: 6 };
    else if (name.offset < log.logStart || name.offset > log.highWatermark) row = { ...base, errorCode: 1 };
    else {
      const found = log.batches
        .filter(({ base: at, values }) => at + BigInt(values.length) > name.offset)
        .slice(0, room);
      row = { ...base, records: Buffer.concat(found.map(({ base: at, values }) => batchAt(at, values, log.epoch))) };
    }
    return options.onPartition?.(row, fetched) ?? row;
  }

  function answer(fetched: FakeFetch): FakeAnswer | Error {
    const { request } = fetched;
    const { sessionId: id, sessionEpoch: epoch } = request;
    const named = request.topics.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, fetchOffset }) => ({ topic, partition, offset: fetchOffset, told: -1n })),
    );
    let session: FakeSession | undefined;
    if (epoch > 0) {
      session = sessions.get(id);
      if (session === undefined) return { throttleMs: 0, errorCode: 70, sessionId: 0, partitions: [] };
      if (session.epoch !== epoch) return { throttleMs: 0, errorCode: 71, sessionId: 0, partitions: [] };
      session.epoch += 1;
      for (const entry of named) {
        const key = `${entry.topic}/${entry.partition}`;
        session.entries.set(key, { ...entry, told: session.entries.get(key)?.told ?? -1n });
      }
      for (const { topic, partitions } of request.forgottenTopicsData)
        for (const partition of partitions) session.entries.delete(`${topic}/${partition}`);
    } else {
      sessions.delete(id);
      if (epoch === 0 && options.sessions !== false) {
        nextSession += 1;
        session = { id: nextSession, epoch: 1, entries: new Map(named.map((e) => [`${e.topic}/${e.partition}`, e])) };
        sessions.set(session.id, session);
      }
    }
    let room = options.perAnswer ?? Number.POSITIVE_INFINITY;
    const rows: FakeRow[] = [];
    for (const entry of epoch > 0 ? [...(session?.entries.values() ?? [])] : named) {
      const row = readPartition(fetched, entry, room);
      if (row.records.length > 0) room -= 1;
      const isNews = row.records.length > 0 || row.errorCode !== 0 || row.preferredReadReplica >= 0;
      if (epoch <= 0 || isNews || row.highWatermark !== entry.told) rows.push(row);
      entry.told = row.errorCode === 0 ? row.highWatermark : -1n;
      if (epoch > 0 && row.records.length > 0 && session !== undefined && options.keepsOrder !== true) {
        session.entries.delete(`${row.topic}/${row.partition}`);
        session.entries.set(`${row.topic}/${row.partition}`, entry);
      }
    }
    return { throttleMs: 0, errorCode: 0, sessionId: session?.id ?? 0, partitions: rows };
  }

  async function take(
    node: number,
    sent: RequestOf<typeof fetch>,
    isAlone: boolean,
  ): Promise<ResponseOf<typeof fetch>> {
    const request = fetch.request(12).read(sourceOf(requestBytes(fetch, 12, sent)));
    const names = request.topics.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition }) => `${topic}/${partition}`),
    );
    const fetched: FakeFetch = { node, at: clock.now(), request, isAlone, names };
    fetches.push(fetched);
    await clock.sleep(1);
    const first = (await options.onFetch?.(fetched)) ?? answer(fetched);
    if (first instanceof Error) throw first;
    const isEmpty = first.partitions.every(({ records, errorCode }) => records.length === 0 && errorCode === 0);
    if (isEmpty && first.errorCode === 0 && request.maxWaitMs > 0) await clock.sleep(request.maxWaitMs);
    return responseOf(first);
  }

  function offsets(node: number, { topics: asked }: RequestOf<typeof listOffsets>) {
    return {
      topics: asked.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionIndex, timestamp }) => {
          const log = topics[name]?.partitions[partitionIndex];
          const known = new Map([
            [offsetTimes.earliest, log?.logStart],
            [offsetTimes.latest, log?.highWatermark],
            [offsetTimes.earliestLocal, log?.localStart],
          ] as [bigint, bigint | undefined][]);
          const offset = known.get(BigInt(timestamp)) ?? -1n;
          const errorCode = log === undefined ? 3 : log.leader === node ? 0 : 6;
          return { partitionIndex, errorCode, timestamp: -1n, offset, leaderEpoch: log?.epoch ?? -1 };
        }),
      })),
    };
  }

  function epochEnds({ topics: asked }: RequestOf<typeof offsetForLeaderEpoch>) {
    return {
      topics: asked.map(({ topic, partitions }) => ({
        topic,
        partitions: partitions.map(({ partition, leaderEpoch }) => {
          const { epochEnd, highWatermark = -1n } = topics[topic]?.partitions[partition] ?? {};
          return { partition, leaderEpoch, errorCode: 0, endOffset: epochEnd ?? highWatermark };
        }),
      })),
    };
  }

  async function once(api: Api<never, unknown>, request: unknown, node: number): Promise<unknown> {
    if (api.name === 'Fetch') return take(node, request as RequestOf<typeof fetch>, true);
    await clock.sleep(1);
    if (api.name === 'ListOffsets') {
      const isLocal = api.min >= 8;
      const hasLocal = Object.values(topics).some(({ partitions }) =>
        partitions.some((log) => log.localStart !== undefined),
      );
      if (isLocal && !hasLocal)
        throw Object.assign(unreachableError('old', { code: 'UNSUPPORTED_VERSION', retryable: false }));
      return offsets(node, request as RequestOf<typeof listOffsets>);
    }
    if (api.name === 'OffsetForLeaderEpoch') return epochEnds(request as RequestOf<typeof offsetForLeaderEpoch>);
    throw new Error(`the fake cluster does not know ${api.name}`);
  }

  const client = {
    options: { deadline } as Client['options'],
    retry: createRetry(deadline),
    async metadata(names: readonly string[] | 'all') {
      metadataRequests.push(names);
      await clock.sleep(1);
      const told = state.metadata?.(names) ?? metadataOf(names);
      if (told instanceof Error) throw told;
      return told;
    },
    async dedicated(node: number) {
      await clock.sleep(1);
      live += 1;
      let isOpen = true;
      return {
        ...{ nodeId: node, address: `broker-${node}`, version: () => 12 },
        send: (_: unknown, request: RequestOf<typeof fetch>) => take(node, request, false),
        destroy() {
          if (isOpen) live -= 1;
          isOpen = false;
        },
      };
    },
    requestOnce: (api: Api<never, unknown>, request: unknown, target: { node: number }) =>
      once(api, request, target.node),
    ask: (question: Question<unknown, unknown>, items: readonly unknown[], tries?: 'once') =>
      ask({ router: routerOf(topics, once), deadline, question, isOnce: tries === 'once', closed: never }, items),
    close: () => undefined,
  } as unknown as Client;

  return {
    ...{ client, clock, deadline, topics, fetches, metadataRequests, sessions, state, metadataOf },
    /** The complete log of a partition, as its leader would send it. */
    recordsOf(topic: string, partition: number): Buffer {
      const log = topics[topic]?.partitions[partition];
      return Buffer.concat((log?.batches ?? []).map(({ base, values }) => batchAt(base, values, log?.epoch)));
    },
    /** Connections that are open. */
    get open() {
      return live;
    },
  };
}

/** The answer as it is read: one entry for each row, in the same order. */
function responseOf({ throttleMs, partitions, ...rest }: FakeAnswer): ResponseOf<typeof fetch> {
  const none = { divergingEpoch: undefined, currentLeader: undefined, snapshotId: undefined };
  return {
    ...rest,
    throttleTimeMs: throttleMs,
    nodeEndpoints: undefined,
    responses: partitions.map(({ topic, partition, ...row }) => ({
      topic,
      topicId: noUuid,
      partitions: [{ partitionIndex: partition, abortedTransactions: [], ...none, ...row }],
    })),
  };
}

/** A cluster in virtual time. */
export type FakeCluster = ReturnType<typeof createFakeCluster>;

type Once = (api: Api<never, unknown>, request: unknown, node: number) => Promise<unknown>;

/** Finds the leaders of the topics as they are now. */
function routerOf(topics: Readonly<Record<string, FakeTopic>>, once: Once): Router {
  return {
    cache: {
      locate: async () => (target: Target) => placeOf(topics, target),
      forget: () => undefined,
      source: 'the fake cluster',
    },
    send: once,
  } as unknown as Router;
}

function placeOf(topics: Readonly<Record<string, FakeTopic>>, target: Target) {
  if (typeof target === 'object' && 'node' in target) return { node: target.node, leaderEpoch: -1 };
  if (!isPartition(target)) throw new Error('the fake cluster has leaders only');
  const log = topics[target.topic]?.partitions[target.partition];
  if (log === undefined) return { code: 3, text: undefined };
  return log.leader < 0 ? { code: 5, text: undefined } : { node: log.leader, leaderEpoch: log.epoch };
}
