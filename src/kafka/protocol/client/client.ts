import type { KafkaOptions } from '../options.ts';
import type { BrokerConnection } from '../transport/connection.ts';
import type { Api } from '../wire/api.ts';
import type { Outcome, Question } from './question.ts';
import type { Target } from './targets.ts';

/** Options of a dedicated connection. */
export interface DedicatedUse {
  /** Provides a buffer of exactly `length` bytes for an answer; by default each answer gets a new one. */
  readonly allocate?: (length: number) => Buffer;
}

/** A partition as described by metadata. */
export interface PartitionMetadata {
  readonly partition: number;
  readonly errorCode: number;
  /** -1 when the partition has no leader. */
  readonly leader: number;
  /** -1 when the broker does not report it. */
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
  readonly offlineReplicas: readonly number[];
}

/** A topic as described by metadata. */
export interface TopicMetadata {
  readonly name: string;
  /** The topic id, unique to this creation of the topic (KIP-516); `noUuid` or absent if the broker reports none. */
  readonly id?: string;
  readonly errorCode: number;
  readonly internal: boolean;
  readonly partitions: readonly PartitionMetadata[];
}

/** A broker with the listener that it advertises. */
export interface BrokerMetadata {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | undefined;
}

/** A cluster as described by one Metadata response. */
export interface ClusterMetadata {
  readonly clusterId: string | undefined;
  /** -1 when unknown. */
  readonly controllerId: number;
  readonly brokers: readonly BrokerMetadata[];
  readonly topics: readonly TopicMetadata[];
}

/**
 * The broker client: routing, the retry rule and the limits. The functions behind the commands use it;
 * `openClient` in `open-client.ts` makes it.
 */
export interface Client {
  readonly options: KafkaOptions;
  /**
   * Sends a request to the broker that the API declares; the retry rule applies to requests that may be repeated.
   * @param target the broker, for APIs that leave the choice to the caller (a leader or a given broker)
   */
  request<Request, Response>(api: Api<Request, Response>, request: Request, target?: Target): Promise<Response>;
  /** Sends a request once, for callers that find the target again before each attempt, inside `retry`. */
  requestOnce<Request, Response>(api: Api<Request, Response>, request: Request, target: Target): Promise<Response>;
  /**
   * Asks about many items at once: groups them by broker, sends one request to each, and applies the retry rule to
   * items whose broker has moved or is gone. Returns one outcome per item, in the order of the items.
   * @param tries `once` for callers with a retry rule of their own; the next call then looks up brokers that have moved
   * @throws the reason of the deadline's signal, or CLOSED if the client is closed during a pause; every other failure
   * is an outcome. If the API changes the cluster and a broker has answered for some items, the reason is the outcome
   * of the other ones
   */
  ask<Item, Row>(
    question: Question<Item, Row>,
    items: readonly Item[],
    tries?: 'once',
  ): Promise<readonly Outcome<Item, Row>[]>;
  /**
   * Reads metadata of the named topics, of all topics (`'all'`) or of none (`[]`: brokers only). Creates no topics. A named
   * topic that the answer leaves out is unknown.
   * @param tries `once` for callers with a retry rule of their own
   */
  metadata(topics: readonly string[] | 'all', tries?: 'once'): Promise<ClusterMetadata>;
  /**
   * Whether the cluster is Redpanda, by its id in the last Metadata response (a request is sent if there was none);
   * undefined if it has no id.
   */
  isRedpanda(): Promise<boolean | undefined>;
  /**
   * Opens a dedicated connection to a broker or a coordinator, without retries. The caller retries with fresh metadata
   * and destroys the connection.
   */
  dedicated(target: number | Exclude<Target, 'any'>, how?: DedicatedUse): Promise<BrokerConnection>;
  /** Runs `attempt` under the retry rule; `isRetriable` in errors.ts decides which of its errors are retried. */
  retry<T>(what: string, attempt: () => Promise<T>): Promise<T>;
  /** Closes every connection and ends every pause before a retry, at once. */
  close(): void;
}
