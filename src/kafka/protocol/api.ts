import type { Reader, Writer } from './codec.ts';

/** One request type of the Kafka protocol: its layout and the versions weir speaks. */
export interface Api<Request, Response> {
  /** The protocol's name for it, for example `CreateTopics`. */
  readonly name: string;
  /** The protocol's api key. */
  readonly key: number;
  /** Lowest and highest version that `encode` and `decode` know. */
  readonly min: number;
  readonly max: number;
  /** The first version with compact lengths and tagged fields. */
  readonly flexibleFrom: number;
  encode(writer: Writer, request: Request, version: number): void;
  decode(reader: Reader, version: number): Response;
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
  /** How long the broker wants to be left alone (KIP-219), where the answer does not begin with that. */
  throttleMs?(response: Response): number;
  /** An error code of the whole response (0: none), so that the retry rule sees it. */
  errorCode?(response: Response): number;
}
