import type { BundleConfig } from '../../../admin/debug/bundle-rows.ts';
import { flag, list, type ValuesOf } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { duration, integer, type Kind, size, text } from '../../../kinds.ts';
import { momentOf, time } from '../../times.ts';

/** The maximum size of a part of a bundle, in bytes. */
export const byteSize: Kind<number> = size({ min: 1 });

/** A duration of whole seconds from `least` on; its value is in seconds. */
function seconds(least: number): Kind<number> {
  return {
    name: 'duration',
    hint: 'DURATION',
    parse(value) {
      const nanoseconds = duration.parse(value);
      if (nanoseconds % 1_000_000_000n !== 0n) throw new Error('not a whole number of seconds');
      const parsed = Number(nanoseconds / 1_000_000_000n);
      if (parsed < least) throw new Error(`less than ${least}s`);
      return parsed;
    },
    show: (value) => `${value}s`,
  };
}

/** Partitions of a topic, for example `orders/0,1`; Kafka topics are in the namespace `kafka`. */
const partitions: Kind<string> = {
  name: 'partitions',
  hint: 'TOPIC/N,…',
  parse(value) {
    const [, namespace = 'kafka/', rest = ''] = /^([^/]+\/)?([^/]+\/\d+(?:,\d+)*)$/.exec(value) ?? [];
    if (rest === '') throw new Error('not of the form TOPIC/0,1 or NAMESPACE/TOPIC/0,1');
    return namespace + rest;
  },
  show: (value) => value,
};

const label: Kind<{ readonly key: string; readonly value: string }> = {
  name: 'label',
  hint: 'KEY=VALUE',
  neverSecret: true,
  parse(word) {
    const [, key = '', value = ''] = /^([^=,\s]+)=([^=,\s]*)$/.exec(word) ?? [];
    if (key === '') throw new Error('not of the form KEY=VALUE');
    return { key, value };
  },
  show: ({ key, value }) => `${key}=${value}`,
};

/** The flags that say what to collect. What is not given has the default of the server. */
export const collectionFlags = {
  controllerLogsSizeLimit: flag(byteSize, {
    help: 'maximum size of the logs of the controller (server default: 132MB)',
  }),
  cpuProfilerWait: flag(seconds(15), { help: 'how long to sample the CPU, from 15s (server default: 30s)' }),
  logsSince: flag(time, {
    help: 'include logs from this time on: 2026-01-31, 6h (before now), yesterday, … (server default: yesterday)',
  }),
  logsUntil: flag(time, { help: 'include logs until this time' }),
  logsSizeLimit: flag(byteSize, { help: 'maximum size of the logs (server default: 100MiB)' }),
  metricsInterval: flag(seconds(1), { help: 'time between two samples of the metrics (server default: 10s)' }),
  metricsSamples: flag(integer({ min: 2 }), { help: 'number of samples of the metrics, from 2 (server default: 2)' }),
  partition: list(partitions, { short: 'p', help: 'include the state of these partitions, for example orders/0,1' }),
  namespace: flag(text, { short: 'n', help: 'namespace of the pods in Kubernetes (server default: redpanda)' }),
  labelSelector: list(label, { short: 'l', help: 'label of the pods in Kubernetes' }),
} as const;

/** The words that the server knows, which mean days of the broker. */
const serverWords: readonly string[] = ['yesterday', 'today', 'now', 'tomorrow'];

/** A time as the server takes it: without a time zone, and meant in that of the broker. */
const serverTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** A time in the form of the server; other forms become UTC, in which brokers usually run. */
function logTime(time: string | undefined, flagName: string, nowMs: number): string | undefined {
  if (time === undefined || serverWords.includes(time) || serverTime.test(time)) return time;
  return new Date(momentOf(time, flagName, nowMs)).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}

/**
 * What to collect, and the credentials with which the program on the broker asks the Kafka API. Sends no request.
 * @throws CliError (exit 2) for a value that is no time
 */
export async function bundleConfig(context: Context, values: ValuesOf<typeof collectionFlags>): Promise<BundleConfig> {
  const { partition, labelSelector } = values;
  const nowMs = context.host.now();
  const config = {
    controller_logs_size_limit_bytes: values.controllerLogsSizeLimit,
    cpu_profiler_wait_seconds: values.cpuProfilerWait,
    logs_since: logTime(values.logsSince, '--logs-since', nowMs),
    logs_until: logTime(values.logsUntil, '--logs-until', nowMs),
    logs_size_limit_bytes: values.logsSizeLimit,
    metrics_interval_seconds: values.metricsInterval,
    metrics_samples: values.metricsSamples,
    partition: partition.length === 0 ? undefined : partition,
    namespace: values.namespace,
    label_selector: labelSelector.length === 0 ? undefined : labelSelector,
    ...(await loginOf(context)),
  };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

async function loginOf(context: Context): Promise<Partial<BundleConfig>> {
  const config = await context.config();
  const username = config.get('user');
  const mechanism = config.get('sasl.mechanism') || 'SCRAM-SHA-256';
  const mayLogIn = username !== '' && mechanism.startsWith('SCRAM-');
  const password = mayLogIn ? await (await context.secrets()).get('pass') : '';
  return {
    ...(password !== '' && { authentication: { mechanism, username, password } }),
    ...(config.get('tls.enabled') && {
      tls_enabled: true,
      tls_insecure_skip_verify: config.get('tls.insecure_skip_verify'),
    }),
  };
}
