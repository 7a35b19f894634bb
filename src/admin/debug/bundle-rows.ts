import type { CliError } from '../../errors.ts';
import { at, fitting, mapped, maybe, type RowOf, row, string, whole, word } from '../../shape/shape.ts';

/** What to collect for a debug bundle; what is left out has the defaults of the server. */
export interface BundleConfig {
  /** How the collecting program of the broker logs in to the brokers. */
  readonly authentication?: { readonly mechanism: string; readonly username: string; readonly password: string };
  readonly tls_enabled?: boolean;
  readonly tls_insecure_skip_verify?: boolean;
  readonly controller_logs_size_limit_bytes?: number;
  readonly cpu_profiler_wait_seconds?: number;
  /** `YYYY-MM-DDTHH:MM:SS` in the time zone of the broker, or `yesterday`, `today`, `now`, `tomorrow`. */
  readonly logs_since?: string;
  readonly logs_until?: string;
  readonly logs_size_limit_bytes?: number;
  readonly metrics_interval_seconds?: number;
  readonly metrics_samples?: number;
  /** Of the form `namespace/topic/1,2`. */
  readonly partition?: readonly string[];
  /** The namespace and the labels of the pods in Kubernetes. */
  readonly namespace?: string;
  readonly label_selector?: readonly { readonly key: string; readonly value: string }[];
}

/** The debug bundle of one broker: the last one that was started there. */
export const BundleState = row({
  /** `none` if no bundle was started since the broker was; `expired` if the broker has deleted it. */
  status: word('none', 'running', 'success', 'error', 'expired'),
  job_id: maybe(string),
  /** Milliseconds since the epoch. */
  created: maybe(whole),
  /** The file on the broker, as it names it. */
  filename: maybe(string),
  /** In bytes. */
  file_size: maybe(whole),
  /** The last line of the errors of the collecting program. */
  reason: at(
    'stderr',
    mapped(fitting(string), (lines) => lines.findLast((line) => line.trim() !== '') ?? null),
  ),
});
export type BundleState = RowOf<typeof BundleState>;

/** What one broker said about its bundle, or why it did not. */
export type BundleAnswer = { readonly broker: number } & (
  | { readonly state: BundleState; readonly error: null }
  | { readonly state: null; readonly error: CliError }
);

/** The job that collects the bundle of a broker. */
export interface BundleJob {
  readonly broker: number;
  readonly jobId: string;
}
