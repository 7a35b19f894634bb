import type { WaitOptions } from '../../net/poll.ts';
import { filled, many, maybe, measure, type RowOf, row, text, whole } from '../../shape.ts';

/** One test of a self-test, in the form of the request. Sizes are in bytes. */
export type SelfTest =
  | {
      readonly type: 'disk';
      readonly name: string;
      readonly dsync: boolean;
      readonly skip_write: boolean;
      readonly skip_read: boolean;
      readonly data_size: number;
      readonly request_size: number;
      readonly duration_ms: number;
      readonly parallelism: number;
    }
  | {
      readonly type: 'network';
      readonly name: string;
      readonly request_size: number;
      readonly duration_ms: number;
      readonly parallelism: number;
    }
  | { readonly type: 'cloud'; readonly name: string; readonly timeout_ms: number; readonly backoff_ms: number };

/** What one test measured on one broker. A number or text that the server does not give is null. */
export const selfTestResult = row({
  test_id: text,
  name: text,
  info: maybe(filled),
  /** `disk`, `network` or `cloud`; newer servers may have others. */
  test_type: text,
  /** In seconds since the epoch. */
  start_time: maybe(measure),
  end_time: maybe(measure),
  /** In milliseconds. */
  duration: maybe(measure),
  timeouts: maybe(measure),
  /** The latency at a percentile, in microseconds. */
  p50: maybe(measure),
  p90: maybe(measure),
  p99: maybe(measure),
  p999: maybe(measure),
  max_latency: maybe(measure),
  /** Requests per second. */
  rps: maybe(measure),
  /** Bytes per second. */
  bps: maybe(measure),
  warning: maybe(filled),
  error: maybe(filled),
});

/** What one test measured on one broker. */
export type SelfTestResult = RowOf<typeof selfTestResult>;

/** The self-test on one broker. */
export const selfTestNode = row({
  node_id: whole,
  /** `idle`, `running` or `unreachable`. */
  status: text,
  /** `idle`, `disk`, `net` or `cloud`; null if older versions do not say. */
  stage: maybe(text),
  /** Those of the last self-test; none while one is running. */
  results: many(selfTestResult),
});

/** The self-test on one broker. */
export type SelfTestNode = RowOf<typeof selfTestNode>;

/** The calls about self-tests. */
export interface SelfTestCalls {
  /**
   * Starts a self-test on brokers where none is running.
   * @returns its id; null if the answer with the id was lost, but the self-test is running
   */
  startSelfTest(tests: readonly SelfTest[], nodes: readonly number[]): Promise<string | null>;
  /** Stops the self-test on every broker. @throws ApiError (503, exit 5) if a broker did not stop */
  stopSelfTest(): Promise<void>;
  /** The self-test on each broker, sorted by id. */
  selfTest(): Promise<readonly SelfTestNode[]>;
  /**
   * Polls until no broker is running a self-test.
   * @param id the self-test to wait for; undefined or null for any
   * @throws CliError (exit 6) if another self-test has taken its place, (exit 5) on a timeout
   */
  waitForSelfTest(
    id: string | null | undefined,
    options: WaitOptions<readonly SelfTestNode[]>,
  ): Promise<readonly SelfTestNode[]>;
}
