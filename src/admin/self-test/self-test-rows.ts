import {
  filled,
  leftOut,
  listOf,
  maybe,
  measure,
  type RowOf,
  row,
  type Shape,
  string,
  truth,
  whole,
} from '../../shape/shape.ts';

/** One test of a self-test, in the form of the request. Sizes are in bytes; what a type does not have is left out. */
export const selfTest = row({
  type: string as Shape<'disk' | 'network' | 'cloud'>,
  name: string,
  dsync: leftOut(truth),
  skip_write: leftOut(truth),
  skip_read: leftOut(truth),
  data_size: leftOut(whole),
  request_size: leftOut(whole),
  duration_ms: leftOut(whole),
  parallelism: leftOut(whole),
  timeout_ms: leftOut(whole),
  backoff_ms: leftOut(whole),
});

/** One test of a self-test. */
export type SelfTest = RowOf<typeof selfTest>;

/** What one test measured on one broker. A number or text that the server does not give is null. */
export const selfTestResult = row({
  test_id: string,
  name: string,
  info: maybe(filled),
  /** `disk`, `network` or `cloud`; newer servers may have others. */
  test_type: string,
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
  status: string,
  /** `idle`, `disk`, `net` or `cloud`; null if older versions do not say. */
  stage: maybe(string),
  /** Those of the last self-test; none while one is running. */
  results: listOf(selfTestResult),
});

/** The self-test on one broker. */
export type SelfTestNode = RowOf<typeof selfTestNode>;
