import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { realClock } from '../../src/clock.ts';
import { createTopics } from '../../src/kafka/protocol/wire/apis/create-topics.ts';
import { describeProducers } from '../../src/kafka/protocol/wire/apis/describe-producers.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { incrementalAlterConfigs } from '../../src/kafka/protocol/wire/apis/incremental-alter-configs.ts';
import { listOffsets } from '../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { metadata } from '../../src/kafka/protocol/wire/apis/metadata.ts';
import { produce } from '../../src/kafka/protocol/wire/apis/produce.ts';
import { type RawClient, rawClient, rawClientOver } from '../sandbox/broker/client.ts';
import { createModelCluster } from '../sandbox/broker/control.ts';

/** A broker under comparison, either the model or real Kafka. */
export interface Side {
  readonly ask: RawClient['ask'];
  /** Opens another connection to the same broker. */
  connect(): Promise<RawClient>;
  /** Creates a unique topic, by default with one partition, and waits until it has leaders. */
  topic(configs?: Readonly<Record<string, string>>, partitions?: number): Promise<string>;
  /** Compacts partition 0 below an offset, where the active segment of a real broker begins, and waits for the result. */
  compact(topic: string, belowOffset: number): Promise<void>;
  /** Replaces an id by its position among the ids seen on this side, so that both sides can be compared. */
  alias(kind: string, id: number | string): string;
  close(): void;
}

/** Connects to a real broker and adds the length to each frame. */
export async function connectReal(address: string): Promise<RawClient> {
  const [host = '', port = ''] = address.split(':');
  const socket = connect({ host, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return rawClientOver((peer) => {
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
        const end = 4 + rest.readInt32BE(0);
        peer.send(rest.subarray(4, end));
        rest = rest.subarray(end);
      }
    });
    socket.on('close', () => peer.close());
    socket.on('error', () => undefined);
    return {
      send(frame) {
        const length = Buffer.alloc(4);
        length.writeInt32BE(frame.length);
        socket.write(Buffer.concat([length, frame]));
      },
      close: () => void socket.destroy(),
    };
  });
}

type Compact = (client: RawClient, topic: string, belowOffset: number) => Promise<void>;

/** Files share workers and the real broker, but each counts its topics anew. */
const run = Math.random().toString(36).slice(2, 8).padEnd(6, '0');

/** How long the cleaner of a real broker pauses when there is nothing to clean, in milliseconds. */
const cleanerPauseMs = '100';

/** Waits until a real broker has compacted a topic on its own. */
async function awaitCompaction({ ask }: RawClient, topic: string): Promise<void> {
  const before = (await fetchFrom({ ask }, topic, 0)).length;
  const setPause = (configOperation: number, value: string): Promise<unknown> => {
    const configs = [{ name: 'log.cleaner.backoff.ms', configOperation, value }];
    const resources = [{ resourceType: 4, resourceName: '', configs }];
    return ask(incrementalAlterConfigs, { resources, validateOnly: false });
  };
  await setPause(0, cleanerPauseMs);
  await until(`${topic} is compacted`, async () => (await fetchFrom({ ask }, topic, 0)).length < before);
  await setPause(1, '');
}

/** Reads partition 0 from an offset; an error code counts as no records. */
export async function fetchFrom({ ask }: Pick<Side, 'ask'>, topic: string, fetchOffset: number): Promise<Buffer> {
  const partition = { partition: 0, fetchOffset, partitionMaxBytes: 1 << 20 };
  const answer = await ask(
    fetch,
    {
      ...{ maxWaitMs: 0, minBytes: 0, maxBytes: 1 << 20, isolationLevel: 0, sessionId: 0, sessionEpoch: -1 },
      forgottenTopicsData: [],
      topics: [
        {
          ...{ topic, topicId: '' },
          partitions: [{ ...partition, currentLeaderEpoch: -1, lastFetchedEpoch: -1, logStartOffset: -1 }],
        },
      ],
    },
    11,
  );
  return answer.responses[0]?.partitions[0]?.records ?? Buffer.alloc(0);
}

let topics = 0;

async function sideOf(open: () => Promise<RawClient>, compact: Compact = awaitCompaction): Promise<Side> {
  const client = await open();
  const clients = [client];
  const seen = new Map<string, Map<number | string, string>>();
  return {
    ask: client.ask,
    async connect() {
      const another = await open();
      clients.push(another);
      return another;
    },
    async topic(configs = {}, partitions = 1) {
      topics += 1;
      const name = `against-${run}-${topics}`;
      // Kafka deletes records with old timestamps at any time.
      await createTopicOn(client, { name, partitions, configs: { 'retention.ms': '-1', ...configs } });
      return name;
    },
    compact: (topic, belowOffset) => compact(client, topic, belowOffset),
    alias(kind, id) {
      const known = seen.get(kind) ?? new Map<number | string, string>();
      seen.set(kind, known);
      const alias = known.get(id) ?? `${kind}${known.size + 1}`;
      known.set(id, alias);
      return alias;
    },
    close() {
      for (const one of clients) one.close();
    },
  };
}

