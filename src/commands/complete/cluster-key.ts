import { createHash } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { type OptionKey, showValue } from '../../config/options.ts';

const keys = [
  'brokers',
  'user',
  'sasl.mechanism',
  'tls.enabled',
  'tls.ca',
  'tls.cert',
  'tls.key',
  'tls.insecure_skip_verify',
] as const satisfies readonly OptionKey[];

/** A name for the cluster as this configuration reaches it, for a file. The password is not part of it. */
export function clusterKey(config: Config): string {
  const parts = [config.profile?.name ?? '', ...keys.map((key) => showValue(key, config.get(key)))];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
