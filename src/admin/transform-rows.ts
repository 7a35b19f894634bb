import {
  at,
  described,
  fitting,
  listOf,
  maybe,
  natural,
  orElse,
  type RowOf,
  row,
  sorted,
  string,
  whole,
  word,
} from '../shape/shape.ts';

/** What a transform does with one partition of its input topic. */
export const transformPartition = row({
  partition: whole,
  /** The broker that runs it; null if there is none. */
  node_id: maybe(natural),
  /** `running`, `inactive` (paused or starting), `errored` or `unknown`; newer versions may have others. */
  status: string,
  /** How many records of the input wait for it. */
  lag: orElse(whole, 0),
});

/** A variable that a transform can read. */
const environmentVariable = row({ key: string, value: string });

/** A deployed transform. */
export const Transform = row({
  name: string,
  input_topic: string,
  output_topics: fitting(string),
  environment: listOf(environmentVariable),
  compression: orElse(string, 'none'),
  partitions: at(
    'status',
    sorted(listOf(transformPartition), (a, b) => a.partition - b.partition),
  ),
});
export type Transform = RowOf<typeof Transform>;

/** Where a transform begins to read when it is deployed for the first time. */
export const StartOffset = row({
  format: word('from_start', 'from_end', 'timestamp'),
  value: described(whole, 'records from the log start, records before the log end, or milliseconds since the epoch'),
});
export type StartOffset = RowOf<typeof StartOffset>;

/** A transform to deploy; fields that are left out have the defaults of the server. */
export interface Deployment {
  readonly name: string;
  readonly input_topic: string;
  readonly output_topics: readonly string[];
  readonly environment: Transform['environment'];
  readonly compression?: string;
  readonly offset?: StartOffset;
}
