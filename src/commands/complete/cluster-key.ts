import type { Config } from '../../config/config.ts';
import { type OptionKey, showValue } from '../../config/options.ts';

const kafka = [
  'brokers',
  'user',
  'sasl.mechanism',
  'tls.enabled',
  'tls.ca',
  'tls.cert',
  'tls.key',
  'tls.insecure_skip_verify',
] as const;
const admin = [
  'admin.hosts',
  'user',
  'admin.user',
  'admin.tls.enabled',
  'admin.tls.ca',
  'admin.tls.cert',
  'admin.tls.key',
  'admin.tls.insecure_skip_verify',
] as const;
const registry = [
  'registry.hosts',
  'user',
  'registry.user',
  'registry.tls.enabled',
  'registry.tls.ca',
  'registry.tls.cert',
  'registry.tls.key',
  'registry.tls.insecure_skip_verify',
] as const;

const cloud = ['cloud.api_url', 'cloud.client_id'] as const;

/** The options that a cluster is reached with; `either` is for names that one of two APIs knows. */
const keys = { kafka, admin, registry, cloud, either: [...kafka, ...admin] } as const satisfies Record<
  string,
  readonly OptionKey[]
>;

/**
 * A name for the cluster, for its Admin API or for its schema registry, as this configuration reaches it, for a file. The
 * password is not part of it.
 */
export function clusterKey(config: Config, api: keyof typeof keys = 'kafka'): string {
  const parts = [config.profile?.name ?? '', ...keys[api].map((key) => showValue(key, config.get(key)))];
  return hashed(JSON.stringify(parts));
}

/** FNV-1a with 128 bits: loading node:crypto would take longer than all other work with a fresh cache. */
function hashed(text: string): string {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const byte of Buffer.from(text)) {
    hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x0000000001000000000000000000013bn);
  }
  return hash.toString(16).padStart(32, '0');
}
