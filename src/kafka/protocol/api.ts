import type { Reader, Writer } from './codec.ts';

/** What has a coordinator. */
export type CoordinatedName = { readonly group: string } | { readonly transactionalId: string };

/**
 * Who answers a kind of request: any broker, the controller, the leader of a partition, a coordinator, or one broker
 * about itself. A function names the coordinator from the request; for a leader, a broker, and a coordinator of what
 * the request does not name alone, the caller says whose.
 */
export type Role<Request> =
  | 'any'
  | 'controller'
  | 'leader'
  | 'coordinator'
  | 'broker'
  | ((request: Request) => CoordinatedName);

/** What every answer tells: how long the broker wants to be left alone (KIP-219). */
export interface Throttled {
  /** throttle_time_ms; 0 where the layout has no such field. */
  readonly throttleMs: number;
}

/** One request type of the Kafka protocol: its layout and the versions weir speaks. */
export interface Api<Request, Response> {
  /** The protocol's name for it, for example `CreateTopics`. */
  readonly name: string;
  /** The protocol's api key. */
  readonly key: number;
  /** Lowest and highest version that `encode` and `decode` know. */
  readonly min: number;
  readonly max: number;
  /** Who answers it. The client finds that broker, and finds it again when an error code says that it has moved. */
  readonly target: Role<Request>;
  /** The first version with compact lengths and tagged fields. */
  readonly flexibleFrom: number;
  encode(writer: Writer, request: Request, version: number): void;
  decode(reader: Reader, version: number): Response & Throttled;
  /** The timeout inside the request in milliseconds, where the request has one; it adds to the overhead. */
  timeoutMs?(request: Request): number;
  /** Whether sending it twice does no harm; only such requests are repeated after a lost answer. */
  readonly repeatable: boolean;
  /**
   * Whether the broker holds the request until others have acted. It answers a connection in order, so such requests
   * have one of their own: what is sent behind them would wait, too.
   */
  readonly held?: boolean;
  /** Whether the broker answers at all (Produce with acks 0 is never answered); true when absent. */
  expectsAnswer?(request: Request): boolean;
  /** The error code of the whole answer (0: none), where it has one; those of its items are read where they are asked for. */
  errorCode?(response: Response): number;
}