/** Creates a topic and waits until it has leaders that know about it. */
export async function createTopicOn(
  client: Pick<RawClient, 'ask'>,
  topic: { name: string; partitions: number; configs: Readonly<Record<string, string>> },
): Promise<void> {
  const configs = Object.entries(topic.configs).map(([name, value]) => ({ name, value }));
  const { name, partitions: numPartitions } = topic;
  const wanted = { name, numPartitions, replicationFactor: 1, assignments: [], configs };
  await client.ask(createTopics, { topics: [wanted], timeoutMs: 10_000, validateOnly: false });
  await until(`${name} has leaders`, async () => {
    const { topics: found } = await client.ask(metadata, { topics: [{ name }], allowAutoTopicCreation: false });
    const [one] = found;
    return one?.partitions.length === numPartitions && one.partitions.every(({ leaderId }) => leaderId >= 0);
  });
  // Metadata may name a leader that does not know about its leadership yet.
  const partitions = Array.from({ length: numPartitions }, (_partition, partitionIndex) => ({
    partitionIndex,
    timestamp: -1n,
  }));
  await until(`the leaders of ${name} know that they are`, async () => {
    const answer = await client.ask(listOffsets, { replicaId: -1, topics: [{ name, partitions }] });
    return answer.topics[0]?.partitions.every(({ errorCode }) => errorCode === 0) === true;
  });
}

/** How long a broker may take for what it does with a delay, in milliseconds: a cleaner starts every 15 s. */
const mostMs = 60_000;

/** Polls until a condition holds, because a real broker does some things with a delay. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = realClock.now() + mostMs;
  while (!(await holds())) {
    if (realClock.now() > end) throw new Error(`waited ${mostMs / 1000}s in vain until ${what}`);
    await realClock.sleep(10);
  }
}

/** Waits until no transaction is open in partition 0. */
export async function untilStable(side: Side, topic: string, producerId?: bigint): Promise<void> {
  await until(`no transaction is open in ${topic}`, async () => {
    const { topics: found } = await side.ask(describeProducers, { topics: [{ name: topic, partitionIndexes: [0] }] });
    const producers = found[0]?.partitions[0]?.activeProducers ?? [];
    const asked = producers.filter((one) => producerId === undefined || one.producerId === producerId);
    return asked.every(({ currentTxnStartOffset }) => currentTxnStartOffset === -1n);
  });
}

/** Sends records to partition 0 and returns the result. */
export async function append(
  { ask }: Pick<Side, 'ask'>,
  topic: string,
  records: Buffer,
  {
    version = 11,
    transactionalId,
    acks = -1,
    partition = 0,
    topicId,
  }: { version?: number; transactionalId?: string; acks?: number; partition?: number; topicId?: string } = {},
) {
  const named = topicId === undefined ? { name: topic } : { name: '', topicId };
  const topicData = [{ ...named, partitionData: [{ index: partition, records }] }];
  const answer = await ask(produce, { transactionalId, acks, timeoutMs: 10_000, topicData }, version);
  const [found] = answer.responses[0]?.partitionResponses ?? [];
  if (found === undefined) throw new Error('the response has no answer for the partition');
  const { errorCode, baseOffset, logAppendTimeMs, logStartOffset, recordErrors } = found;
  const rejected = recordErrors.map(({ batchIndex }) => batchIndex);
  return { errorCode, baseOffset, logAppendTimeMs, logStartOffset, rejected };
}

/** Runs a script on the model and on the real broker and returns the answers of both. */
export async function onBoth<T>(
  address: string,
  script: (side: Side) => Promise<T>,
): Promise<{ readonly model: T; readonly kafka: T }> {
  const cluster = createModelCluster({
    clock: realClock,
    brokers: [{ id: 1, host: '127.0.0.1', port: 9092 }],
    settings: { coordinatorPartitions: 1, metadataDelayMs: 0, replicationDelayMs: 0 },
  });
  const compact: Compact = async (_client, topic, belowOffset) => cluster.control.compact(topic, 0, belowOffset);
  const sides = [
    await sideOf(async () => rawClient(cluster, 1), compact),
    await sideOf(() => connectReal(address)),
  ] as const;
  try {
    const [model, kafka] = [await script(sides[0]), await script(sides[1])];
    if (cluster.control.defects.length > 0) throw cluster.control.defects[0];
    return { model, kafka };
  } finally {
    for (const side of sides) side.close();
  }
}

/** Expects the same answers from both, compared one by one so that a difference names its step. */
export async function expectEqual<T>(address: string, script: (side: Side) => Promise<readonly T[]>): Promise<void> {
  const { model, kafka } = await onBoth(address, script);
  model.forEach((answer, step) => {
    expect({ step, answer }).toEqual({ step, answer: kafka[step] });
  });
  expect(model.length).toBe(kafka.length);
}
