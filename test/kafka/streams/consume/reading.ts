import { type Fetcher, type FetchOptions, openFetcher } from '../../../../src/kafka/streams/consume/fetcher.ts';
import { consume } from '../../../../src/kafka/streams/consume/open.ts';
import { createPosition, type PartitionPosition } from '../../../../src/kafka/streams/consume/position.ts';
import type { ConsumeRequest } from '../../../../src/kafka/streams/consume/request.ts';
import { requestOf } from './consuming.ts';
import type { FakeCluster } from './fake-cluster.ts';

/** A fetcher of a fake cluster, with a command's defaults. */
export function fetcherOf({ client }: FakeCluster, more: Partial<FetchOptions> = {}): Fetcher {
  return openFetcher(client, {
    ...{ maxWaitMs: 500, maxBytes: 1 << 20, maxPartitionBytes: 1 << 20, readCommitted: false, rack: '' },
    ...{ endless: true, outlivesTopics: false, warn: () => undefined, allocate: Buffer.alloc },
    reset: async (positions) => ({ open: positions, ended: [], failed: [] }),
    ...more,
  });
}

/** Positions at the start of all partitions of a topic. */
export function positionsOf({ topics }: FakeCluster, topic: string): PartitionPosition[] {
  const partitions = topics[topic]?.partitions ?? [];
  return partitions.map((_, partition) => createPosition({ topic, partition, offset: 0n, end: undefined }));
}

/** A read that continues until it is stopped. */
export interface Reading {
  /** What was printed so far. */
  readonly text: string;
  readonly warnings: readonly string[];
  /** The error that ended it; undefined while it runs, or if it succeeded. */
  readonly error: unknown;
  readonly isOver: boolean;
  readonly over: Promise<void>;
  stop(): void;
}

/** Starts to read the topic `foo`, or what the request names. */
export function startReading(cluster: FakeCluster, range: string, more: Partial<ConsumeRequest> = {}): Reading {
  const state = { text: '', warnings: [] as string[], error: undefined as unknown, isOver: false };
  let stop = (): void => undefined;
  const run = async (): Promise<void> => {
    try {
      const warn = (line: string): void => void state.warnings.push(line);
      const consumption = await consume(cluster.client, requestOf(range, { warn, ...more }));
      stop = consumption.stop;
      await consumption.pump({
        write(chunk) {
          state.text += Buffer.from(chunk).toString();
          return undefined;
        },
      });
    } catch (error) {
      state.error = error;
    }
    state.isOver = true;
  };
  const over = run();
  return {
    over,
    get text() {
      return state.text.trim();
    },
    get warnings() {
      return state.warnings;
    },
    get error() {
      return state.error;
    },
    get isOver() {
      return state.isOver;
    },
    stop: () => stop(),
  };
}
