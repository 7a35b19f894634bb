import { copyTopics } from '../../../../src/kafka/carry/copy/copy.ts';
import type { CopiedTopic, TranslatedOffset } from '../../../../src/kafka/carry/copy/copy-rows.ts';
import type { Copying, CopyRequest } from '../../../../src/kafka/carry/copy/request.ts';
import { createPartitions } from '../../../../src/kafka/protocol/wire/apis/create-partitions.ts';
import { produce } from '../../../../src/kafka/protocol/wire/apis/produce.ts';
import { type BatchOptions, batchOf } from '../../../sandbox/broker/batches.ts';
import { rawClient } from '../../../sandbox/broker/client.ts';
import type { Control } from '../../../sandbox/broker/control.ts';
import type { TestLimits } from '../../../services/scripted-client.ts';
import { createWorld, type World } from '../../../simulation/world.ts';

/** A simulated cluster of three brokers with a topic `from` and a topic `to`, in virtual time. */
export interface CopyWorld {
  readonly world: World;
  readonly control: Control;
  readonly warnings: readonly string[];
  readonly notices: readonly string[];
  /** Writes one batch of values to a topic, or one that is finished. */
  write(
    topic: string,
    partition: number,
    values: BatchOptions['values'] | Buffer,
    timestamps?: readonly bigint[],
  ): Promise<void>;
  /** Gives a topic more partitions. */
  grow(topic: string, count: number): Promise<void>;
  /** Starts a copy of `from` to `to`; `ended` settles with its row or its error. */
  start(more?: Partial<CopyRequest>, limits?: TestLimits): RunningCopy;
  /** Copies to the end. */
  copy(more?: Partial<CopyRequest>, limits?: TestLimits): Promise<CopiedTopic>;
  /** The values of the committed records in a partition. */
  values(topic: string, partition?: number): readonly string[];
}

/** A copy that is under way. */
export interface RunningCopy {
  readonly ended: Promise<CopiedTopic>;
  /** The rows of all its topics, once it has ended. */
  readonly rows: readonly CopiedTopic[];
  /** The offsets of its groups, once it has ended. */
  readonly offsets: readonly TranslatedOffset[];
  /** The number of records that it has reported last. */
  readonly copied: number;
  /** The number of records that it has read, but not written yet. */
  readonly pending: number;
  /** The hint of a copy that ended now. */
  readonly again: string | undefined;
  stop(): void;
  /** Ends it like `kill -9`. */
  kill(): void;
}

const limitMs = 600_000;

/** Opens a world; both topics have so many partitions. */
export function openCopyWorld(partitions = 1): CopyWorld {
  const world = createWorld({
    seed: 1,
    brokerCount: 3,
    latencyMs: 2,
    settings: { replicas: 3, minInsyncReplicas: 2, autoCreateTopics: false },
  });
  const { clock, cluster } = world;
  const { control } = cluster;
  for (const name of ['from', 'to']) control.createTopic({ name, partitions });
  const warnings: string[] = [];
  const notices: string[] = [];
  let started = 0;
  const start: CopyWorld['start'] = (more, limits = { retry: 20_000 }) => {
    started += 1;
    const simulated = world.openClient(`copy-${started}`, limits);
    const { client } = simulated;
    let copying: Copying | undefined;
    let [rows, offsets]: [readonly CopiedTopic[], readonly TranslatedOffset[]] = [[], []];
    let copied = 0;
    const work = async (): Promise<CopiedTopic> => {
      try {
        copying = await copyTopics(client, {
          target: { client, profile: undefined },
          profile: undefined,
          hasStart: false,
          topics: [{ source: 'from', target: 'to' }],
          partitions: [],
          range: { start: { at: 'start' }, end: { at: 'end' } },
          restarts: false,
          appends: false,
          group: undefined,
          isExactlyOnce: false,
          isByKey: false,
          filter: undefined,
          schemas: undefined,
          creates: false,
          isDry: false,
          groups: [],
          fetchMaxWaitMs: 500,
          warn: (line) => void warnings.push(line),
          notice: (line) => void notices.push(line),
          ...more,
        });
        rows = await copying.run((records) => {
          copied = records;
        });
        const [row] = rows;
        if (row === undefined) throw new Error('a copy has a row for each topic');
        offsets = await copying.translateOffsets(false);
        return row;
      } finally {
        simulated.close();
      }
    };
    const ended = work();
    ended.catch(() => undefined);
    return {
      ended,
      get rows() {
        return rows;
      },
      get offsets() {
        return offsets;
      },
      get copied() {
        return copied;
      },
      get pending() {
        return copying?.pending ?? 0;
      },
      get again() {
        return copying?.again;
      },
      stop: () => copying?.stop(),
      kill: () => simulated.close(),
    };
  };
  return {
    world,
    control,
    warnings,
    notices,
    start,
    copy: (more, limits) => clock.runUntil(start(more, limits).ended, limitMs),
    async write(topic, partition, values, timestamps = []) {
      const raw = rawClient(cluster, control.partition(topic, partition).leader);
      const records = Buffer.isBuffer(values) ? values : batchOf({ values, timestamps });
      const topicData = [{ name: topic, partitionData: [{ index: partition, records }] }];
      const asked = raw.ask(produce, { transactionalId: undefined, acks: -1, timeoutMs: 5_000, topicData }, 9);
      const answer = await clock.runUntil(asked, limitMs);
      const code = answer.responses[0]?.partitionResponses[0]?.errorCode;
      if (code !== 0) throw new Error(`the batch was refused with ${code}`);
      raw.close();
    },
    async grow(name, count) {
      const raw = rawClient(cluster, control.controller);
      const topics = [{ name, count, assignments: undefined }];
      const { results } = await clock.runUntil(
        raw.ask(createPartitions, { topics, timeoutMs: 1_000, validateOnly: false }),
        limitMs,
      );
      if (results[0]?.errorCode !== 0) throw new Error(`the partitions were refused with ${results[0]?.errorCode}`);
      raw.close();
    },
    values: (topic, partition = 0) =>
      control
        .log(topic, partition)
        .flatMap(({ value, isControl, isAborted }) => (isControl || isAborted ? [] : [String(value)])),
  };
}
