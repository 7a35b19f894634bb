import type { WaitOptions } from '../admin.ts';

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
export interface SelfTestResult {
  readonly test_id: string;
  readonly name: string;
  readonly info: string | null;
  /** `disk`, `network` or `cloud`; newer servers may have others. */
  readonly test_type: string;
  /** In seconds since the epoch. */
  readonly start_time: number | null;
  readonly end_time: number | null;
  /** In milliseconds. */
  readonly duration: number | null;
  readonly timeouts: number | null;
  /** The latency at a percentile, in microseconds. */
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
  readonly max_latency: number | null;
  /** Requests per second. */
  readonly rps: number | null;
  /** Bytes per second. */
  readonly bps: number | null;
  readonly warning: string | null;
  readonly error: string | null;
}

/** The self-test on one broker. */
export interface SelfTestNode {
  readonly node_id: number;
  /** `idle`, `running` or `unreachable`. */
  readonly status: string;
  /** `idle`, `disk`, `net` or `cloud`; null if older versions do not say. */
  readonly stage: string | null;
  /** Those of the last self-test; none while one is running. */
  readonly results: readonly SelfTestResult[];
}

/** The calls about self-tests. */
export interface SelfTestCalls {
  /**
   * Starts a self-test on brokers where none is running.
   * @returns its id; null if the answer with the id was lost, but the self-test is running
   */
  startSelfTest(tests: readonly SelfTest[], nodes: readonly number[]): Promise<string | null>;
  /** Stops the self-test on every broker. @throws AdminError (503, exit 5) if a broker did not stop */
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
