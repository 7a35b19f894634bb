import {
  described,
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
} from '../shape/shape.ts';

/** One test of a self-test, in the form of the request. Sizes are in bytes; what a type does not have is left out. */
export const SelfTest = row({
  type: string as Shape<'disk' | 'network' | 'cloud'>,
  name: string,
  dsync: leftOut(truth),
  skip_write: leftOut(truth),
  skip_read: leftOut(truth),
  data_size: leftOut(described(whole, 'in bytes')),
  request_size: leftOut(described(whole, 'in bytes')),
  duration_ms: leftOut(whole),
  parallelism: leftOut(whole),
  timeout_ms: leftOut(whole),
  backoff_ms: leftOut(whole),
});
export type SelfTest = RowOf<typeof SelfTest>;

const latency = maybe(described(measure, 'latency in microseconds'));

/** What one test measured on one broker. A number or text that the server does not give is null. */
export const SelfTestResult = row({
  test_id: string,
  name: string,
  info: maybe(filled),
  /** `disk`, `network` or `cloud`; newer servers may have others. */
  test_type: string,
  start_time: maybe(described(measure, 'seconds since the epoch')),
  end_time: maybe(described(measure, 'seconds since the epoch')),
  duration: maybe(described(measure, 'in milliseconds')),
  timeouts: maybe(measure),
  p50: latency,
  p90: latency,
  p99: latency,
  p999: latency,
  max_latency: latency,
  rps: maybe(described(measure, 'requests per second')),
  bps: maybe(described(measure, 'bytes per second')),
  warning: maybe(filled),
  error: maybe(filled),
});
export type SelfTestResult = RowOf<typeof SelfTestResult>;

/** The self-test on one broker. */
export const SelfTestNode = row({
  node_id: whole,
  /** `idle`, `running` or `unreachable`. */
  status: string,
  /** `idle`, `disk`, `net` or `cloud`; null if older versions do not say. */
  stage: maybe(string),
  /** Those of the last self-test; none while one is running. */
  results: listOf(SelfTestResult),
});
export type SelfTestNode = RowOf<typeof SelfTestNode>;
