import type { KafkaOptions } from '../kafka.ts';
import type { Api } from '../protocol/api.ts';
import type { Outcome, Question } from './question.ts';
import type { Target } from './targets.ts';

/** One connection to one broker, past TLS, SASL and ApiVersions. */
export interface BrokerConnection {
  /** Undefined for a seed broker whose id is not known yet. */
  readonly nodeId: number | undefined;
  /** `host:port` as shown to people. */
  readonly address: string;
  /** The version to speak for `api`: the highest both sides know. Throws when there is none. */
  version(api: Api<never, unknown>): number;
  /** One request, one try: waits exactly as the rules say, rejects with the limit's name. */
  send<Request, Response>(api: Api<Request, Response>, request: Request): Promise<Response>;
  /** Closes at once, rejecting what is in flight. */
  destroy(): void;
}

/** How a connection of one's own is used. */
export interface DedicatedUse {
  /** Gives memory of exactly so many bytes for an answer; of its own when left out. */
  readonly allocate?: (length: number) => Buffer;
}

/** A partition as metadata tells it. */
export interface PartitionMetadata {
  readonly partition: number;
  readonly errorCode: number;
  /** -1 when there is none. */
  readonly leader: number;
  /** -1 when the broker does not say. */
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
  readonly offlineReplicas: readonly number[];
}

/** A topic as metadata tells it. */
export interface TopicMetadata {
  readonly name: string;
  /** The id of this creation of the topic (KIP-516); `noUuid` or left out where the broker does not say. */
  readonly id?: string;
  readonly errorCode: number;
  readonly internal: boolean;
  readonly partitions: readonly PartitionMetadata[];
}

/** A broker as it announces itself. */
export interface BrokerMetadata {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | undefined;
}

/** A cluster as one Metadata response tells it. */
export interface ClusterMetadata {
  readonly clusterId: string | undefined;
  /** -1 when unknown. */
  readonly controllerId: number;
  readonly brokers: readonly BrokerMetadata[];
  readonly topics: readonly TopicMetadata[];
}

/**
 * The broker client: routing, the retry rule and the limits. Functions of `kafka/*.ts` stand on it;
 * `createClient` of `create-client.ts` makes it.
 */
export interface Client {
  readonly options: KafkaOptions;
  /**
   * Sends to whom the API declares, retrying by the rule what may be repeated.
   * @param target whom the caller names, where the API leaves that to it: a leader, a broker
   */
  request<Request, Response>(api: Api<Request, Response>, request: Request, target?: Target): Promise<Response>;
  /** The same, but one try: for callers that look for another target before they try again, inside `retry`. */
  requestOnce<Request, Response>(api: Api<Request, Response>, request: Request, target: Target): Promise<Response>;
  /**
   * Asks about many items at once: groups them by the broker that answers, sends, and asks again, by the retry rule,
   * about those whose broker has moved or is gone. One outcome for each item, in their order.
   * @param tries `once` leaves asking again to the caller, who has a rule of its own; brokers that have moved are
   * looked for anew then
   * @throws the reason of the deadline's signal; every other failure is an outcome
   */
  ask<Item, Row>(
    question: Question<Item, Row>,
    items: readonly Item[],
    tries?: 'once',
  ): Promise<readonly Outcome<Item, Row>[]>;
  /** Fresh metadata of the named topics, of all (`'all'`), or of none (`[]`: brokers only). Never creates topics. */
  metadata(topics: readonly string[] | 'all'): Promise<ClusterMetadata>;
  /**
   * A connection of its own to a broker, or to a coordinator, one try: the caller repeats, with fresh metadata,
   * and destroys it.
   */
  dedicated(target: number | Exclude<Target, 'any'>, how?: DedicatedUse): Promise<BrokerConnection>;
  /** Runs `attempt` under the retry rule; `attempt` throws what `isRetriable` of errors.ts judges. */
  retry<T>(what: string, attempt: () => Promise<T>): Promise<T>;
  /** Closes every connection at once. */
  close(): void;
}
