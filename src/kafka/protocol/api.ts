import type { Reader, Writer } from './codec.ts';

/** A name that has a coordinator. */
export type CoordinatedName = { readonly group: string } | { readonly transactionalId: string };

/**
 * Which broker answers a request: any broker, the controller, the leader of a partition, a coordinator, or one broker
 * about itself. A function gets the coordinator's name from the request; otherwise the caller names the leader's
 * partition, the broker, or what the coordinator is for.
 */
export type Role<Request> =
  | 'any'
  | 'controller'
  | 'leader'
  | 'coordinator'
  | 'broker'
  | ((request: Request) => CoordinatedName);

/** The part of every answer that says how long the client should pause (KIP-219). */
export interface Throttled {
  /** throttle_time_ms; 0 if the layout has no such field. */
  readonly throttleMs: number;
}

/** One request type of the Kafka protocol: its layout and the versions weir speaks. */
export interface Api<Request, Response> {
  /** The protocol's name of the API, for example `CreateTopics`. */
  readonly name: string;
  /** The protocol's api key. */
  readonly key: number;
  /** The lowest and highest version that `encode` and `decode` support. */
  readonly min: number;
  readonly max: number;
  /** Which broker answers it. The client looks that broker up, and again when an error code says that it has moved. */
  readonly target: Role<Request>;
  /** The first version with compact lengths and tagged fields. */
  readonly flexibleFrom: number;
  encode(writer: Writer, request: Request, version: number): void;
  decode(reader: Reader, version: number): Response & Throttled;
  /** The timeout inside the request in milliseconds, if it has one; it is added to the overhead. */
  timeoutMs?(request: Request): number;
  /** Whether sending it twice is harmless; only such requests are repeated after a lost answer. */
  readonly repeatable: boolean;
  /** Whether it changes the cluster: what was done for some of its items is reported even if the command is stopped. */
  readonly changes?: boolean;
  /**
   * Whether the broker holds the request until others have acted. A broker answers the requests of a connection in
   * order, so such requests use a connection of their own; later requests on the same one would have to wait.
   */
  readonly held?: boolean;
  /** Whether the broker sends an answer; true if absent. It sends none to Produce with acks 0. */
  expectsAnswer?(request: Request): boolean;
  /** The error code of the whole answer (0: none), if it has one; codes of single items are read by the caller. */
  errorCode?(response: Response): number;
  /** The broker's text for the error code of the whole answer, if the layout has one. */
  errorMessage?(response: Response): string | undefined;
}
